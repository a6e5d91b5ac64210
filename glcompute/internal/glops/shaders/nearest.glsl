// The nearest of a row's own class and of all others: the texel (value, value, column, column). In the
// first pass D is what is searched, and part p of a row takes its texels p, p + P, p + 2P, ..., P being
// the number of texels of a row of Out; else it is what such parts have found.
#define HAS_LOOP
#include "frame.glsl"

// nearer tells whether the value v in the column at comes before what is held: a smaller one, of equal ones the first,
// and one that is no number before all.
bool nearer(float v, float at, vec2 held) {
	if (isnan(v) || isnan(held.x)) {
		return isnan(v) && (!isnan(held.x) || at < held.y);
	}
	return at >= 0.0 && (v < held.x || v == held.x && at < held.y);
}

vec4 search(int row, int first, int step) {
	vec2 own = vec2(FARTHEST, -1.0), other = vec2(FARTHEST, -1.0);
	int start = D_row(row);
#if FIRST
	float given = Class_in(0, row / 4)[row % 4];
	int begin = given >= 0.0 && given * float(PER_CLASS) < float(D_cols) ? int(given) * PER_CLASS : -PER_CLASS;
	for (int quad = first; quad < D_stride; quad += step) {
		vec4 v = D_in(start, quad);
		for (int n = 0; n < 4; n++) {
			int at = 4 * quad + n;
			bool mine = at >= begin && at < begin + PER_CLASS;
			if (at < D_cols && nearer(v[n], float(at), mine ? own : other)) {
				own = mine ? vec2(v[n], at) : own;
				other = mine ? other : vec2(v[n], at);
			}
		}
	}
#else
	for (int quad = first; quad < D_stride; quad += step) {
		vec4 v = D_in(start, quad);
		own = nearer(v.x, v.z, own) ? v.xz : own;
		other = nearer(v.y, v.w, other) ? v.yw : other;
	}
#endif
	return vec4(own.x, other.x, own.y, other.y);
}

vec4 texel(int row, int quad) {
#if LAST
	return search(row, 0, 1);
#else
	return search(row, quad, Out_stride);
#endif
}
