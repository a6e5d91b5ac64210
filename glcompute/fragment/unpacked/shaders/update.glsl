// A step of SGD: the weight is one target, the momentum is the other.
#include "targets.glsl"
#include "momentum.glsl"

void put(ivec2 at, float dw) {
	int row = min(at.x, Out_rows - 1);
	float v = momentum(row, at.y, dw);
	target[0] = kept(at.x, at.y, W_one(row, at.y) - Settings_one(0, 0) * v);
	target[1] = kept(at.x, at.y, v);
}
