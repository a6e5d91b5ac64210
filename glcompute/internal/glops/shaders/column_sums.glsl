// Out[p][c] = Σ A[r][c] over the rows r = p, p + P, p + 2P, ..., where P is the number of
// rows of Out: the whole sum when that is one.
#define HAS_LOOP
#include "frame.glsl"

vec4 texel(int part, int quad) {
	vec4 sum = vec4(0.0);
	// Found before the loop: llvmpipe reads a uniform lane by lane wherever it is used.
	int end = A_row(A_rows), step = A_row(Out_rows);
	for (int start = A_row(part); start < end; start += step) {
		sum += A_in(start, quad);
	}
	return sum;
}
