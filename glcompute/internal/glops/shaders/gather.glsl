// The rows that the index names; zero where there is none.
#include "primitives.glsl"
#include "results.glsl"

int named(int row) {
	float at = Index_in(0, row / 4)[row % 4];
	return at >= 0.0 && at < float(Rows_rows) ? int(at) : -1;
}

#if COLUMN

VALUE source(int unused, int at) {
	VALUE values = VALUE(0.0);
#unroll n 4
	if (n < VALUES && VALUES * at + n < Index_cols && named(VALUES * at + n) >= 0) {
		LANE(values, n) = Rows_at(named(VALUES * at + n), 0).x;
	}
#end
	return values;
}

#else

VALUE source(int row, int at) {
	int place = named(row);
	return place < 0 ? VALUE(0.0) : Rows_value(Rows_row(place), at);
}

#endif
