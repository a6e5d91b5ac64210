// Out = f(A'·B' + Bias), or Out += A'·B'. A fragment computes the block of ROWS rows of
// one texel that its render targets take.
#include "targets.glsl"
#include "parts.glsl"

void main() {
	ivec2 at = place();
	partialProduct(at.x, at.y);
#unroll r ROWS
	target##r = kept(at.x + r, at.y, sum[r]);
#end
}
