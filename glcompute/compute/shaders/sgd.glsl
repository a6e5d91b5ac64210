// A step of SGD; see update.glsl. A thread updates a texel of ROWS rows; neighbouring threads
// take neighbouring texels.
#include "kernel.glsl"
#include "update.glsl"
#include "gradient.glsl"

void item(int i) {
	int row = i / Out_stride * ROWS, quad = i % Out_stride;
#unroll r ROWS
	if (row + r < Out_rows) {
		put(row + r, quad, gradient(row + r, quad));
	}
#end
}
