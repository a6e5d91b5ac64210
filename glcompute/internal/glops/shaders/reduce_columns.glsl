// The terms of a column made one, in one pass or two: part p takes the rows p, p + P,
// p + 2P, ..., P being the number of rows of Out. SINGLE is a matrix of one row.
#if !SINGLE
#define HAS_LOOP
#endif
#include "reduction.glsl"
#include "results.glsl"

VALUE source(int part, int at) {
	int row = part, end = rows, step = Out_rows;
#if INDEXED && !LAST
	bool indices = at >= across(Out_cols) / 2;
	at -= indices ? across(Out_cols) / 2 : 0;
#endif
	begin(row, step);
	value = term(at);
	index = indexOf(at, VALUE(row));
#if !SINGLE
	row += step;
	// Four at a time, since a round costs a software renderer as much as what is in it.
	for (; row + 3 * step < end; row += 4 * step) {
#unroll n 4
		next();
		take(term(at), indexOf(at, VALUE(row + n * step)));
#end
	}
	for (; row < end; row += step) {
		next();
		take(term(at), indexOf(at, VALUE(row)));
	}
#endif
#if INDEXED && !LAST
	return indices ? index : value;
#else
	return value;
#endif
}
