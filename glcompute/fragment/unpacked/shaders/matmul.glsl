// Out = f(A'·B' + Bias), or Out += A'·B'. A fragment computes the ROWS rows of one column
// that its render targets take.
#include "targets.glsl"
#include "activation.glsl"
#include "followed.glsl"
#if FOLLOWED == 3
#include "update.glsl"
#endif

#unroll r ROWS
float sum##r;
#end

ivec2 at;

// add adds the products of one inner index.
void add(int inner) {
#if TRANS_B
	float b = B_one(at.y, inner);
#else
	float b = B_one(inner, at.y);
#endif
#unroll r ROWS
#if TRANS_A
	sum##r += A_one(inner, min(at.x + r, Out_rows - 1)) * b;
#else
	sum##r += A_one(min(at.x + r, Out_rows - 1), inner) * b;
#endif
#end
}

void main() {
	at = place();
#unroll r ROWS
#if ACCUMULATE
	sum##r = Old_one(min(at.x + r, Out_rows - 1), at.y);
#elif HAS_BIAS
	sum##r = Bias_one(0, ONE_BIAS == 1 ? 0 : at.y);
#else
	sum##r = 0.0;
#endif
#end
#if TRANS_A
	int length = A_rows;
#else
	int length = A_cols;
#endif
	// Four at a time: llvmpipe ends every loop of a shader after 65,536 rounds together.
	int inner = 0;
	for (; inner < length - 3; inner += 4) {
#unroll j 4
		add(inner + j);
#end
	}
	for (; inner < length; inner++) {
		add(inner);
	}
#if FOLLOWED == 3
	put(at, sum0);
#else
#unroll r ROWS
	target##r = kept(at.x + r, followed(sum##r, min(at.x + r, Out_rows - 1), at.y));
#end
#endif
}
