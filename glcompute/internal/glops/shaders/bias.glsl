// What is added to a texel of a row of a product: its bias, or one bias for all columns.
#if HAS_BIAS
vec4 bias(int quad) {
#if ONE_BIAS
	return vec4(Bias_at(0, 0).x);
#else
	return Bias_at(0, quad);
#endif
}
#endif
