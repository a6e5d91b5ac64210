// Out[n·positions + p][c] = the sum, mean, largest or smallest of X[n·pixels + table[p][t]][c] over the taps
// t with an entry, and with MATCH with that number in Match; or, with INDEX, the number of the tap of the
// largest or smallest. KIND is as in program.ReduceKind: 0 sum, 1 mean, 2 largest, 3 smallest.
#define HAS_LOOP
#include "frame.glsl"
#include "table.glsl"

uniform int positions, pixels; // of an image, in Out and in X
uniform float taps;

vec4 reduced, taken;

void take(int from, int quad, int tap) {
	vec4 x = X_at(from, quad);
#if MATCH
	x = mix(vec4(0.0), x, equal(Match_at(from, quad), vec4(tap)));
#endif
#if KIND < 2
	reduced += x;
#else
#if KIND == 2
	bvec4 better = greaterThan(x, reduced);
#else
	bvec4 better = lessThan(x, reduced);
#endif
	if (taken.x < 0.0) { // the first that counts, for all columns
		better = bvec4(true);
	}
	reduced = mix(reduced, x, better);
	taken = mix(taken, vec4(tap), better);
#endif
}

vec4 texel(int row, int quad) {
	int image = row / positions;
	int position = row - image * positions, first = image * pixels;
	reduced = vec4(0.0);
	taken = vec4(-1.0);
	for (int t = 0; t < Table_stride; t++) {
		ivec4 at = tableAt(position, t);
#unroll j 4
		if (at[j] >= 0) {
			take(first + at[j], quad, 4 * t + j);
		}
#end
	}
#if INDEX
	return taken;
#elif KIND == 1
	return reduced / taps;
#else
	return reduced;
#endif
}
