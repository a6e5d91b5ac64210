// The gradient that a step of SGD takes: DW, or what is left to add up of it. The numbers are
// those of gradient.go.
#if GRADIENT == 0
vec4 gradient(int row, int quad) { return DW_at(row, quad); }
#elif GRADIENT == 1
vec4 gradient(int row, int quad) {
	vec4 sum = vec4(0.0);
	int end = DW_row(DW_rows), step = DW_row(1);
	for (int start = 0; start < end; start += step) {
		sum += DW_in(start, quad);
	}
	return sum;
}
#else
vec4 gradient(int row, int quad) {
	vec4 sum = vec4(0.0);
	int end = DW_stride;
	for (int q = 0; q < end; q++) {
		sum += DW_at(0, q);
	}
	return vec4((sum.x + sum.y) + (sum.z + sum.w));
}
#endif
