// Out[p][c] = Σ A[r][c] over the rows r = p, p + P, p + 2P, ..., where P is the number of
// rows of Out: the whole sum when that is one.
#define HAS_LOOP
#include "frame.glsl"

vec4 texel(int part, int quad) {
	vec4 sum = vec4(0.0);
	for (int row = part; row < A_rows; row += Out_rows) {
		sum += A_at(row, quad);
	}
	return sum;
}
