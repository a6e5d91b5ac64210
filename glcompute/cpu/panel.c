//go:build openblas && amd64

#include "panel.h"

#include <immintrin.h>

// Rows of a tile: with two vectors of sums for each, two of the panel and one factor of a, they
// fit into the 32 registers of AVX-512 or the 16 of AVX2.
#define LANES 16
#define ROWS PANEL_TILE_16
#define NAME(x) x##_avx512
#define TARGET __attribute__((target("avx512f,fma")))
#define LOAD_SOME(p, n) (vec)_mm512_maskz_loadu_ps((1u << (n)) - 1, p)
#define STORE_SOME(p, n, x) _mm512_mask_storeu_ps(p, (1u << (n)) - 1, (__m512)(x))
#include "panel_kernel.h"
#undef LANES
#undef ROWS
#undef NAME
#undef TARGET
#undef LOAD_SOME
#undef STORE_SOME

#define LANES 8
#define ROWS PANEL_TILE_8
#define NAME(x) x##_avx2
#define TARGET __attribute__((target("avx2,fma")))
#define BELOW(n) (__m256i)((bits){0, 1, 2, 3, 4, 5, 6, 7} < (int)(n))
#define LOAD_SOME(p, n) (vec)_mm256_maskload_ps(p, BELOW(n))
#define STORE_SOME(p, n, x) _mm256_maskstore_ps(p, BELOW(n), (__m256)(x))
#include "panel_kernel.h"

void panel_pack(int lanes, int transposed, long k, long n, const float *b, long ld, long from, long to, float *out) {
	(lanes == 16 ? pack_avx512 : pack_avx2)(transposed, k, n, b, ld, from, to, out);
}

void panel_tiles(int lanes, long m, long k, const float *a, long lda, long from, long to, float *out) {
	(lanes == 16 ? tiles_avx512 : tiles_avx2)(m, k, a, lda, from, to, out);
}

void panel_product(int lanes, int order, long m, long n, long k, const float *a, long lda, const float *panels,
	const float *bias, int f, int accumulate, float *c, long ldc) {
	(lanes == 16 ? product_avx512 : product_avx2)(order, m, n, k, a, lda, panels, bias, f, accumulate, c, ldc);
}

void panel_row(int lanes, long n, long k, const float *a, const float *b, long ldb, const float *bias, int f, int accumulate, float *sums, float *c) {
	(lanes == 16 ? row_avx512 : row_avx2)(n, k, a, b, ldb, bias, f, accumulate, sums, c);
}

void panel_activate(int lanes, int f, long n, const float *x, float *out) {
	(lanes == 16 ? finish_avx512 : finish_avx2)(f, 1, n, x, n, 0, 0, out, n);
}
