// The nonlinearities by number, as in program.Activation: 0 identity, 1 tanh, 2 sigmoid,
// 3 ReLU. ACTIVATION is defined where the shader is compiled.

vec4 activate(vec4 x) {
#if ACTIVATION == 1
	// tanh |x| = (1 - e)/(1 + e) with e = exp(-2|x|), which neither overflows nor
	// depends on how far out the driver's own tanh is right.
	vec4 e = exp(-2.0 * abs(x));
	return sign(x) * ((1.0 - e) / (1.0 + e));
#elif ACTIVATION == 2
	// With e = exp(-|x|) the sigmoid is 1/(1 + e) on the right of zero and e/(1 + e) left of it.
	vec4 e = exp(-abs(x));
	return mix(vec4(1.0), e, lessThan(x, vec4(0.0))) / (1.0 + e);
#elif ACTIVATION == 3
	// A NaN compares as false and stays one.
	return mix(x, vec4(0.0), lessThan(x, vec4(0.0)));
#else
	return x;
#endif
}

// The derivative in terms of the result y.
vec4 activationGradient(vec4 y) {
#if ACTIVATION == 1
	return 1.0 - y * y;
#elif ACTIVATION == 2
	return y * (1.0 - y);
#elif ACTIVATION == 3
	return mix(vec4(0.0), vec4(1.0), greaterThan(y, vec4(0.0)));
#else
	return vec4(1.0);
#endif
}
