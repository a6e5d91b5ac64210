// Out[r] = finish(Σ_c term(A[r][c], B[r][c])), in one stage or two. Texel p of a row of
// Out sums the texels p, p + P, p + 2P, ... of the row, P being the number of texels of a
// row of Out, so that neighbouring threads read neighbouring texels.
#define HAS_LOOP
#include "frame.glsl"

#if STAGE == 3

// Rows of one value lie four in a texel.
vec4 texel(int row, int quad) {
	vec4 v = term(A_at(row, quad), B_at(row, quad));
	return vec4(finish(v.x), finish(v.y), finish(v.z), finish(v.w));
}

#else

vec4 texel(int row, int part) {
	vec4 sum = vec4(0.0);
	int a = A_row(row), b = B_row(row), end = A_stride, step = Out_stride;
	for (int quad = part; quad < end; quad += step) {
#if STAGE == 2
		sum += A_in(a, quad);
#else
		sum += term(A_in(a, quad), B_in(b, quad));
#endif
	}
#if STAGE == 1
	return sum;
#else
	return vec4(finish((sum.x + sum.y) + (sum.z + sum.w)));
#endif
}

#endif
