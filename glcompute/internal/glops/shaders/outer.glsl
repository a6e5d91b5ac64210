// Out[m][n] = A[m]·B[n], or Out += A[m]·B[n]
#include "frame.glsl"

vec4 texel(int row, int quad) {
	vec4 v = A_at(0, row / 4)[row % 4] * B_at(0, quad);
#if ACCUMULATE
	v += Old_at(row, quad);
#endif
	return v;
}
