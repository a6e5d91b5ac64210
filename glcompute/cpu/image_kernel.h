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

FUNCTION NAME(pool)(int kind, whole positions, whole taps, whole channels, const int32_t *table, const float *image,
	const float *match, float *out, float *index) {
	const vec zero = {0};
	float sign = kind == REDUCE_MIN ? -1 : 1;
	for (whole p = 0; p < positions; p++, table += taps)
		for (whole c = 0; c < channels; c += LANES) {
			whole left = channels - c, seen = 0;
			vec v = zero, at = zero - 1;
			for (whole t = 0; t < taps; t++) {
				if (table[t] < 0) continue;
				vec x = *(const vec *)(image + table[t] * channels + c);
				if (match) x = pick(*(const vec *)(match + table[t] * channels + c) == zero + (float)t, x, zero);
				if (kind == REDUCE_SUM) v += x;
				else if (seen++) NAME(larger)(&v, &at, sign * x, zero + (float)t);
				else {
					v = sign * x;
					at = zero + (float)t;
				}
			}
			store(out + p * channels + c, left, sign * v);
			if (index) store(index + p * channels + c, left, at);
		}
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
