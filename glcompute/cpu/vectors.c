//go:build cgo

#include "vectors.h"

#include <math.h>

#define STEPS 8 // rows that weigh_rows takes at once

#if defined(__x86_64__)
#include <immintrin.h>

#define LANES 16
#define ROWS TILE_ROWS(16) // with two vectors of sums for each, two of the panel and a factor of a, they fit into 32 registers
#define NAME(x) x##_16
#define TARGET __attribute__((target("avx512f,fma")))
#define LOAD_SOME(p, n) (vec)_mm512_maskz_loadu_ps((1u << (n)) - 1, p)
#define STORE_SOME(p, n, x) _mm512_mask_storeu_ps(p, (1u << (n)) - 1, (__m512)(x))
#define ROOT(x) (vec)_mm512_sqrt_ps((__m512)(x))
#define MORE(x, y) (vec)_mm512_max_ps((__m512)(x), (__m512)(y))
#include "vector_kernel.h"

#define LANES 8
#define ROWS TILE_ROWS(8) // into 16
#define NAME(x) x##_8
#define TARGET __attribute__((target("avx2,fma")))
#define BELOW(n) (__m256i)((bits){0, 1, 2, 3, 4, 5, 6, 7} < (int)(n))
#define LOAD_SOME(p, n) (vec)_mm256_maskload_ps(p, BELOW(n))
#define STORE_SOME(p, n, x) _mm256_maskstore_ps(p, BELOW(n), (__m256)(x))
#define ROOT(x) (vec)_mm256_sqrt_ps((__m256)(x))
#define MORE(x, y) (vec)_mm256_max_ps((__m256)(x), (__m256)(y))
#include "vector_kernel.h"

#define CALL(name, ...) \
	switch (lanes) { \
	case 16: name##_16(__VA_ARGS__); break; \
	case 8: name##_8(__VA_ARGS__); break; \
	default: name##_4(__VA_ARGS__); \
	}
#else
#define CALL(name, ...) name##_4(__VA_ARGS__)
#endif

#define LANES 4
#define ROWS TILE_ROWS(4)
#define NAME(x) x##_4
#define TARGET
#define LOAD_SOME(p, n) load_some(p, n)
#define STORE_SOME(p, n, x) store_some(p, n, x)
#define ROOT(x) root(x)
#define MORE(x, y) pick(x > y, x, y)
#include "vector_kernel.h"

void run_formula(int lanes, const formula *f, whole r0, whole r1, whole c0, whole c1, const float *sums, whole ld) {
	CALL(formula, f, r0, r1, c0, c1, sums, ld);
}

void reduce_rows(int lanes, const formula *f, int kind, whole r0, whole r1, whole cols, float *out, float *index) {
	CALL(reduce_rows, f, kind, r0, r1, cols, out, index);
}

void reduce_columns(int lanes, const formula *f, int kind, whole r0, whole r1, whole c0, whole c1, float *out, float *index) {
	CALL(reduce_columns, f, kind, r0, r1, c0, c1, out, index);
}

void pack_panels(int lanes, int transposed, whole k, whole first, whole steps, whole n, const float *b, whole ld, whole from, whole to, float *out) {
	CALL(pack_panels, transposed, k, first, steps, n, b, ld, from, to, out);
}

void pack_tiles(int lanes, whole m, whole k, const float *a, whole lda, whole from, whole to, float *out) {
	CALL(pack_tiles, m, k, a, lda, from, to, out);
}

void multiply(int lanes, int left, int distance, int accumulate, whole m, whole n, whole k, const float *a, whole lda,
	const images *seen, const float *panels, float *c, whole ldc, const formula *f, whole r0, whole c0) {
	CALL(multiply, left, distance, accumulate, m, n, k, a, lda, seen, panels, c, ldc, f, r0, c0);
}

void weigh_rows(int lanes, whole n, whole count, const float *x, const float *order, const float *at, const float *b, whole ldb, float *out,
	const formula *f, whole r, whole c) {
	CALL(weigh_rows, n, count, x, order, at, b, ldb, out);
	if (f) CALL(formula, f, r, r + 1, c, c + n, out, n);
}

void dot_rows(int lanes, whole n, whole k, const float *a, const float *b, whole ldb, float *out) {
	CALL(dot_rows, n, k, a, b, ldb, out);
}

void gather(int lanes, whole runs, whole channels, const int32_t *run, const float *image, whole ld, float *out) {
	CALL(gather, runs, channels, run, image, ld, out);
}

void pool(int lanes, int kind, whole positions, whole taps, whole channels, const int32_t *table, const float *image,
	const float *match, float *out, float *index) {
	CALL(pool, kind, positions, taps, channels, table, image, match, out, index);
}

void depthwise(int lanes, whole positions, whole taps, whole channels, const int32_t *table, const float *image, const float *w, float *out) {
	CALL(depthwise, positions, taps, channels, table, image, w, out);
}

void depthwise_filter(int lanes, whole positions, whole taps, whole channels, const int32_t *table, const float *image, const float *d, float *w) {
	CALL(depthwise_filter, positions, taps, channels, table, image, d, w);
}

void relax(void) {
#if defined(__x86_64__)
	for (int i = 0; i < 4; i++) _mm_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}
