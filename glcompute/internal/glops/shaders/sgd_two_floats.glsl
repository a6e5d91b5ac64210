// Two of the passes of W + Low -= rate·V: see twoFloats in sgd.go.
#include "frame.glsl"

vec4 texel(int row, int quad) {
	vec4 w = W_at(row, quad);
	vec4 s = Low_at(row, quad) - Settings_at(0, 0).x * V_at(row, quad);
#if STAGE == 0
	return w + s;
#else
	// The larger of the two is taken off first, which is exact (Dekker, 1971). Should the
	// sum have been rounded otherwise than to the nearest, this still is what it lacks.
	vec4 sum = Sum_at(row, quad);
	return mix(w - (sum - s), s - (sum - w), greaterThanEqual(abs(w), abs(s)));
#endif
}
