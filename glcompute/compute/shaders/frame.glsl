// The frame of a kernel that gives one texel of Out: thread i gives texel i.
#include "kernel.glsl"

vec4 texel(int row, int quad);

#if OUT_COLUMN

// Four rows of a column lie in a texel.
void item(int i) {
	vec4 v = vec4(0.0);
	for (int n = 0; n < min(4, Out_rows - 4 * i); n++) {
		v[n] = texel(4 * i + n, 0).x;
	}
	Out_data[i] = v;
}

#else

void item(int i) {
	int row = i / Out_stride, quad = i % Out_stride;
	Out_put(row, quad, texel(row, quad));
}

#endif
