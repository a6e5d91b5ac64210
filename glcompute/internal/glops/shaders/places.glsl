// Rows in the places of the columns that they belong to; zero where there is none.
#include "primitives.glsl"
#include "results.glsl"

int placeOf(int column) { return int(Places_in(0, column / 4)[column % 4]); }

#if COLUMN

VALUE source(int unused, int at) {
	VALUE values = VALUE(0.0);
#unroll n 4
	if (n < VALUES && VALUES * at + n < Places_cols && placeOf(VALUES * at + n) >= 0) {
		LANE(values, n) = Rows_at(placeOf(VALUES * at + n), 0).x;
	}
#end
	return values;
}

#else

VALUE source(int row, int at) {
	int place = placeOf(row);
	return place < 0 ? VALUE(0.0) : Rows_value(Rows_row(place), at);
}

#endif
