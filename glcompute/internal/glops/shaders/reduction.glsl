// How terms become one. KIND is that of program.ReduceKind: 2 the largest, 3 the smallest, the
// others a sum; with INDEXED the index of the first that has the value is kept too. A pass that
// is not the first reads what the one before it has left: values, and right of them indices.
#include "primitives.glsl"

#include "term.glsl"

uniform int rows, cols; // of the terms

VALUE value, index; // so far

// indexOf is the index of a term, of which the first pass knows the number along the reduction.
VALUE indexOf(int at, VALUE number) {
#if FIRST
	return number;
#else
	return A_value(startA, at + across(A_cols) / 2);
#endif
}

// take adds a term to what there is.
void take(VALUE v, VALUE p) {
#if KIND < 2
	value += v;
#else
#if KIND == 2
	index = mix(index, p, above(v, value));
#else
	index = mix(index, p, above(value, v));
#endif
	index = mix(index, min(index, p), same(v, value));
#if KIND == 2
	value = larger(value, v);
#else
	value = smaller(value, v);
#endif
#endif
}
