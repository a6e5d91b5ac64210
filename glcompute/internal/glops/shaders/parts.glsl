// A product whose inner length is split into parts: the parts of a row of Out stand beside
// one another, partStride texels each.
#include "product.glsl"

#if PARTIAL

uniform int partStride;
uniform int partQuads; // of the inner length

// partialProduct sums the block whose first texel is (row, quad) of all the parts.
void partialProduct(int row, int quad) {
	int part = quad / partStride;
	innerFirst = part * partQuads;
	innerLast = min(innerFirst + partQuads, innerQuads);
	innerStep = 1;
	product(row, quad - part * partStride);
}

#else
#define partialProduct product
#endif
