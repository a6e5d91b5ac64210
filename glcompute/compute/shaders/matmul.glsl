// Out = f(A'·B' + Bias), or Out += A'·B'. Each thread computes a block of ROWS x QUADS
// texels, or of its parts; neighbouring threads take neighbouring blocks of the same rows.
#include "kernel.glsl"
#include "parts.glsl"

#if FOLLOWED == 3
#include "update.glsl"
#else
void put(int row, int quad, vec4 v) { Out_put(row, quad, v); }
#endif

void item(int i) {
	int across = (Out_stride + QUADS - 1) / QUADS;
	int row = i / across * ROWS, quad = i % across * QUADS;
	partialProduct(row, quad);
#unroll r ROWS
#unroll c QUADS
	if (row + r < Out_rows && quad + c < Out_stride) {
		put(row + r, quad + c, sum[r * QUADS + c]);
	}
#end
#end
}
