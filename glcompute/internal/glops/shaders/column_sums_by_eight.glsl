// Out[p][c] = Σ A[r][c] over the eight rows from 8p.
#define HAS_LOOP
#include "frame.glsl"

vec4 texel(int part, int quad) {
	vec4 sum = vec4(0.0);
#unroll r 8
	if (8 * part + r < A_rows) {
		sum += A_at(8 * part + r, quad);
	}
#end
	return sum;
}
