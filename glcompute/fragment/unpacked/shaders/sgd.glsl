// A step of SGD by a gradient.
#include "update.glsl"
#include "gradient.glsl"

void main() {
	ivec2 at = place();
	put(at, gradient(min(at.x, Out_rows - 1), at.y));
}
