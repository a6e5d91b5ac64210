// The stages of program.CTC. State 2j of a text is the blank before its label j, state 2j + 1 that label.
//
//	0  what is written: the texel (ln p of the blank, ln p of label j, label j, 1 if the text ends before it)
//	1  alpha and beta: the texel (alpha of state 2j, of 2j + 1, beta of 2j, of 2j + 1), of which a pass makes alpha of the
//	   column number pass and beta of as many columns before the last
//	2  of each sample: (ln of the text's probability, its length, the columns that count, 0)
//	3  the loss
//	4  the gradient by the logits
//
// The logarithm of zero is NOTHING, or a multiple of it.
#define HAS_LOOP
#include "frame.glsl"

const float NOTHING = -1e30;

// both is ln(e^a + e^b).
float both(float a, float b) {
	float less = -abs(a - b);
	return (a > b ? a : b) + log(1.0 + exp(less));
}

#if STAGE == 1 || STAGE == 2
// used is how many columns count.
int used(int text) { return int(clamp(Columns_in(0, text / 4)[text % 4], 0.0, float(PER_SAMPLE))); }
#endif

#if STAGE == 0

vec4 texel(int row, int j) {
	int text = row / PER_SAMPLE;
	vec2 statistic = Statistics_at(row, 0).xy;
	float sum = statistic.x + log(statistic.y), label = -1.0;
	for (int i = 0; i <= j; i++) {
		label = i < Labels_cols ? Labels_at(text, i / 4)[i % 4] : -1.0;
		if (label < 0.0) {
			return vec4(Logits_at(row, BLANK / 4)[BLANK % 4] - sum, NOTHING, label, i == j);
		}
	}
	bool isLabel = label < float(BLANK);
	int at = isLabel ? int(label) : 0;
	return vec4(Logits_at(row, BLANK / 4)[BLANK % 4] - sum, isLabel ? Logits_at(row, at / 4)[at % 4] - sum : NOTHING, label, 0.0);
}

#elif STAGE == 1

uniform int pass;

// skips is whether a path may go from the label before to label j without the blank between.
bool skips(int row, int j) { return j > 0 && j < Written_stride && Written_at(row, j).z != Written_at(row, j - 1).z; }

vec4 texel(int row, int j) {
	vec4 v = Before_at(row, j);
	int text = row / PER_SAMPLE, column = row % PER_SAMPLE, count = used(text);
	if (column == pass && column < count) {
		vec4 here = Written_at(row, j);
		if (column == 0) {
			v.xy = j == 0 ? here.xy : vec2(NOTHING);
		} else {
			vec2 same = Before_at(row - 1, j).xy;
			float label = j > 0 ? Before_at(row - 1, j - 1).y : NOTHING;
			v.x = both(same.x, label) + here.x;
			v.y = both(same.y, same.x);
			v.y = (skips(row, j) ? both(v.y, label) : v.y) + here.y;
		}
	}
	if (column == count - 1 - pass) {
		bool more = j + 1 < Written_stride;
		if (pass == 0) {
			v.z = Written_at(row, j).w > 0.0 ? 0.0 : NOTHING;
			v.w = more && Written_at(row, j + 1).w > 0.0 ? 0.0 : NOTHING;
		} else {
			vec2 same = Before_at(row + 1, j).zw + Written_at(row + 1, j).xy;
			vec2 next = more ? Before_at(row + 1, j + 1).zw + Written_at(row + 1, j + 1).xy : vec2(NOTHING);
			v.z = both(same.x, same.y);
			v.w = both(same.y, next.x);
			v.w = skips(row, j + 1) ? both(v.w, next.y) : v.w;
		}
	}
	return v;
}

#elif STAGE == 2

vec4 texel(int text, int unused) {
	int count = used(text), last = text * PER_SAMPLE + max(count - 1, 0), n = 0;
	while (n < Written_stride - 1 && Written_at(last, n).w == 0.0) {
		n++;
	}
	float total = n == 0 ? 0.0 : 2.0 * NOTHING;
	if (count > 0) {
		total = States_at(last, n).x;
		total = n > 0 ? both(total, States_at(last, n - 1).y) : total;
	}
	return vec4(total, n, count, 0.0);
}

#elif STAGE == 3

vec4 texel(int text, int unused) {
	float total = Totals_at(text, 0).x;
	return vec4(total < 0.1 * NOTHING ? uintBitsToFloat(0x7f800000u) : -total, 0.0, 0.0, 0.0);
}

#else

vec4 texel(int row, int quad) {
	vec4 total = Totals_at(row / PER_SAMPLE, 0);
	if (total.x < 0.1 * NOTHING || row % PER_SAMPLE >= int(total.z)) {
		return vec4(0.0);
	}
	vec2 statistic = Statistics_at(row, 0).xy;
	vec4 classes = float(4 * quad) + vec4(0.0, 1.0, 2.0, 3.0), posterior = vec4(0.0);
	float blank = 0.0;
	for (int j = 0; j <= int(total.y); j++) {
		vec4 v = States_at(row, j);
		vec2 p = exp(v.xy + v.zw - total.x);
		blank += p.x;
		posterior += vec4(equal(classes, vec4(Written_at(row, j).z))) * p.y;
	}
	posterior += vec4(equal(classes, vec4(float(BLANK)))) * blank;
	return exp(Logits_at(row, quad) - statistic.x) / statistic.y - posterior;
}

#endif
