// Out[r][c] = e^(A[r][c] - max_r) / Σ_c e^(A[r][c] - max_r). A statistic is the texel
// (max, Σ e^(x - max), 0, 0) over a part of a row.
#define HAS_LOOP
#include "frame.glsl"

const float LOWEST = -3.402823e38;

// inside tells which values of a texel are columns of the matrix.
bvec4 inside(int quad) { return lessThan(4 * quad + ivec4(0, 1, 2, 3), ivec4(A_cols)); }

float largest(vec4 v) { return max(max(v.x, v.y), max(v.z, v.w)); }

float laneSum(vec4 v) { return (v.x + v.y) + (v.z + v.w); }

// statistic is over the texels first, first + step, ... of a row.
vec2 statistic(int row, int first, int step) {
	vec4 top = vec4(LOWEST);
	for (int quad = first; quad < A_stride; quad += step) {
		top = max(top, mix(vec4(LOWEST), A_at(row, quad), inside(quad)));
	}
	float most = largest(top);
	vec4 sum = vec4(0.0);
	for (int quad = first; quad < A_stride; quad += step) {
		sum += mix(vec4(0.0), exp(A_at(row, quad) - most), inside(quad));
	}
	return vec2(most, laneSum(sum));
}

// merged is the statistic of a row whose parts' statistics are A's texels.
vec2 merged(int row) {
	float most = LOWEST;
	for (int part = 0; part < A_stride; part++) {
		most = max(most, A_at(row, part).x);
	}
	float sum = 0.0;
	for (int part = 0; part < A_stride; part++) {
		vec2 s = A_at(row, part).xy;
		sum += s.y * exp(s.x - most);
	}
	return vec2(most, sum);
}

vec4 texel(int row, int quad) {
#if STAGE == 0
	vec2 s = statistic(row, 0, 1);
	return exp(A_at(row, quad) - s.x) / s.y;
#elif STAGE == 1
	return vec4(statistic(row, quad, Out_stride), 0.0, 0.0);
#elif STAGE == 2
	return vec4(merged(row), 0.0, 0.0);
#else
	vec2 s = Statistics_at(row, 0).xy;
	return exp(A_at(row, quad) - s.x) / s.y;
#endif
}
