// The primitives of formulas that GLSL lacks, or leaves open for NaN, which stays one.
#include "values.glsl"

// known is v, unless a or b is NaN: drivers make of a comparison a maximum that swallows it.
VALUE known(VALUE v, VALUE a, VALUE b) { return mix(mix(v, a, isnan(a)), b, isnan(b)); }

VALUE larger(VALUE a, VALUE b) { return known(mix(a, b, above(b, a)), a, b); }

VALUE smaller(VALUE a, VALUE b) { return known(mix(a, b, above(a, b)), a, b); }

// chosen is b where a > 0, else c.
VALUE chosen(VALUE a, VALUE b, VALUE c) { return mix(c, b, above(a, VALUE(0.0))); }

// tanh |x| = (1 - e)/(1 + e) with e = exp(-2|x|), which neither overflows nor depends on
// how far out the driver's own tanh is right.
VALUE hyperbolicTangent(VALUE x) {
	VALUE e = exp(-2.0 * abs(x));
	return sign(x) * ((1.0 - e) / (1.0 + e));
}

// With e = exp(-|x|) the sigmoid is 1/(1 + e) on the right of zero and e/(1 + e) left of it.
VALUE sigmoid(VALUE x) {
	VALUE e = exp(-abs(x));
	return mix(VALUE(1.0), e, above(VALUE(0.0), x)) / (1.0 + e);
}
