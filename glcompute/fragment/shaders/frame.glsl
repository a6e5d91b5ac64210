// The frame of a kernel that gives one texel of Out.
#include "targets.glsl"

vec4 texel(int row, int quad);

// Past the last row a texel of the last one is computed, so that nothing is read beyond
// the edge, and not kept.
vec4 keptTexel(int row, int quad) { return kept(row, quad, texel(min(row, Out_rows - 1), quad)); }

#if OUT_COLUMN

// Four rows of a column lie in a texel.
void main() {
	int row = place().x;
	target[0] = vec4(0.0);
	for (int n = 0; n < min(4, Out_rows - row); n++) {
		target[0][n] = texel(row + n, 0).x;
	}
}

#elif TARGETS > 1 && defined(HAS_LOOP)

uniform int targets; // TARGETS, unknown to the compiler

// Eight copies of a texel with loops take some drivers a minute to compile, so that here
// it stands in a loop that no compiler unrolls.
void main() {
	ivec2 at = place();
#unroll r TARGETS
	vec4 t##r = vec4(0.0);
#end
	for (int n = 0; n < targets; n++) {
		vec4 v = keptTexel(at.x + n, at.y);
#unroll r TARGETS
		t##r = n == r ? v : t##r;
#end
	}
#unroll r TARGETS
	target[r] = t##r;
#end
}

#else

void main() {
	ivec2 at = place();
#unroll r TARGETS
	target[r] = keptTexel(at.x + r, at.y);
#end
}

#endif
