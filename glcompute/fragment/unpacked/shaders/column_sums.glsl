// Out[p][c] = Σ A[r][c] over the rows r = p, p + P, p + 2P, ..., where P is the number of
// rows of Out: the whole sum when that is one.
#define HAS_LOOP
#include "single.glsl"

float value(int part, int col) {
	float sum = 0.0;
	int end = A_row(A_rows), step = A_row(Out_rows);
	for (int start = A_row(part); start < end; start += step) {
		sum += A_texel(start, col).x;
	}
	return sum;
}
