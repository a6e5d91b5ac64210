// Out[m][n] = A[m]·B[n], or Out += A[m]·B[n]. A thread gives a texel of ROWS rows, four
// of which are a texel of A; neighbouring threads write neighbouring texels.
#include "kernel.glsl"

void put(int row, int quad, vec4 v) {
	if (row >= Out_rows) {
		return;
	}
#if ACCUMULATE
	v += Out_at(row, quad);
#endif
	Out_put(row, quad, v);
}

void item(int i) {
	int group = i / Out_stride * GROUPS, quad = i % Out_stride;
	vec4 b = B_at(0, quad);
#unroll r GROUPS
	{
		vec4 a = A_at(0, min(group + r, A_stride - 1));
		int row = 4 * (group + r);
		put(row, quad, a.x * b);
		put(row + 1, quad, a.y * b);
		put(row + 2, quad, a.z * b);
		put(row + 3, quad, a.w * b);
	}
#end
}
