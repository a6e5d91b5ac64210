// Out is the values of A, row after row, in rows of another length.
#include "frame.glsl"

#if WHOLE_TEXELS

vec4 texel(int row, int quad) {
	int i = row * Out_stride + quad;
	return A_at(i / A_stride, i % A_stride);
}

#else

float valueAt(int i) {
	int row = i / A_cols, column = i - row * A_cols;
	return row < A_rows ? A_at(row, column / 4)[column % 4] : 0.0;
}

vec4 texel(int row, int quad) {
	int i = row * Out_cols + 4 * quad;
	return vec4(valueAt(i), valueAt(i + 1), valueAt(i + 2), valueAt(i + 3));
}

#endif
