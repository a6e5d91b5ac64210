// Products of panels for vectors of LANES float32.

#define WIDTH (2 * LANES)

// tile is c[rows][n] = Σ a'·panel, of vecs vectors, added to c unless it begins. With the constants known the compiler
// unrolls all but the loops over k and keeps the sums in registers. Of images, row r0 is the first.
INLINE void NAME(tile)(const int rows, const int vecs, const int left, const int distance, int begin, whole n, whole k,
	const float *a, whole lda, const images *seen, whole r0, const float *panel, float *c, whole ldc) {
	vec s[12][2];
	const float *image[12], *x[12];
	const int32_t *places[12];
	whole segments = left == LEFT_IMAGES ? seen->segments : 1, length = left == LEFT_IMAGES ? seen->length : k;
	if (left == LEFT_IMAGES) {
		whole position = r0 % seen->positions;
		a += r0 / seen->positions * seen->size;
#pragma GCC unroll 12
		for (int r = 0; r < rows; r++) {
			image[r] = a;
			places[r] = (const int32_t *)seen->places + position * segments;
			if (++position == seen->positions) {
				position = 0;
				a += seen->size;
			}
		}
	}
#pragma GCC unroll 12
	for (int r = 0; r < rows; r++)
#pragma GCC unroll 2
		for (int v = 0; v < vecs; v++) s[r][v] = begin ? (vec){0} : load(c + r * ldc + v * LANES, n - v * LANES);
	for (whole segment = 0; segment < segments; segment++) {
#pragma GCC unroll 12
		for (int r = 0; r < rows && left == LEFT_IMAGES; r++) {
			int32_t place = places[r][segment];
			x[r] = place < 0 ? (const float *)seen->zeros : image[r] + place;
		}
		for (whole l = 0; l < length; l++, panel += vecs * LANES) {
			vec b[2] = {*(const vec *)panel, *(const vec *)(panel + (vecs - 1) * LANES)};
#pragma GCC unroll 12
			for (int r = 0; r < rows; r++) {
				float y = left == LEFT_IMAGES ? x[r][l] : left == LEFT_ROWS ? a[r * lda + l] : left == LEFT_TILES ? a[l * ROWS + r] : a[l * lda + r];
#pragma GCC unroll 2
				for (int v = 0; v < vecs; v++)
					if (distance) {
						vec d = y - b[v];
						s[r][v] += d * d;
					} else s[r][v] += y * b[v];
			}
		}
	}
#pragma GCC unroll 12
	for (int r = 0; r < rows; r++)
#pragma GCC unroll 2
		for (int v = 0; v < vecs; v++) store(c + r * ldc + v * LANES, n - v * LANES, s[r][v]);
}

// tile_of_1 and tile_of_2 know how many rows a tile has, and its vectors.
#define TILES(vecs) \
	FUNCTION NAME(tile_of_##vecs)(int rows, int left, int distance, int begin, whole n, whole k, \
		const float *a, whole lda, const images *seen, whole r0, const float *panel, float *c, whole ldc) { \
		switch (rows) { TILE(1, vecs) TILE(2, vecs) TILE(3, vecs) TILE(4, vecs) TILE(5, vecs) TILE(6, vecs) \
			TILE(7, vecs) TILE(8, vecs) TILE(9, vecs) TILE(10, vecs) TILE(11, vecs) TILE(12, vecs) } \
	}
#define TILE(r, vecs) \
	case r: \
		if (r > ROWS) break; \
		if (distance) NAME(tile)(r, vecs, LEFT_ROWS, 1, begin, n, k, a, lda, seen, r0, panel, c, ldc); \
		else if (left == LEFT_ROWS) NAME(tile)(r, vecs, LEFT_ROWS, 0, begin, n, k, a, lda, seen, r0, panel, c, ldc); \
		else if (left == LEFT_TILES) NAME(tile)(r, vecs, LEFT_TILES, 0, begin, n, k, a, lda, seen, r0, panel, c, ldc); \
		else if (left == LEFT_IMAGES) NAME(tile)(r, vecs, LEFT_IMAGES, 0, begin, n, k, a, lda, seen, r0, panel, c, ldc); \
		else NAME(tile)(r, vecs, LEFT_COLUMNS, 0, begin, n, k, a, lda, seen, r0, panel, c, ldc); \
		break;
TILES(1)
TILES(2)
#undef TILES
#undef TILE

// BLOCK rows of sums, whole tiles, wait in the first cache for the formula.
#define BLOCK 120

