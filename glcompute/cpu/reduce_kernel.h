// reduce_rows and reduce_columns for vectors of LANES float32.

typedef struct {
	int kind;
	whole r0, c0;
	float *out, *index;
} NAME(reduction);

// larger keeps in best and at the larger of it and x, whose place is i.
INLINE void NAME(larger)(vec *best, vec *at, vec x, vec i) {
	bits more = x > *best;
	*best = pick(more, x, *best);
	*at = pick(more, i, *at);
}

// reduce_row takes the part of a row from column c on.
FUNCTION NAME(reduce_row)(int kind, const float *x, whole c, whole w, float *out, float *index) {
	const vec zero = {0};
	if (kind == REDUCE_SUM) {
		vec sums = zero;
		for (whole j = 0; j < w; j += LANES) sums += load(x + j, w - j);
		float sum = c ? *out : 0;
		for (int l = 0; l < LANES; l++) sum += sums[l];
		*out = sum;
		return;
	}
	float sign = kind == REDUCE_MIN ? -1 : 1; // the smallest is the negative of the largest negative
	float most = sign * (c ? *out : x[0]), place = c && index ? *index : 0;
	vec best = zero + most, at = zero + place, lane = zero;
	for (int l = 0; l < LANES; l++) lane[l] = l;
	for (whole j = 0; j < w; j += LANES) {
		vec v = sign * load(x + j, w - j);
		if (w - j < LANES) v = pick(lane < (float)(w - j), v, best);
		NAME(larger)(&best, &at, v, lane + (float)(c + j));
	}
	for (int l = 0; l < LANES; l++)
		if (best[l] > most || (best[l] == most && at[l] < place)) {
			most = best[l];
			place = at[l];
		}
	*out = sign * most;
	if (index) *index = place;
}

FUNCTION NAME(use_rows)(const NAME(strip) * s, const float *x, void *to) {
	const NAME(reduction) *k = to;
	for (whole i = 0; i < s->rows; i++) {
		whole r = s->r - k->r0 + i;
		NAME(reduce_row)(k->kind, x + i * s->w, s->c, s->w, k->out + r, k->index ? k->index + r : 0);
	}
}

FUNCTION NAME(use_columns)(const NAME(strip) * s, const float *x, void *to) {
	const NAME(reduction) *k = to;
	const vec zero = {0};
	float sign = k->kind == REDUCE_MIN ? -1 : 1;
	for (whole i = 0; i < s->rows; i++, x += s->w)
		for (whole j = 0; j < s->w; j += LANES) {
			whole left = s->w - j, r = s->r + i;
			float *out = k->out + s->c - k->c0 + j, *index = k->index ? k->index + s->c - k->c0 + j : 0;
			vec v = load(x + j, left);
			if (r > k->r0) {
				vec before = load(out, left), at = zero;
				if (k->kind == REDUCE_SUM) v += before;
				else {
					vec best = sign * before;
					if (index) at = load(index, left);
					NAME(larger)(&best, &at, sign * v, zero + (float)r);
					v = sign * best;
					if (index) store(index, left, at);
				}
			} else if (index) store(index, left, zero + (float)r);
			store(out, left, v);
		}
}

FUNCTION NAME(reduce_rows)(const formula *f, int kind, whole r0, whole r1, whole cols, float *out, float *index) {
	NAME(reduction) k = {kind, r0, 0, out, index};
	NAME(strips)(f, r0, r1, 0, cols, 0, 0, NAME(use_rows), &k);
}

FUNCTION NAME(reduce_columns)(const formula *f, int kind, whole r0, whole r1, whole c0, whole c1, float *out, float *index) {
	NAME(reduction) k = {kind, r0, c0, out, index};
	NAME(strips)(f, r0, r1, c0, c1, 0, 0, NAME(use_columns), &k);
}
