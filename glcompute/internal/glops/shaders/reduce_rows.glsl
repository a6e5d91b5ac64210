// The terms of a row made one, in one pass or two. In the first of two, part p of a row takes
// its texels p, p + P, p + 2P, ..., P being the number of parts of a row of Out, so that
// neighbouring threads read neighbouring texels. In the last Out lies as a row, so that a texel
// holds the results of four rows.
#define HAS_LOOP
#include "reduction.glsl"
#include "results.glsl"

// within gives a term for the columns past the last that changes nothing.
VALUE within(int at, VALUE v) {
#if !MASKED
	return v;
#elif KIND < 2
	return mix(VALUE(0.0), v, inside(at, cols));
#else
	return mix(VALUE(LANE(v, 0)), v, inside(at, cols));
#endif
}

// line reduces every so many texels of a row from the first on.
void line(int row, int first, int step) {
	int end = across(cols);
	begin(row, 0);
	value = within(first, term(first));
	index = indexOf(first, columns(first));
	int at = first + step;
	for (; at + 3 * step < end; at += 4 * step) {
#unroll n 4
		take(within(at + n * step, term(at + n * step)), indexOf(at + n * step, columns(at + n * step)));
#end
	}
	for (; at < end; at += step) {
		take(within(at, term(at)), indexOf(at, columns(at)));
	}
}

#if LAST

VALUE source(int unused, int at) {
	VALUE values = VALUE(0.0), indices = VALUE(0.0);
	for (int n = 0; n < VALUES && VALUES * at + n < rows; n++) {
		line(VALUES * at + n, 0, 1);
#if KIND < 2
		LANE(values, n) = total(value);
#else
		// The first of several lanes that have the value is that with the smallest index.
		float best = LANE(value, 0), where = LANE(index, 0);
		for (int m = 1; m < VALUES; m++) {
			float v = LANE(value, m), p = LANE(index, m);
			bool better = KIND == 2 ? v > best : v < best;
			where = better || v == best && p < where ? p : where;
			best = better || isnan(v) ? v : best;
		}
		LANE(values, n) = best;
		LANE(indices, n) = where;
#endif
	}
	index = indices;
	return values;
}

#else

VALUE source(int row, int at) {
#if INDEXED
	int parts = across(Out_cols) / 2;
	line(row, at % parts, parts);
	return at < parts ? value : index;
#else
	line(row, at, across(Out_cols));
	return value;
#endif
}

#endif
