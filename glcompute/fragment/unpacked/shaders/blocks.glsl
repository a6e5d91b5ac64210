// A product. A fragment computes the ROWS rows of one column that its render targets take, of one
// result or of several.
#include "targets.glsl"
#include "formulas.glsl"

uniform int innerFrom, innerTo; // what is summed, in fours of the inner length

float times(float a, float b) {
#if DISTANCE
	return (a - b) * (a - b);
#else
	return a * b;
#endif
}

#unroll r ROWS
float sum##r;
#end

ivec2 at;

// What add needs is found before the loop.
int bStart, bStep, aStep;
#unroll r ROWS
int a##r; // where row r of A' begins, or its column of A
#end

// add adds the products of one inner index.
void add(int inner) {
#if TRANS_B
	float b = B_texel(bStart, inner).x;
#else
	float b = B_texel(inner * bStep, at.y).x;
#endif
#unroll r ROWS
#if TRANS_A
	sum##r += times(A_texel(inner * aStep, a##r).x, b);
#else
	sum##r += times(A_texel(a##r, inner).x, b);
#endif
#end
}

void main() {
	at = place();
	bStart = B_row(at.y);
	bStep = B_row(1);
	aStep = A_row(1);
#unroll r ROWS
#if TRANS_A
	a##r = min(at.x + r, Out_rows - 1);
#else
	a##r = A_row(min(at.x + r, Out_rows - 1));
#endif
#end
#unroll r ROWS
#if ACCUMULATE
	sum##r = Old_texel(Old_row(min(at.x + r, Out_rows - 1)), at.y).x;
#else
	sum##r = 0.0;
#endif
#end
#if TRANS_A
	int length = A_rows;
#else
	int length = A_cols;
#endif
	length = min(length, 4 * innerTo);
	int inner = 4 * innerFrom;
	for (; inner < length - 3; inner += 4) {
#unroll j 4
		add(inner + j);
#end
	}
	for (; inner < length; inner++) {
		add(inner);
	}
#unroll r ROWS
	formulas(min(at.x + r, Out_rows - 1), at.y, sum##r);
#unroll k RESULTS
	target[r * RESULTS + k] = kept(at.x + r, at.y, result##k);
#end
#end
}
