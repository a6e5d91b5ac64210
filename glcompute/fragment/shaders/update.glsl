// A step of SGD: the weights are one target, the momentum is the other.
#include "targets.glsl"
#include "momentum.glsl"

void put(ivec2 at, vec4 dw) {
	int row = min(at.x, Out_rows - 1);
	vec4 v = momentum(row, at.y, dw);
	target[0] = kept(at.x, at.y, W_at(row, at.y) - Settings_at(0, 0).x * v);
	target[1] = kept(at.x, at.y, v);
}
