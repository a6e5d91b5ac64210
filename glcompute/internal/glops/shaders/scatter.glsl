// What a row holds, or zero, and the rows of X that name it, in their order: see links.glsl.
#define HAS_LOOP
#include "frame.glsl"

vec4 begin(int row, int quad) {
#if !IN_PLACE
	return vec4(0.0);
#elif COLUMN
	return vec4(Held_in(0, row / 4)[row % 4], 0.0, 0.0, 0.0);
#else
	return Held_at(row, quad);
#endif
}

vec4 texel(int row, int quad) {
	vec4 sum = begin(row, quad);
	int next = int(Links_at(row, 0).x);
	while (next >= 0) {
		sum += X_at(next, quad);
		next = int(Links_at(ROWS + next, 0).x);
	}
	return sum;
}
