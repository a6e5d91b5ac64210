// A product. A fragment computes the block of ROWS rows of one texel that its render targets
// take, of one result or of several.
#include "targets.glsl"
#include "formulas.glsl"
#include "parts.glsl"

void main() {
	ivec2 at = place();
	partialProduct(at.x, at.y);
#unroll r ROWS
	formulas(min(at.x + r, Out_rows - 1), at.y, sum[r]);
#unroll k RESULTS
	target[r * RESULTS + k] = kept(at.x + r, at.y, result##k);
#end
#end
}