FUNCTION NAME(multiply)(int left, int distance, int accumulate, whole m, whole n, whole k, const float *a, whole lda,
	const images *seen, const float *panels, float *c, whole ldc, const formula *f, whole r0, whole c0) {
	float sums[BLOCK * WIDTH + READ_BEYOND] __attribute__((aligned(64)));
	whole step = f ? BLOCK : m;
	for (whole j = 0; j < n; j += WIDTH) {
		whole cols = n - j < WIDTH ? n - j : WIDTH;
		for (whole first = 0; first < m; first += step) {
			whole rows = m - first < step ? m - first : step, tiles = (rows + ROWS - 1) / ROWS;
			for (whole t = 0; t < tiles; t++) {
				whole i = rows * t / tiles, count = rows * (t + 1) / tiles - i;
				if (left == LEFT_TILES) {
					i = t * ROWS;
					count = rows - i < ROWS ? rows - i : ROWS;
				}
				float *out = f ? sums + i * WIDTH : c + (first + i) * ldc + j;
				for (whole r = 0; r < count && !f; r++) { // so that nothing waits for it at the end
					__builtin_prefetch(out + r * ldc, 1);
					__builtin_prefetch(out + r * ldc + cols - 1, 1);
				}
				if (f) NAME(expect)(f, r0 + first + i, count, c0 + j, cols);
				const float *x = a + (first + i) * (left == LEFT_ROWS ? lda : left == LEFT_TILES ? k : left == LEFT_COLUMNS);
				(cols > LANES ? NAME(tile_of_2) : NAME(tile_of_1))
					(count, left, distance, !accumulate, cols, k, x, lda, seen, r0 + first + i, panels + j * k, out, f ? WIDTH : ldc);
			}
			if (f) NAME(formula)(f, r0 + first, r0 + first + rows, c0 + j, c0 + j + cols, sums, WIDTH);
		}
	}
}

#undef BLOCK

// panel_rows packs steps of b[steps][n], panel_columns one panel of b[n][steps].
FUNCTION NAME(panel_rows)(whole k, whole first, whole n, const float *b, whole ld, whole from, whole to, float *out) {
	for (whole l = from; l < to; l++)
		for (whole j = 0; j < n; j += LANES) {
			whole panel = j / WIDTH * WIDTH, vecs = n - panel > LANES ? 2 : 1;
			*(vec *)(out + panel * k + (first + l) * vecs * LANES + j - panel) = load(b + l * ld + j, n - j);
		}
}

// turn is out[l][c] = b[c][l] for 8 of each.
INLINE void NAME(turn)(const float *b, whole ld, float *out, whole width) {
#if LANES >= 8
	__m256 r[8], t[8];
	for (int i = 0; i < 8; i++) r[i] = _mm256_loadu_ps(b + i * ld);
	for (int i = 0; i < 8; i += 2) {
		t[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
		t[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
	}
	for (int i = 0; i < 8; i += 4)
		for (int h = 0; h < 2; h++) {
			r[i + 2 * h] = _mm256_shuffle_ps(t[i + h], t[i + h + 2], 0x44);
			r[i + 2 * h + 1] = _mm256_shuffle_ps(t[i + h], t[i + h + 2], 0xee);
		}
	for (int i = 0; i < 4; i++) {
		_mm256_storeu_ps(out + i * width, _mm256_permute2f128_ps(r[i], r[i + 4], 0x20));
		_mm256_storeu_ps(out + (i + 4) * width, _mm256_permute2f128_ps(r[i], r[i + 4], 0x31));
	}
#else
	for (int i = 0; i < 8; i++)
		for (int l = 0; l < 8; l++) out[l * width + i] = b[i * ld + l];
#endif
}

FUNCTION NAME(panel_columns)(whole k, whole first, whole steps, whole n, const float *b, whole ld, whole j, float *out) {
	whole width = n - j > LANES ? WIDTH : LANES, lines = n - j < width ? n - j : width;
	out += j * k + first * width;
	b += j * ld;
	for (whole c = 0; c < width; c += 8)
		for (whole l = 0; l < steps; l += 8) {
			if (lines - c >= 8 && steps - l >= 8) {
				NAME(turn)(b + c * ld + l, ld, out + l * width + c, width);
				continue;
			}
			for (whole i = c; i < c + 8 && i < width; i++)
				for (whole s = l; s < l + 8 && s < steps; s++) out[s * width + i] = i < lines ? b[i * ld + s] : 0;
		}
}

FUNCTION NAME(pack_panels)(int transposed, whole k, whole first, whole steps, whole n, const float *b, whole ld, whole from, whole to, float *out) {
	if (!transposed) NAME(panel_rows)(k, first, n, b, ld, from, to, out);
	else
		for (whole p = from; p < to; p++) NAME(panel_columns)(k, first, steps, n, b, ld, p * WIDTH, out);
}

FUNCTION NAME(pack_tiles)(whole m, whole k, const float *a, whole lda, whole from, whole to, float *out) {
	for (whole i = from * ROWS; i < m && i < to * ROWS; i += ROWS)
		for (whole l = 0; l < k; l++) {
			float *o = out + i * k + l * ROWS; // a vector may be more than ROWS, which the next step writes anew
			if (LANES < ROWS) store(o + LANES, ROWS - LANES, load(a + l * lda + i + LANES, m - i < LANES ? 0 : m - i - LANES));
			store(o, LANES < ROWS || l < k - 1 ? LANES : ROWS, load(a + l * lda + i, m - i));
		}
}

#undef WIDTH
