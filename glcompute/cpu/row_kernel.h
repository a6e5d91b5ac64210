// weigh_rows and dot_rows for vectors of LANES float32.

// row_steps adds count rows, each times its factor, to out, or begins it.
INLINE void NAME(row_steps)(const int count, int begin, whole n, const float *factors, const float *const *from, float *out) {
	float x[STEPS];
	const float *rows[STEPS];
#pragma GCC unroll 8
	for (int r = 0; r < count; r++) {
		x[r] = factors[r];
		rows[r] = from[r];
	}
	for (whole j = 0; j < n; j += LANES) {
		vec s = {0};
		if (!begin) s = *(const vec *)(out + j);
#pragma GCC unroll 8
		for (int r = 0; r < count; r++) s += x[r] * *(const vec *)(rows[r] + j);
		store(out + j, n - j, s);
	}
}

// weigh_some reads every row once, so the memory takes the time: STEPS of them at once, from beginning to end,
// with the sums in the first cache. The compiler knows whether rows are numbered.
INLINE void NAME(weigh_some)(const int numbered, whole n, whole count, const float *x, const float *order, const float *at,
	const float *b, whole ldb, float *out) {
	float factors[STEPS];
	const float *rows[STEPS];
	int some = 0, begin = 1;
	for (whole l = 0; l < count; l++) {
		factors[some] = x[numbered && order ? (whole)order[l] : l];
		rows[some] = b + (numbered && at ? (whole)at[l] : l) * ldb;
		some += factors[some] != 0;
		if (some == STEPS) {
			NAME(row_steps)(STEPS, begin, n, factors, rows, out);
			some = begin = 0;
		}
	}
	for (int r = 0; r < some; r++, begin = 0) NAME(row_steps)(1, begin, n, factors + r, rows + r, out);
	if (begin) NAME(row_steps)(0, 1, n, factors, rows, out);
}

FUNCTION NAME(weigh_rows)(whole n, whole count, const float *x, const float *order, const float *at, const float *b, whole ldb, float *out) {
	if (order || at) NAME(weigh_some)(1, n, count, x, order, at, b, ldb, out);
	else if (n > LANES) NAME(weigh_some)(0, n, count, x, order, at, b, ldb, out);
	else { // leaving out zeros would not pay
		vec s = {0};
		for (whole l = 0; l < count; l++) s += x[l] * *(const vec *)(b + l * ldb);
		store(out, n, s);
	}
}

// dot_some is count of the sums, each in two vectors.
INLINE void NAME(dot_some)(const int count, whole k, const float *a, const float *b, whole ldb, float *out) {
	vec s[4][2];
#pragma GCC unroll 4
	for (int r = 0; r < count; r++) s[r][0] = s[r][1] = (vec){0};
	whole l = 0;
	for (; l + 2 * LANES <= k; l += 2 * LANES) {
		vec a0 = *(const vec *)(a + l), a1 = *(const vec *)(a + l + LANES);
#pragma GCC unroll 4
		for (int r = 0; r < count; r++) {
			s[r][0] += a0 * *(const vec *)(b + r * ldb + l);
			s[r][1] += a1 * *(const vec *)(b + r * ldb + l + LANES);
		}
	}
	for (; l < k; l += LANES)
		for (int r = 0; r < count; r++) s[r][0] += load(a + l, k - l) * load(b + r * ldb + l, k - l);
	for (int r = 0; r < count; r++) {
		vec both = s[r][0] + s[r][1];
		float sum = 0;
		for (int i = 0; i < LANES; i++) sum += both[i];
		out[r] = sum;
	}
}

FUNCTION NAME(dot_rows)(whole n, whole k, const float *a, const float *b, whole ldb, float *out) {
	whole j = 0;
	for (; j + 4 <= n; j += 4) NAME(dot_some)(4, k, a, b + j * ldb, ldb, out + j);
	for (; j < n; j++) NAME(dot_some)(1, k, a, b + j * ldb, ldb, out + j);
}
