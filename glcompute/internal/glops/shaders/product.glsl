// A block of a product: ROWS x QUADS texels of the sums A'·B', or of Old + A'·B'. It
// stays in registers while the loop walks along the inner length, STEPS texels at a time:
// a texel of A holds four inner indices, or, with A transposed, four rows of the result.
// The padding of the inner length is zero on both sides and adds nothing; of a single texel
// only the first LANES indices are taken.
//
// When PARTIAL, it is the sum over a part of the inner length, which the caller says
// by innerFirst, innerLast and innerStep. GATHERED is a convolution.
#include "times.glsl"
#include "gathered.glsl"

uniform int innerQuads;

#if PARTIAL
uniform int columnQuads; // texels of a row of the whole product
int innerFirst, innerLast, innerStep;
#else
#define columnQuads Out_stride
uniform int innerFrom, innerTo; // texels of the inner length that are summed
#endif

#if !GATHERED
#define innerAt(s) (inner + s * innerStep)
#define bRow(k) ((k) * bStep)
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
#if GATHERED
	gather(row);
#elif TRANS_B
#unroll c QUADS
#unroll j 4
	int bRow##c##j = B_row(4 * column##c + j);
#end
#end
#else
	int bStep = B_row(1);
#endif
#if GATHERED
#elif TRANS_A
	int aStep = A_row(1);
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
#if !PARTIAL && ACCUMULATE
	sum[r * QUADS + c] = Old_at(min(row + r, Out_rows - 1), column##c);
#else
	sum[r * QUADS + c] = vec4(0.0);
#endif
#end
#end

#if !PARTIAL
	// llvmpipe reads a uniform lane by lane wherever it is used.
	const int innerStep = 1;
	int innerFirst = innerFrom, innerLast = innerTo;
#endif
#if GATHERED
	for (int turn = innerFirst; turn < innerLast; turn += innerStep) {
		turnTo(turn);
#if TRANS_B
#unroll c QUADS
#unroll j 4
		int bRow##c##j = bRow(4 * column##c + j);
#end
#end
#endif
	int inner = 0;
	do {
#elif LANES < 4 && !PARTIAL
	int inner = 0;
	{
#else
	for (int inner = innerFirst; inner < innerLast; inner += STEPS * innerStep) {
#endif
		// b##s##c##j: row 4·(inner + s) + j of B', texel c.
#unroll s STEPS
#unroll c QUADS
#if TRANS_B
#unroll j 4
		vec4 t##s##c##j = B_in(bRow##c##j, innerAt(s));
#end
		vec4 b##s##c##0 = vec4(t##s##c##0.x, t##s##c##1.x, t##s##c##2.x, t##s##c##3.x);
		vec4 b##s##c##1 = vec4(t##s##c##0.y, t##s##c##1.y, t##s##c##2.y, t##s##c##3.y);
		vec4 b##s##c##2 = vec4(t##s##c##0.z, t##s##c##1.z, t##s##c##2.z, t##s##c##3.z);
		vec4 b##s##c##3 = vec4(t##s##c##0.w, t##s##c##1.w, t##s##c##2.w, t##s##c##3.w);
#else
#unroll j LANES
		vec4 b##s##c##j = B_in(bRow(4 * innerAt(s) + j), column##c);
#end
#endif
#end
#end
#if TRANS_A
#unroll r GROUPS
		{
#unroll s STEPS
#unroll j LANES
#if GATHERED
			vec4 a##s##j = seenBy(r, innerAt(s), j);
#else
			vec4 a##s##j = A_in((4 * innerAt(s) + j) * aStep, group##r);
#endif
#end
#end
#unroll s STEPS
#unroll j LANES
#if ROWS == 1
#unroll c QUADS
			sum[c] += times(a##s##j[row % 4], b##s##c##j);
#end
#else
#unroll c QUADS
			sum[(4 * r + 0) * QUADS + c] += times(a##s##j.x, b##s##c##j);
			sum[(4 * r + 1) * QUADS + c] += times(a##s##j.y, b##s##c##j);
			sum[(4 * r + 2) * QUADS + c] += times(a##s##j.z, b##s##c##j);
			sum[(4 * r + 3) * QUADS + c] += times(a##s##j.w, b##s##c##j);
#end
#endif
#end
#end
		}
#end
#else
#unroll r ROWS
		{
#unroll s STEPS
#if GATHERED
			vec4 a##s = seenFrom(r, innerAt(s));
#else
			vec4 a##s = A_in(aRow##r, innerAt(s));
#endif
#end
#unroll s STEPS
#unroll c QUADS
#if LANES == 1
			sum[r * QUADS + c] += times(a##s.x, b##s##c##0);
#elif LANES == 2
			sum[r * QUADS + c] += times(a##s.x, b##s##c##0) + times(a##s.y, b##s##c##1);
#else
			sum[r * QUADS + c] += times(a##s.x, b##s##c##0) + times(a##s.y, b##s##c##1) + times(a##s.z, b##s##c##2) + times(a##s.w, b##s##c##3);
#endif
#end
#end
		}
#end
#endif
#if GATHERED
		inner += STEPS;
	} while (inner < turnTexels);
#endif
	}
}
