// The functions of panel.h for vectors of LANES float32. Included once for each TARGET.

typedef float NAME(vec) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int NAME(bits) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
#define vec NAME(vec)
#define bits NAME(bits)
#define WIDTH (2 * LANES)
#define INLINE static inline __attribute__((always_inline)) TARGET

// pick is a where mask is set and b elsewhere.
INLINE vec NAME(pick)(bits mask, vec a, vec b) { return (vec)((mask & (bits)a) | (~mask & (bits)b)); }

// The functions are those of math32.go, where their argument reduction is explained.
#define LOG2E 1.44269504088896340736f
#define LN2_HI 0.693359375f
#define LN2_LO -2.12194440054690582e-4f
#define ROUND_N 12582912.0f

// exp_less1 gives scale and p with e^x = scale + scale·p for |x| <= 87.
INLINE vec NAME(exp_less1)(vec x, vec *scale) {
	vec shifted = x * LOG2E + ROUND_N;
	vec n = shifted - ROUND_N;
	vec r = x - n * LN2_HI - n * LN2_LO;
	*scale = (vec)(((bits)shifted + 127) << 23);
	vec p = r * (1.0f / 5040) + 1.0f / 720;
	p = p * r + 1.0f / 120;
	p = p * r + 1.0f / 24;
	p = p * r + 1.0f / 6;
	p = p * r + 0.5f;
	return p * r * r + r;
}

INLINE vec NAME(activate)(int f, vec x) {
	const vec zero = {0};
	vec scale, y, p;
	switch (f) {
	case PANEL_TANH:
		y = -2 * (vec)((bits)x & 0x7fffffff);
		y = NAME(pick)(y < -40, zero - 40, y);
		p = NAME(exp_less1)(y, &scale);
		p = scale * p + (scale - 1);
		return (vec)((bits)(-p / (2 + p)) | ((bits)x & ~0x7fffffff));
	case PANEL_SIGMOID:
		y = NAME(pick)(x > 87, zero - 87, -x);
		y = NAME(pick)(y > 87, zero + 87, y);
		p = NAME(exp_less1)(y, &scale);
		return 1 / (1 + scale + scale * p);
	case PANEL_RELU: // a NaN is not below zero
		return NAME(pick)(x < zero, zero, x);
	}
	return x;
}

// load and store treat n values where a vector has more.
INLINE vec NAME(load)(const float *p, long n) {
	if (n >= LANES) return *(const vec *)p;
	return LOAD_SOME(p, n);
}

INLINE void NAME(store)(float *p, long n, vec x) {
	if (n >= LANES)
		*(vec *)p = x;
	else
		STORE_SOME(p, n, x);
}

// finish_as knows f and whether n is a multiple of LANES, so that nothing is decided within.
INLINE void NAME(finish_as)(const int f, const int whole, long m, long n, const float *sums, long ld, const float *bias, int accumulate, float *c, long ldc) {
	for (long i = 0; i < m; i++)
		for (long j = 0; j < n; j += LANES) {
			long left = whole ? LANES : n - j;
			vec x = NAME(load)(sums + i * ld + j, left);
			if (bias) x += NAME(load)(bias + j, left);
			if (accumulate) x += NAME(load)(c + i * ldc + j, left);
			NAME(store)(c + i * ldc + j, left, NAME(activate)(f, x));
		}
}

// finish is c[m][n] = f(sums + bias) or, for accumulate, c += sums.
static TARGET void NAME(finish)(int f, long m, long n, const float *sums, long ld, const float *bias, int accumulate, float *c, long ldc) {
#define FINISH(f) \
	case f: \
		if (n % LANES) NAME(finish_as)(f, 0, m, n, sums, ld, bias, accumulate, c, ldc); \
		else NAME(finish_as)(f, 1, m, n, sums, ld, bias, accumulate, c, ldc); \
		break;
	switch (f) { FINISH(PANEL_IDENTITY) FINISH(PANEL_TANH) FINISH(PANEL_SIGMOID) FINISH(PANEL_RELU) }
#undef FINISH
}

// tile is sums[rows][WIDTH] = a'·panel, the panel of vecs vectors. With the constants known the
// compiler unrolls all but the loop over k and keeps the sums in registers.
INLINE void NAME(tile)(const int rows, const int vecs, const int transposed, long k, const float *a, long lda, const float *panel, float *sums) {
	vec s[12][2];
#pragma GCC unroll 12
	for (int r = 0; r < rows; r++) s[r][0] = s[r][1] = (vec){0};
	for (long l = 0; l < k; l++, panel += vecs * LANES) {
		vec b0 = *(const vec *)panel, b1 = *(const vec *)(panel + (vecs - 1) * LANES);
#pragma GCC unroll 12
		for (int r = 0; r < rows; r++) {
			float x = transposed ? a[l * lda + r] : a[r * lda + l];
			s[r][0] += x * b0;
			if (vecs == 2) s[r][1] += x * b1;
		}
	}
#pragma GCC unroll 12
	for (int r = 0; r < rows; r++) {
		*(vec *)(sums + r * WIDTH) = s[r][0];
		if (vecs == 2) *(vec *)(sums + r * WIDTH + LANES) = s[r][1];
	}
}

