// A row of Out for each of so many rows holds the number of the first entry of the Index that names it, and one for each
// entry, after these, that of the next entry of the same name; -1 where there is none.
#define HAS_LOOP
#include "frame.glsl"

uniform int rows;

// after is the first entry from number i on that names a row.
float after(int i, float row) {
	for (int quad = i / 4; quad < Index_stride; quad++) {
		vec4 names = Index_in(0, quad);
		for (int n = 0; n < 4; n++) {
			int at = 4 * quad + n;
			if (at >= i && at < Index_cols && names[n] == row) {
				return float(at);
			}
		}
	}
	return -1.0;
}

vec4 texel(int i, int unused) {
	int entry = i - rows;
	float next = entry < 0 ? after(0, float(i)) : after(entry + 1, Index_in(0, entry / 4)[entry % 4]);
	return vec4(next, 0.0, 0.0, 0.0);
}
