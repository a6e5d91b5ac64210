// Draws value(row, column) into each render target.

// Past the last row a value of the last one is computed, so that nothing is read beyond
// the edge, and not kept.
float keptValue(int row, int col) { return kept(row, col, value(min(row, Out_rows - 1), col)); }

#if TARGETS > 1 && defined(HAS_LOOP)

uniform int targets; // TARGETS, unknown to the compiler

void main() {
	ivec2 at = place();
#unroll r TARGETS
	float t##r = 0.0;
#end
	for (int n = 0; n < targets; n++) {
		float v = keptValue(at.x + n, at.y);
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
	target[r] = keptValue(at.x + r, at.y);
#end
}

#endif
