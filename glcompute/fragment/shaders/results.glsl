// The frame of formulas: a fragment gives one VALUE of every result, or that of each row of
// its targets of one. Past the last row a VALUE of the last one is computed, so that nothing is
// read beyond the edge, and not kept.
#include "targets.glsl"
#include "formulas.glsl"

VALUE source(int row, int at);

void finish(ivec2 at) {
	int row = min(at.x, Out_rows - 1);
	formulas(row, at.y, source(row, at.y));
}

#if TARGET_ROWS == 1

void main() {
	ivec2 at = place();
	finish(at);
#unroll k RESULTS
	target[k] = kept(at.x, at.y, result##k);
#end
}

#elif defined(HAS_LOOP)

uniform int targets; // TARGET_ROWS, unknown to the compiler

// Eight copies of loops take some drivers a minute to compile, so that here they stand in a
// loop that no compiler unrolls.
void main() {
	ivec2 at = place();
#unroll r TARGET_ROWS
	VALUE t##r = VALUE(0.0);
#end
	for (int n = 0; n < targets; n++) {
		finish(ivec2(at.x + n, at.y));
		VALUE v = kept(at.x + n, at.y, result0);
#unroll r TARGET_ROWS
		t##r = n == r ? v : t##r;
#end
	}
#unroll r TARGET_ROWS
	target[r] = t##r;
#end
}

#else

void main() {
	ivec2 at = place();
#unroll r TARGET_ROWS
	finish(ivec2(at.x + r, at.y));
	target[r] = kept(at.x + r, at.y, result0);
#end
}

#endif
