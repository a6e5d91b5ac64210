// Out = f(A'·B' + Bias), or Out += A'·B'. A fragment computes the block of ROWS rows of
// one texel that its render targets take.
#include "targets.glsl"
#include "parts.glsl"
#if FOLLOWED == 3
#include "update.glsl"
#endif

void main() {
	ivec2 at = place();
	partialProduct(at.x, at.y);
#if FOLLOWED == 3
	put(at, sum[0]);
#else
#unroll r ROWS
	target[r] = kept(at.x + r, at.y, sum[r]);
#end
#endif
}
