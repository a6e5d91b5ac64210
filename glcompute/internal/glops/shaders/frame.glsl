// The frame of kernels that give one texel of Out. Four rows of a column lie in one.
#include "results.glsl"

vec4 texel(int row, int quad);

VALUE source(int row, int at) {
#if OUT_COLUMN
	vec4 v = vec4(0.0);
	for (int n = 0; n < min(4, Out_cols - 4 * at); n++) {
		v[n] = texel(4 * at + n, 0).x;
	}
	return v;
#else
	return texel(row, at);
#endif
}
