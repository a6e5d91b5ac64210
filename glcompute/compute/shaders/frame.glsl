// The frame of a kernel that gives one texel of Out: thread i gives texel i.
#include "kernel.glsl"

vec4 texel(int row, int quad);

void item(int i) {
	int row = i / Out_stride, quad = i % Out_stride;
	Out_put(row, quad, texel(row, quad));
}
