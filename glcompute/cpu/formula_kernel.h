// run_formula for vectors of LANES float32.

// step computes rows of w values each, which in out lie ld apart, and up to a vector more of the last.
FUNCTION NAME(step)(const formula_step *s, const float **reg, float *out, whole rows, whole w, whole ld) {
	const float *a = reg[s->a], *b = reg[s->b], *c = reg[s->c];
	const vec zero = {0};
#define EACH(e) \
	for (; rows > 0; rows--, a += w, b += w, c += w, out += ld) \
		for (whole i = 0; i < w; i += LANES) { \
			vec x = *(const vec *)(a + i); \
			*(vec *)(out + i) = e; \
		} \
	break;
#define Y (*(const vec *)(b + i))
#define Z (*(const vec *)(c + i))
	switch (s->op) {
	case ADD: EACH(x + Y)
	case SUB: EACH(x - Y)
	case MUL: EACH(x * Y)
	case DIV: EACH(x / Y)
	case MAX: EACH(pick(Y != Y, Y, MORE(Y, x))) // a NaN stays one
	case MIN: EACH(pick((x > Y) | (Y != Y), Y, x))
	case EXP: EACH(NAME(exponential)(x))
	case LOG: EACH(NAME(logarithm)(x))
	case SQRT: EACH(ROOT(x))
	case TANH: EACH(NAME(tanh)(x))
	case SIGMOID: EACH(NAME(sigmoid)(x))
	case SELECT: EACH(pick(x > zero, Y, Z))
	case MUL_ADD: EACH(x * Y + Z)
	case SUB_MUL: EACH(Z - x * Y)
	case ADD_MAX: EACH(pick(Z != Z, Z, MORE(Z, x + Y)))
	}
#undef EACH
#undef Y
#undef Z
}

INLINE void NAME(fill)(float *out, whole n, float x) {
	for (whole i = 0; i < n; i += LANES) *(vec *)(out + i) = (vec){0} + x;
}

// copy writes up to a vector more than n values, copy_exactly does not.
INLINE void NAME(copy)(float *out, const float *x, whole n) {
	for (whole i = 0; i < n; i += LANES) *(vec *)(out + i) = *(const vec *)(x + i);
}

INLINE void NAME(copy_exactly)(float *out, const float *x, whole n) {
	for (whole i = 0; i < n; i += LANES) store(out + i, n - i, *(const vec *)(x + i));
}

// operand brings that of rows rows and w columns at [r][c] into its register.
INLINE const float *NAME(operand)(const formula_operand *o, float *room, whole r, whole c, whole rows, whole w) {
	const float *x = (const float *)o->data;
	switch (o->spread) {
	case SPREAD_NONE:
		x += r * o->ld + c;
		if (rows == 1 || w == o->ld) return x;
		for (whole i = 0; i < rows; i++) NAME(copy)(room + i * w, x + i * o->ld, w);
		break;
	case SPREAD_ROW:
		if (rows == 1) return x + c;
		for (whole i = 0; i < rows; i++) NAME(copy)(room + i * w, x + c, w);
		break;
	case SPREAD_COLUMN:
		for (whole i = 0; i < rows; i++) NAME(fill)(room + i * w, w, x[r + i]);
	}
	return room;
}

// A strip is some rows and columns of what a formula is computed for.
typedef struct {
	whole r, c, rows, w;
} NAME(strip);