INLINE void NAME(tile_of)(const int vecs, const int transposed, long rows, long k, const float *a, long lda, const float *panel, float *sums) {
#define TILE(n) case n: if (n <= ROWS) NAME(tile)(n, vecs, transposed, k, a, lda, panel, sums); break;
	switch (rows) { TILE(1) TILE(2) TILE(3) TILE(4) TILE(5) TILE(6) TILE(7) TILE(8) TILE(9) TILE(10) TILE(11) TILE(12) }
#undef TILE
}

static TARGET void NAME(product)(int order, long m, long n, long k, const float *a, long lda, const float *panels,
	const float *bias, int f, int accumulate, float *c, long ldc) {
	float sums[ROWS * WIDTH] __attribute__((aligned(64)));
	long tiles = (m + ROWS - 1) / ROWS;
	for (long j = 0; j < n; j += WIDTH) {
		const float *panel = panels + j * k;
		long cols = n - j < WIDTH ? n - j : WIDTH;
		for (long t = 0; t < tiles; t++) {
			long i = m * t / tiles, rows = m * (t + 1) / tiles - i, ld = lda;
			const float *left = order == PANEL_COLUMNS ? a + i : a + i * lda;
			if (order == PANEL_TILES) {
				i = t * ROWS;
				rows = m - i < ROWS ? m - i : ROWS;
				left = a + i * k;
				ld = ROWS;
			}
			float *out = c + i * ldc + j;
			for (long r = 0; r < rows; r++) { // so that nothing waits for it at the end
				__builtin_prefetch(out + r * ldc, 1);
				__builtin_prefetch(out + r * ldc + cols - 1, 1);
			}
			if (cols > LANES)
				if (order == PANEL_ROWS) NAME(tile_of)(2, 0, rows, k, left, ld, panel, sums);
				else NAME(tile_of)(2, 1, rows, k, left, ld, panel, sums);
			else
				if (order == PANEL_ROWS) NAME(tile_of)(1, 0, rows, k, left, ld, panel, sums);
				else NAME(tile_of)(1, 1, rows, k, left, ld, panel, sums);
			NAME(finish)(f, rows, cols, sums, WIDTH, bias ? bias + j : 0, accumulate, out, ldc);
		}
	}
}

// pack_rows packs steps of b[k][n], pack_columns one panel of b[n][k].
static TARGET void NAME(pack_rows)(long k, long n, const float *b, long ld, long from, long to, float *out) {
	for (long l = from; l < to; l++)
		for (long j = 0; j < n; j += LANES) {
			long panel = j / WIDTH * WIDTH, vecs = n - panel > LANES ? 2 : 1;
			*(vec *)(out + panel * k + l * vecs * LANES + j - panel) = NAME(load)(b + l * ld + j, n - j);
		}
}

// turn is out[l][c] = b[c][l] for 8 of each.
static TARGET void NAME(turn)(const float *b, long ld, float *out, long width) {
	__m256 r[8], t[8];
	for (int i = 0; i < 8; i++) r[i] = _mm256_loadu_ps(b + i * ld);
	for (int i = 0; i < 8; i += 2) {
		t[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
		t[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
	}
	for (int i = 0; i < 8; i += 4)
		for (int h = 0; h < 2; h++) {
			r[i + 2 * h] = _mm256_shuffle_ps(t[i + h], t[i + h + 2], 0x44);
			r[i + 2 * h + 1] = _mm256_shuffle_ps(t[i + h], t[i + h + 2], 0xee);
		}
	for (int i = 0; i < 4; i++) {
		_mm256_storeu_ps(out + i * width, _mm256_permute2f128_ps(r[i], r[i + 4], 0x20));
		_mm256_storeu_ps(out + (i + 4) * width, _mm256_permute2f128_ps(r[i], r[i + 4], 0x31));
	}
}

static TARGET void NAME(pack_columns)(long k, long n, const float *b, long ld, long j, float *out) {
	long width = n - j > LANES ? WIDTH : LANES, lines = n - j < width ? n - j : width;
	out += j * k;
	b += j * ld;
	for (long c = 0; c < width; c += 8)
		for (long l = 0; l < k; l += 8) {
			if (lines - c >= 8 && k - l >= 8) {
				NAME(turn)(b + c * ld + l, ld, out + l * width + c, width);
				continue;
			}
			for (long i = c; i < c + 8; i++)
				for (long s = l; s < l + 8 && s < k; s++) out[s * width + i] = i < lines ? b[i * ld + s] : 0;
		}
}

// tiles packs the tiles from to to-1 of the transposed of a[k][m].
static TARGET void NAME(tiles)(long m, long k, const float *a, long lda, long from, long to, float *out) {
	for (long i = from * ROWS; i < m && i < to * ROWS; i += ROWS)
		for (long l = 0; l < k; l++) // more than ROWS, which the next step writes anew
			NAME(store)(out + i * k + l * ROWS, l < k - 1 ? LANES : ROWS, NAME(load)(a + l * lda + i, m - i));
}

static TARGET void NAME(pack)(int transposed, long k, long n, const float *b, long ld, long from, long to, float *out) {
	if (!transposed) NAME(pack_rows)(k, n, b, ld, from, to, out);
	else
		for (long p = from; p < to; p++) NAME(pack_columns)(k, n, b, ld, p * WIDTH, out);
}

#include "row_kernel.h"

#undef vec
#undef bits
#undef WIDTH
#undef INLINE
#undef LOG2E
#undef LN2_HI
#undef LN2_LO
#undef ROUND_N
