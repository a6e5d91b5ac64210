// A product with sparse rows: the sum of Values[k]·B[Rows[k]] over the k of a row, which lie from
// Starts[row] to before Starts[row + 1]; of the transposed it is Values[Order[k]].
#define HAS_LOOP
#include "primitives.glsl"
#include "results.glsl"

float valueOf(int k) {
#if TRANSPOSED
	k = int(Order_in(0, k / 4)[k % 4]);
#endif
	return Values_in(0, k / 4)[k % 4];
}

#if COLUMN

// A result of one column lies as a row, and so does B.
VALUE source(int unused, int at) {
	VALUE sums = VALUE(0.0);
	for (int n = 0; n < VALUES && VALUES * at + n < Starts_cols - 1; n++) {
		int row = VALUES * at + n;
		float sum = 0.0;
		int end = int(Starts_in(0, (row + 1) / 4)[(row + 1) % 4]);
		for (int k = int(Starts_in(0, row / 4)[row % 4]); k < end; k++) {
			sum += valueOf(k) * B_at(int(Rows_in(0, k / 4)[k % 4]), 0).x;
		}
		LANE(sums, n) = sum;
	}
	return sums;
}

#else

VALUE source(int row, int at) {
	VALUE sum = VALUE(0.0);
	int end = int(Starts_in(0, (row + 1) / 4)[(row + 1) % 4]);
	for (int k = int(Starts_in(0, row / 4)[row % 4]); k < end; k++) {
		sum += valueOf(k) * B_value(B_row(int(Rows_in(0, k / 4)[k % 4])), at);
	}
	return sum;
}

#endif
