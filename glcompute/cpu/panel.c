//go:build openblas && amd64

#include "panel.h"

#include <string.h>

// Rows of a tile: with two vectors of sums for each, two of the panel and one factor of a, they
// fit into the 32 registers of AVX-512 or the 16 of AVX2.
#define LANES 16
#define ROWS 12
#define NAME(x) x##_avx512
#define TARGET __attribute__((target("avx512f,fma")))
#include "panel_kernel.h"
#undef LANES
#undef ROWS
#undef NAME
#undef TARGET

#define LANES 8
#define ROWS 6
#define NAME(x) x##_avx2
#define TARGET __attribute__((target("avx2,fma")))
#include "panel_kernel.h"

int panel_lanes(void) {
	if (__builtin_cpu_supports("avx512f")) return 16;
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 8 : 0;
}

void panel_pack(int lanes, int transposed, long k, long n, const float *b, long ld, long from, long to, float *out) {
	(lanes == 16 ? pack_avx512 : pack_avx2)(transposed, k, n, b, ld, from, to, out);
}

void panel_product(int lanes, int transposed, long m, long n, long k, const float *a, long lda, const float *panels,
	const float *bias, int f, int accumulate, float *c, long ldc) {
	(lanes == 16 ? product_avx512 : product_avx2)(transposed, m, n, k, a, lda, panels, bias, f, accumulate, c, ldc);
}

void panel_activate(int lanes, int f, long n, const float *x, float *out) {
	(lanes == 16 ? finish_avx512 : finish_avx2)(f, 1, n, x, n, 0, 0, out, n);
}
