// Functions of a vector of LANES float32; those of math32.go, where their argument reduction is explained.

#define LOG2E 1.44269504088896340736f
#define LN2_HI 0.693359375f
#define LN2_LO -2.12194440054690582e-4f
#define ROUND_N 12582912.0f

// exp_less1 gives p and, in its low bits, the whole number n with e^x = 2^n + 2^n·p for |x| <= 104.
INLINE vec NAME(exp_less1)(vec x, bits *power) {
	vec shifted = x * LOG2E + ROUND_N;
	vec n = shifted - ROUND_N;
	vec r = x - n * LN2_HI - n * LN2_LO;
	*power = (bits)shifted;
	vec p = r * (1.0f / 5040) + 1.0f / 720;
	p = p * r + 1.0f / 120;
	p = p * r + 1.0f / 24;
	p = p * r + 1.0f / 6;
	p = p * r + 0.5f;
	return p * r * r + r;
}

// scale is 2^n for -126 <= n <= 127; higher bits of n do not count.
INLINE vec NAME(scale)(bits n) { return (vec)((n + 127) << 23); }

INLINE vec NAME(bounded)(vec x, float low, float high) {
	const vec zero = {0};
	x = pick(x < low, zero + low, x);
	return pick(x > high, zero + high, x);
}

// exponential is e^x, by two powers of two, so that neither leaves the range before the result does.
INLINE vec NAME(exponential)(vec x) {
	bits n;
	vec p = NAME(exp_less1)(NAME(bounded)(x, -104, 89), &n);
	n -= (bits)((vec){0} + ROUND_N);
	return (1 + p) * NAME(scale)(n >> 1) * NAME(scale)(n - (n >> 1));
}

INLINE vec NAME(tanh)(vec x) {
	bits n;
	vec y = -2 * (vec)((bits)x & 0x7fffffff);
	const vec lowest = (vec){0} - 40;
	vec p = NAME(exp_less1)(pick(y < lowest, lowest, y), &n), s = NAME(scale)(n);
	p = s * p + (s - 1);
	return (vec)((bits)(-p / (2 + p)) | ((bits)x & ~0x7fffffff));
}

INLINE vec NAME(sigmoid)(vec x) {
	bits n;
	vec p = NAME(exp_less1)(NAME(bounded)(-x, -87, 87), &n), s = NAME(scale)(n);
	return 1 / (1 + s + s * p);
}

// logarithm is ln x = n·ln 2 + ln m with √½ <= m < √2, of which ln m = 2·artanh s, s = (m-1)/(m+1), by its series
// up to s⁹; the next term is below 3e-10.
INLINE vec NAME(logarithm)(vec x) {
	const vec zero = {0};
	bits small = x < 1.17549435e-38f; // not normal: 2^24 times as large is
	vec y = pick(small, x * 16777216, x);
	bits n = (((bits)y - 0x3f3504f3) >> 23);
	vec m = (vec)((bits)y - (n << 23)), f = m - 1;
	vec s = f / (2 + f), z = s * s;
	vec p = z * (2.0f / 9) + 2.0f / 7;
	p = p * z + 2.0f / 5;
	p = p * z + 2.0f / 3;
	vec e = __builtin_convertvector(n, vec) - pick(small, zero + 24, zero);
	vec l = e * LN2_HI + (2 * s + (s * z * p + e * LN2_LO));
	l = pick(x == INFINITY, x, l);
	l = pick(x == 0, zero - INFINITY, l);
	return pick((x < 0) | (x != x), zero + NAN, l);
}

#undef LOG2E
#undef LN2_HI
#undef LN2_LO
#undef ROUND_N
