// panel_row for vectors of LANES float32, the last part of panel_kernel.h. The matrix is read once,
// so the memory takes the time: STEPS of its rows at once, from beginning to end.

#define STEPS 8

// row_steps adds count steps of the product to the sums, or begins them.
INLINE void NAME(row_steps)(const int count, int begin, const long *steps, long n, const float *a, const float *b, long ldb, float *sums) {
	const float *rows[STEPS];
	float x[STEPS];
#pragma GCC unroll 8
	for (int r = 0; r < count; r++) {
		rows[r] = b + steps[r] * ldb;
		x[r] = a[steps[r]];
	}
	for (long j = 0; j < n; j += LANES) {
		vec s = {0};
		if (!begin) s = NAME(load)(sums + j, n - j);
#pragma GCC unroll 8
		for (int r = 0; r < count; r++) s += x[r] * NAME(load)(rows[r] + j, n - j);
		NAME(store)(sums + j, n - j, s);
	}
}

// row_wide goes along the rows of b, with the sums in the first cache.
static TARGET void NAME(row_wide)(long n, long k, const float *a, const float *b, long ldb, float *sums) {
	long steps[STEPS];
	int count = 0, begin = 1;
	for (long l = 0; l < k; l++) {
		steps[count] = l;
		count += a[l] != 0;
		if (count == STEPS) {
			NAME(row_steps)(STEPS, begin, steps, n, a, b, ldb, sums);
			count = begin = 0;
		}
	}
	for (int r = 0; r < count; r++, begin = 0) NAME(row_steps)(1, begin, steps + r, n, a, b, ldb, sums);
	if (begin)
		for (long j = 0; j < n; j += LANES) NAME(store)(sums + j, n - j, (vec){0});
}

// row_narrow keeps the sums of n <= LANES columns in a register; leaving out zeros would not pay.
static TARGET void NAME(row_narrow)(long n, long k, const float *a, const float *b, long ldb, float *sums) {
	vec s = {0};
	for (long l = 0; l < k; l++) s += a[l] * NAME(load)(b + l * ldb, n);
	NAME(store)(sums, n, s);
}

static TARGET void NAME(row)(long n, long k, const float *a, const float *b, long ldb, const float *bias, int f, int accumulate, float *sums, float *c) {
	(n <= LANES ? NAME(row_narrow) : NAME(row_wide))(n, k, a, b, ldb, sums);
	NAME(finish)(f, 1, n, sums, n, bias, accumulate, c, n);
}

#undef STEPS
