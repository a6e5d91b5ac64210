// A row of Out for each of so many rows holds the number of the first of the Pairs that name it; one for each pair,
// after these, the number of the next pair that names the same row, where it is (a row of X), and its weight. A number
// is -1 where there is none.
#define HAS_LOOP
#include "frame.glsl"

uniform int rows;

// after is the number of the first pair from number i on that names a row. A texel holds two pairs.
float after(int i, float row) {
	for (int r = i / PAIRS; r < Pairs_rows; r++) {
		int start = Pairs_row(r);
#unroll t TEXELS
		{
			vec4 v = Pairs_in(start, t);
			int pair = r * PAIRS + 2 * t;
			if (pair >= i && v.x == row) {
				return float(pair);
			}
			if (2 * t + 1 < PAIRS && pair + 1 >= i && v.z == row) {
				return float(pair + 1);
			}
		}
#end
	}
	return -1.0;
}

vec4 texel(int i, int unused) {
	if (i < rows) {
		return vec4(after(0, float(i)), 0.0, 0.0, 0.0);
	}
	int pair = i - rows, r = pair / PAIRS, at = pair % PAIRS;
	vec4 v = Pairs_at(r, at / 2);
	vec2 named = at % 2 == 0 ? v.xy : v.zw;
	return vec4(after(pair + 1, named.x), r, named.y, 0.0);
}
