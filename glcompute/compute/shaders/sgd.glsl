// V = momentum·V + DW + decay·(W - Anchor);  W = W - rate·V. A thread updates a texel of
// ROWS rows; neighbouring threads take neighbouring texels. Out is W. With Low, W + Low
// stands for W.
#include "kernel.glsl"

void update(int row, int quad) {
	vec4 settings = Settings_at(0, 0); // rate, momentum, decay
	vec4 w = Out_at(row, quad);
#if HAS_ANCHOR
	vec4 towards = w - Anchor_at(row, quad);
#else
	vec4 towards = w;
#endif
#if HAS_LOW
	vec4 low = Low_at(row, quad);
	towards += low;
#endif
	vec4 v = settings.y * V_at(row, quad) + DW_at(row, quad) + settings.z * towards;
	V_put(row, quad, v);
#if HAS_LOW
	// What rounding leaves out of the sum (Knuth, volume 2, 4.2.2, theorem B); "precise"
	// keeps compilers from finding it to be zero.
	precise vec4 s = low - settings.x * v;
	precise vec4 sum = w + s;
	precise vec4 added = sum - w;
	precise vec4 lost = (w - (sum - added)) + (s - added);
	Low_put(row, quad, lost);
	Out_put(row, quad, sum);
#else
	Out_put(row, quad, w - settings.x * v);
#endif
}

void item(int i) {
	int row = i / Out_stride * ROWS, quad = i % Out_stride;
#unroll r ROWS
	if (row + r < Out_rows) {
		update(row + r, quad);
	}
#end
}
