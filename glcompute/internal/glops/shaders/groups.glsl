// The sum, mean, largest or smallest of X[n·pixels + table[p][t]][c] over the taps t with an entry, and
// with MATCH with that number in Match, for element [n·positions + p][c]; with it goes the number of the
// tap of the largest or smallest. KIND is as in program.ReduceKind: 2 the largest, 3 the smallest,
// the others a sum. COLUMN is a result of one column, which lies as a row. A row of the table has TEXELS texels; where
// FULL no entry is missing.
#if TEXELS > 1 || COLUMN
#define HAS_LOOP
#endif
#include "values.glsl"
#include "table.glsl"

VALUE value, index; // so far

#include "results.glsl"

uniform int images;
uniform int positions, pixels; // of an image, in the result and in X

void take(int from, int at, int tap) {
	VALUE x = X_value(X_row(from), at);
#if MATCH
	x = mix(VALUE(0.0), x, same(Match_value(Match_row(from), at), VALUE(tap)));
#endif
#if KIND < 2
	value += x;
#else
	VALUE before = value;
	bool first = LANE(index, 0) < 0.0; // for all columns
#if KIND == 2
	value = mix(value, x, above(x, before));
	index = mix(index, VALUE(tap), above(x, before));
#else
	value = mix(value, x, above(before, x));
	index = mix(index, VALUE(tap), above(before, x));
#endif
	value = first ? x : value;
	index = first ? VALUE(tap) : index;
#endif
}

void group(int row, int at) {
	int length = positions, image = row / length;
	int position = row - image * length, from = image * pixels;
	value = VALUE(0.0);
	index = VALUE(-1.0);
	int t = 0;
#if TEXELS > 1
	do
#endif
	{
		ivec4 entry = tableAt(position, t);
#unroll j 4
#if !FULL
		if (entry[j] >= 0)
#endif
		{
			take(from + entry[j], at, 4 * t + j);
		}
#end
		t++;
	}
#if TEXELS > 1
	while (t < TEXELS);
#endif
}

VALUE source(int row, int at) {
#if COLUMN
	VALUE values = VALUE(0.0), indices = VALUE(0.0);
	int rows = positions * images;
	for (int n = 0; n < VALUES && VALUES * at + n < rows; n++) {
		group(VALUES * at + n, 0);
		LANE(values, n) = LANE(value, 0);
		LANE(indices, n) = LANE(index, 0);
	}
	index = indices;
	return values;
#else
	group(row, at);
	return value;
#endif
}
