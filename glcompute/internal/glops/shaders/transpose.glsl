// Out[c][r] = A[r][c]. The four rows of A exist, since rows come in fours.
#include "frame.glsl"

vec4 texel(int row, int quad) {
	int from = row / 4, lane = row % 4;
	return vec4(A_at(4 * quad, from)[lane], A_at(4 * quad + 1, from)[lane],
		A_at(4 * quad + 2, from)[lane], A_at(4 * quad + 3, from)[lane]);
}
