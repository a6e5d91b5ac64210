// A step of SGD by the gradient DW.
#include "update.glsl"

void main() {
	ivec2 at = place();
	put(at, DW_at(min(at.x, Out_rows - 1), at.y));
}
