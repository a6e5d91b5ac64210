// The gradient that a step of SGD takes, for a single value; see glops/shaders/gradient.glsl.
#if GRADIENT == 0
float gradient(int row, int col) { return DW_one(row, col); }
#elif GRADIENT == 1
float gradient(int row, int col) {
	float sum = 0.0;
	int end = DW_row(DW_rows), step = DW_row(1);
	for (int start = 0; start < end; start += step) {
		sum += DW_texel(start, col).x;
	}
	return sum;
}
#else
float gradient(int row, int col) {
	float sum = 0.0;
	int end = DW_cols;
	for (int n = 0; n < end; n++) {
		sum += DW_texel(0, n).x;
	}
	return sum;
}
#endif
