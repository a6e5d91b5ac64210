// A product. Each thread computes a block of ROWS x QUADS texels, or of its parts; neighbouring
// threads take neighbouring blocks of the same rows. COVERED says that no block reaches past the edge.
#include "kernel.glsl"
#include "parts.glsl"
#include "store.glsl"

void item(int i) {
	int across = (Out_stride + QUADS - 1) / QUADS;
	int row = i / across * ROWS, quad = i % across * QUADS;
	partialProduct(row, quad);
#unroll r ROWS
#unroll c QUADS
#if !COVERED
	if (row + r < Out_rows && quad + c < Out_stride)
#endif
	{
		store(row + r, quad + c, sum[r * QUADS + c]);
	}
#end
#end
}