// strips calls use for every strip, row after row, with the values of the first result; where there is no use it stores
// the results.
INLINE void NAME(strips)(const formula *f, whole r0, whole r1, whole c0, whole c1, const float *sums, whole ld,
	void (*use)(const NAME(strip) * s, const float *x, void *to), void *to) {
	float rooms[f->registers][FORMULA_STRIP + LANES] __attribute__((aligned(64)));
	const float *reg[f->registers];
	const formula_operand *operand = (const formula_operand *)f->operand;
	const formula_step *step = (const formula_step *)f->step;
	const formula_result *result = (const formula_result *)f->result;
	whole width = c1 - c0, most = width < FORMULA_STRIP ? FORMULA_STRIP / width : 1;
	if (most > r1 - r0) most = r1 - r0;
	whole values = most * width < FORMULA_STRIP ? most * width : FORMULA_STRIP;
	for (whole i = 0; i < f->registers; i++) reg[i] = rooms[i];
	for (whole i = 0; i < f->operands; i++)
		if (operand[i].spread == SPREAD_VALUE) NAME(fill)(rooms[i], values, *(const float *)operand[i].data);
		else if (operand[i].spread == SPREAD_ROW && most > 1) NAME(operand)(&operand[i], rooms[i], 0, c0, most, width);
	for (whole i = 0; i < f->constants; i++) NAME(fill)(rooms[f->operands + i], values, ((const float *)f->constant)[i]);
	for (whole i = 0; i < f->once; i++) NAME(step)(&step[i], reg, rooms[step[i].out], 1, values, 0);
	for (whole r = r0; r < r1; r += most)
		for (whole c = c0; c < c1; c += FORMULA_STRIP) {
			NAME(strip) s = {r, c, r1 - r < most ? r1 - r : most, c1 - c < FORMULA_STRIP ? c1 - c : FORMULA_STRIP};
			for (whole i = 0; i < f->operands; i++) {
				const formula_operand *o = &operand[i];
				formula_operand before = {(uintptr_t)sums, ld, SPREAD_NONE};
				if (o->spread == SPREAD_SUMS)
					reg[i] = NAME(operand)(&before, rooms[i], r - r0, c - c0, s.rows, s.w);
				else if (o->spread != SPREAD_VALUE && (o->spread != SPREAD_ROW || most == 1))
					reg[i] = NAME(operand)(o, rooms[i], r, c, s.rows, s.w);
			}
			whole last = f->steps - 1;
			// The last step writes the only result itself, where that is whole vectors.
			int direct = !use && f->results == 1 && last >= f->once && result[0].from == step[last].out && s.w % LANES == 0;
			for (whole i = f->once; i < f->steps - direct; i++) NAME(step)(&step[i], reg, rooms[step[i].out], 1, s.rows * s.w, 0);
			if (direct) {
				NAME(step)(&step[last], reg, (float *)result[0].data + r * result[0].ld + c, s.rows, s.w, result[0].ld);
				continue;
			}
			if (use) {
				use(&s, reg[result[0].from], to);
				continue;
			}
			for (whole i = 0; i < f->results; i++) {
				float *out = (float *)result[i].data + r * result[i].ld + c;
				const float *x = reg[result[i].from];
				if (s.w == result[i].ld) NAME(copy_exactly)(out, x, s.rows * s.w);
				else
					for (whole k = 0; k < s.rows; k++) NAME(copy_exactly)(out + k * result[i].ld, x + k * s.w, s.w);
			}
		}
}

// expect asks for what the formula will read and write at rows of cols columns, which is up to two lines of the cache each.
INLINE void NAME(expect)(const formula *f, whole r, whole rows, whole c, whole cols) {
	const formula_operand *operand = (const formula_operand *)f->operand;
	const formula_result *result = (const formula_result *)f->result;
	for (whole i = 0; i < f->operands; i++) {
		const float *x = (const float *)operand[i].data + r * operand[i].ld + c;
		if (operand[i].spread != SPREAD_NONE) continue;
		for (whole k = 0; k < rows; k++, x += operand[i].ld) {
			__builtin_prefetch(x);
			__builtin_prefetch(x + cols - 1);
		}
	}
	for (whole i = 0; i < f->results; i++) {
		const float *y = (const float *)result[i].data + r * result[i].ld + c;
		for (whole k = 0; k < rows; k++, y += result[i].ld) {
			__builtin_prefetch(y, 1);
			__builtin_prefetch(y + cols - 1, 1);
		}
	}
}

FUNCTION NAME(formula)(const formula *f, whole r0, whole r1, whole c0, whole c1, const float *sums, whole ld) {
	NAME(strips)(f, r0, r1, c0, c1, sums, ld, 0, 0);
}
