// The frame of formulas: a thread computes a texel of THREAD_ROWS rows of every result.
// Neighbouring threads take neighbouring texels.
#include "kernel.glsl"
#include "store.glsl"

VALUE source(int row, int at);

void item(int i) {
	int row = i / Out_stride * THREAD_ROWS, quad = i % Out_stride;
#unroll r THREAD_ROWS
	if (row + r < Out_rows) {
		store(row + r, quad, source(row + r, quad));
	}
#end
}
