// What reads images through tables, for vectors of LANES float32. Positions are in rows and channels in columns.

// gather writes up to a vector too much of each run, which the next overwrites.
FUNCTION NAME(gather)(whole runs, whole channels, const int32_t *run, const float *image, whole ld, float *out) {
	for (const int32_t *end = run + 2 * runs; run < end; run += 2) {
		whole n = run[1] * channels;
		if (run[0] < 0) NAME(fill)(out, n, 0);
		else NAME(copy)(out, image + run[0] * ld, n);
		out += n;
	}
}

// pool_some knows the kind, whether only values that match count, and whether the place of the largest is asked for.
INLINE void NAME(pool_some)(const int kind, const int matched, const int placed, whole positions, whole taps, whole channels,
	const int32_t *table, const float *image, const float *match, float *out, float *index) {
	const vec zero = {0};
	float sign = kind == REDUCE_MIN ? -1 : 1;
	for (whole p = 0; p < positions; p++, table += taps)
		for (whole c = 0; c < channels; c += LANES) {
			whole left = channels - c, seen = 0;
			vec v = zero, at = zero - 1;
			for (whole t = 0; t < taps; t++) {
				if (table[t] < 0) continue;
				vec x = *(const vec *)(image + table[t] * channels + c);
				if (matched) x = pick(*(const vec *)(match + table[t] * channels + c) == zero + (float)t, x, zero);
				if (kind == REDUCE_SUM) v += x;
				else if (seen++ == 0) {
					v = sign * x;
					at = zero + (float)t;
				} else if (placed) NAME(larger)(&v, &at, sign * x, zero + (float)t);
				else v = MORE(sign * x, v);
			}
			store(out + p * channels + c, left, sign * v);
			if (placed) store(index + p * channels + c, left, at);
		}
}

FUNCTION NAME(pool)(int kind, whole positions, whole taps, whole channels, const int32_t *table, const float *image,
	const float *match, float *out, float *index) {
#define POOL(kind, matched, placed) NAME(pool_some)(kind, matched, placed, positions, taps, channels, table, image, match, out, index)
	if (match) POOL(REDUCE_SUM, 1, 0);
	else if (kind == REDUCE_SUM) POOL(REDUCE_SUM, 0, 0);
	else if (kind == REDUCE_MAX && !index) POOL(REDUCE_MAX, 0, 0);
	else POOL(kind, 0, !!index);
#undef POOL
}

FUNCTION NAME(depthwise)(whole positions, whole taps, whole channels, const int32_t *table, const float *image, const float *w, float *out) {
	for (whole p = 0; p < positions; p++, table += taps)
		for (whole c = 0; c < channels; c += LANES) {
			vec s = {0};
			for (whole t = 0; t < taps; t++)
				if (table[t] >= 0) s += *(const vec *)(image + table[t] * channels + c) * *(const vec *)(w + t * channels + c);
			store(out + p * channels + c, channels - c, s);
		}
}

FUNCTION NAME(depthwise_filter)(whole positions, whole taps, whole channels, const int32_t *table, const float *image, const float *d, float *w) {
	for (whole t = 0; t < taps; t++)
		for (whole c = 0; c < channels; c += LANES) {
			vec s = *(const vec *)(w + t * channels + c);
			for (whole p = 0; p < positions; p++) {
				whole q = table[p * taps + t];
				if (q >= 0) s += *(const vec *)(image + q * channels + c) * *(const vec *)(d + p * channels + c);
			}
			store(w + t * channels + c, channels - c, s);
		}
}
