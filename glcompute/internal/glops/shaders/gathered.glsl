// How a product reads its operands where A is the virtual image matrix of program.Gathered, which is never
// stored: the table holds what start addresses and offsets come to, for each position and tap the
// pixel that is seen, -1 where there is none. The inner length is walked along in turns:
//
//   of the gradient of filters (TRANS_A)  an image; in it texels of four positions, whose entries lie
//                                         side by side: the table has a row for each tap
//   of a single channel (TURN_TAPS 4)     four taps, which are one texel
//   of the others                         a tap; in it texels of four channels
#if GATHERED
#include "table.glsl"

uniform int positions, pixels; // of an image, in the rows of the result or of B, and in A
uniform int turnQuads;         // texels of the inner length of a turn
uniform int turnRows;          // rows of B of a turn
uniform int sources;           // channels of A
uniform int taps;

// llvmpipe reads a uniform lane by lane wherever it is used, so all are read before the loops.
int turnTexels, bApart, bLast, bStep, aStep, imageRows;
int bFirst; // the first row of B of this turn

#define innerAt(s) (inner + s)

int bRow(int k) { return min(bFirst + k, bLast) * bStep; }

// present is value, or zero where the entry of the table says that there is no pixel.
vec4 present(vec4 value, int entry) {
#if PADDED
	return mix(value, vec4(0.0), bvec4(entry < 0));
#else
	return value;
#endif
}

#if TRANS_A

int image;                          // the first row of A of this turn
ivec4 tap[GROUPS], channel[GROUPS]; // of four rows of the result; where WHOLE, x is the texel of all

void findRows(int row) {
	int last = taps * sources - 1, length = sources;
#unroll r GROUPS
	ivec4 k##r = min(4 * (row / 4 + r) + ivec4(0, 1, 2, 3), ivec4(last));
	tap[r] = k##r / length;
	channel[r] = k##r - tap[r] * length;
#if WHOLE
	channel[r] = channel[r] / 4;
#endif
#end
}

void turnTo(int n) {
	image = n * imageRows;
	bFirst = n * bApart;
}

// seenBy is what four rows of the result see from position number j of a texel of them.
vec4 seenBy(int r, int quad, int j) {
#if WHOLE
	int entry = tableAt(tap[r].x, quad)[j];
	return present(A_in((image + max(entry, 0)) * aStep, channel[r].x), entry);
#else
	vec4 v;
#unroll n 4
	int entry##n = tableAt(tap[r][n], quad)[j];
	v[n] = present(A_in((image + max(entry##n, 0)) * aStep, channel[r][n] >> 2), entry##n)[channel[r][n] & 3];
#end
	return v;
#endif
}

#else

int line[ROWS], image[ROWS]; // of each row: its row of the table, and the first of its image in A
#if TURN_TAPS == 1
int entry[ROWS], aRow[ROWS]; // of what the tap of this turn sees, and where that row of A begins
#else
ivec4 entry[ROWS]; // of what the taps of this turn see
#endif

void findRows(int row) {
	int length = positions, first = min(row, Out_rows - 1);
	int n = first / length, p = first - n * length, from = n * imageRows;
#unroll r ROWS
	line[r] = p;
	image[r] = from;
	if (row + r + 1 < Out_rows) {
		p++;
		if (p == length) {
			p = 0;
			from += imageRows;
		}
	}
#end
}

void turnTo(int turn) {
	bFirst = turn * bApart;
#unroll r ROWS
#if TURN_TAPS == 1
	entry[r] = tableAt(line[r], turn >> 2)[turn & 3];
	aRow[r] = (image[r] + max(entry[r], 0)) * aStep;
#else
	entry[r] = tableAt(line[r], turn);
#endif
#end
}

// seenFrom is what row r of the block sees in that texel.
vec4 seenFrom(int r, int quad) {
#if TURN_TAPS == 1
	return present(A_in(aRow[r], quad), entry[r]);
#else
	vec4 v;
#unroll j 4
	v[j] = present(A_in((image[r] + max(entry[r][j], 0)) * aStep, 0), entry[r][j]).x;
#end
	return v;
#endif
}

#endif

void gather(int row) {
	turnTexels = turnQuads;
	bApart = turnRows;
	bLast = B_rows - 1;
	bStep = B_row(1);
	aStep = A_row(1);
	imageRows = pixels;
	findRows(row);
}

#endif
