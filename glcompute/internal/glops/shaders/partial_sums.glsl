// Sums eight parts of a row of A into one; LAST gives the whole sum.
#include "results.glsl"

uniform int partStride; // texels of a part of a row
uniform int parts;      // of a row of A

VALUE source(int row, int at) {
#if LAST
	int first = 0, start = at;
#else
	int first = at / partStride * 8, start = at % partStride;
#endif
	VALUE sum = VALUE(0.0);
	int line = A_row(row);
#unroll p 8
	if (first + p < parts) {
		sum += A_value(line, (first + p) * partStride + start);
	}
#end
	return sum;
}
