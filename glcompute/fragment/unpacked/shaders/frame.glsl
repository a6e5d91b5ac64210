// The frame of kernels that give four columns of Out, of which a fragment keeps its own.
#include "results.glsl"

vec4 texel(int row, int quad);

VALUE source(int row, int at) {
#if OUT_COLUMN
	return texel(at, 0).x;
#else
	return texel(row, at / 4)[at % 4];
#endif
}
