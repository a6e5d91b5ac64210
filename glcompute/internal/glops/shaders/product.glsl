// A block of a product: ROWS x QUADS texels of f(A'·B' + Bias), or of Out + A'·B'. It
// stays in registers while the loop walks along the inner length, four indices at a time:
// a texel of A holds four of them, or, with A transposed, four rows of the result. The
// padding of the inner length is zero on both sides and adds nothing.
//
// When PARTIAL, it is the bare sum over a part of the inner length, which the caller says
// by innerFirst, innerLast and innerStep.
#include "activation.glsl"

uniform int innerQuads;

#if PARTIAL
uniform int columnQuads; // texels of a row of the whole product
int innerFirst, innerLast, innerStep;
#else
#define columnQuads Out_stride
#endif

vec4 sum[ROWS * QUADS]; // sum[r*QUADS + c]: row r, texel c of the block

// product sums the block whose first texel is (row, quad). Rows and texels past the
// edge repeat the last one; they are not kept.
void product(int row, int quad) {
	// Where rows and columns begin is found before the loop: some drivers do not see that
	// it does not change.
#unroll c QUADS
	int column##c = min(quad + c, columnQuads - 1);
#end
#if TRANS_B
#unroll c QUADS
#unroll j 4
	int bRow##c##j = B_row(4 * column##c + j);
#end
#end
#endif
#if TRANS_A
#unroll r GROUPS
	int group##r = min(row / 4 + r, A_stride - 1);
#end
#else
#unroll r ROWS
	int aRow##r = A_row(min(row + r, Out_rows - 1));
#end
#endif

#unroll r ROWS
#unroll c QUADS
#if PARTIAL
	sum[r * QUADS + c] = vec4(0.0);
#elif ACCUMULATE
	sum[r * QUADS + c] = Old_at(min(row + r, Out_rows - 1), column##c);
#elif HAS_BIAS
	sum[r * QUADS + c] = Bias_at(0, column##c);
#else
	sum[r * QUADS + c] = vec4(0.0);
#endif
#end
#end

#if PARTIAL
	for (int inner = innerFirst; inner < innerLast; inner += innerStep) {
#else
	for (int inner = 0; inner < innerQuads; inner++) {
#endif
		// b##c##j: row 4·inner + j of B', texel c.
#unroll c QUADS
#if TRANS_B
#unroll j 4
		vec4 t##c##j = B_in(bRow##c##j, inner);
#end
		vec4 b##c##0 = vec4(t##c##0.x, t##c##1.x, t##c##2.x, t##c##3.x);
		vec4 b##c##1 = vec4(t##c##0.y, t##c##1.y, t##c##2.y, t##c##3.y);
		vec4 b##c##2 = vec4(t##c##0.z, t##c##1.z, t##c##2.z, t##c##3.z);
		vec4 b##c##3 = vec4(t##c##0.w, t##c##1.w, t##c##2.w, t##c##3.w);
#else
#unroll j 4
		vec4 b##c##j = B_in(B_row(4 * inner + j), column##c);
#end
#endif
#end
#if TRANS_A
#unroll j 4
#unroll r GROUPS
		{
			vec4 a = A_in(A_row(4 * inner + j), group##r);
#if ROWS == 1
#unroll c QUADS
			sum[c] += a[row % 4] * b##c##j;
#end
#else
#unroll c QUADS
			sum[(4 * r + 0) * QUADS + c] += a.x * b##c##j;
			sum[(4 * r + 1) * QUADS + c] += a.y * b##c##j;
			sum[(4 * r + 2) * QUADS + c] += a.z * b##c##j;
			sum[(4 * r + 3) * QUADS + c] += a.w * b##c##j;
#end
#endif
		}
#end
#end
#else
#unroll r ROWS
		{
			vec4 a = A_in(aRow##r, inner);
#unroll c QUADS
			sum[r * QUADS + c] += a.x * b##c##0 + a.y * b##c##1 + a.z * b##c##2 + a.w * b##c##3;
#end
		}
#end
#endif
	}

#if !PARTIAL
#unroll r ROWS
#unroll c QUADS
	sum[r * QUADS + c] = activate(sum[r * QUADS + c]);
#end
#end
#endif
}
