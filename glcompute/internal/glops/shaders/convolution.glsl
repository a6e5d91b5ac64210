// A texel of a convolution of any geometry, a pixel at a time; turns are those of gathered.glsl. FORM is as in
// program.Form: 0 forward, 1 the gradient of the input, 2 that of the filters.
#define HAS_LOOP
#include "primitives.glsl"
#include "results.glsl"
#include "table.glsl"

uniform int positions, pixels; // of an image, in the rows of the result or of B, and in A
uniform int innerFrom, innerTo; // the turns that are summed
uniform int turnQuads, taps;
uniform int sources, channels; // of a group, in A and in the result
uniform int resultRows, resultCols;

float sourceOf(int row, int channel) { return A_at(row, channel >> 2)[channel & 3]; }

// seen is the value of A in its channel i of the group of each column.
vec4 seen(int row, int quad, int i) {
#if DEPTHWISE
	return A_at(row, quad);
#elif GROUPED
	ivec4 channel = min(4 * quad + ivec4(0, 1, 2, 3), ivec4(resultCols - 1)) / channels * sources + i;
	return vec4(sourceOf(row, channel.x), sourceOf(row, channel.y), sourceOf(row, channel.z), sourceOf(row, channel.w));
#else
	return vec4(sourceOf(row, i));
#endif
}

// filters are the values of B that a tap gives those, for the gradient of the input.
vec4 filters(int tap, int quad, int i) {
#if DEPTHWISE
	return B_at(tap, quad);
#else
	vec4 v;
#unroll j 4
	{
		int column = min(4 * quad + j, resultCols - 1), group = column / channels, at = group * sources + i;
		v[j] = B_at(tap * channels + column - group * channels, at >> 2)[at & 3];
	}
#end
	return v;
#endif
}

vec4 summed(int row, int quad) {
	vec4 sum = vec4(0.0);
#if FORM == 2
	int tap = row / sources, i = row - tap * sources;
	for (int n = innerFrom; n < innerTo; n++) {
		for (int q = 0; q < turnQuads; q++) {
			ivec4 entry = tableAt(tap, q);
#unroll j 4
			if (entry[j] >= 0) {
				sum += seen(n * pixels + entry[j], quad, i) * B_at(n * positions + 4 * q + j, quad);
			}
#end
		}
	}
#else
	int n = row / positions, p = row - n * positions;
	for (int tap = innerFrom * TURN_TAPS; tap < min(innerTo * TURN_TAPS, taps); tap++) {
		int at = tableAt(p, tap >> 2)[tap & 3];
		for (int i = 0; i < sources && at >= 0; i++) {
#if FORM == 0
			sum += seen(n * pixels + at, quad, i) * B_at(tap * sources + i, quad);
#else
			sum += seen(n * pixels + at, quad, i) * filters(tap, quad, i);
#endif
		}
	}
#endif
	return sum;
}

VALUE source(int row, int at) {
#if ACCUMULATE
	VALUE v = Old_value(Old_row(row), at);
#else
	VALUE v = VALUE(0.0);
#endif
#if COLUMN
	// A result of one column lies as a row.
	for (int n = 0; n < VALUES && VALUES * at + n < resultRows; n++) {
		LANE(v, n) += summed(VALUES * at + n, 0).x;
	}
#elif VALUES == 1
	v += summed(row, at / 4)[at % 4];
#else
	v += summed(row, at);
#endif
	return v;
}
