// W[j] + Rate · Σ s·(X[r] - W[j]) over the pairs (j, s) of the rows r that name j: see links.glsl.
#define HAS_LOOP
#include "frame.glsl"

vec4 old(int row, int quad) {
#if COLUMN
	return vec4(W_in(0, row / 4)[row % 4], 0.0, 0.0, 0.0);
#else
	return W_at(row, quad);
#endif
}

vec4 texel(int row, int quad) {
	vec4 w = old(row, quad), sum = vec4(0.0);
	float next = Links_at(row, 0).x;
	while (next >= 0.0) {
		vec4 pair = Links_at(ROWS + int(next), 0);
		sum += pair.z * (X_at(int(pair.y), quad) - w);
		next = pair.x;
	}
	return w + Rate_at(0, 0).x * sum;
}
