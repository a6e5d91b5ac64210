// A term of a product: a·b, or the squared difference of a distance.
vec4 times(float a, vec4 b) {
#if DISTANCE
	vec4 d = a - b;
	return d * d;
#else
	return a * b;
#endif
}
