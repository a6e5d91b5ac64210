// A product with few results. A workgroup of 64
// threads computes eight texels of a row: eight threads share each inner product, every
// eighth texel of it to each, and one of them adds up their sums in shared memory.
#include "kernel.glsl"
#include "product.glsl"
#include "store.glsl"

shared vec4 shares[LOCAL];

void item(int i) {
	int lane = i % 8, slice = i / 8 % 8, group = i / LOCAL;
	int across = (Out_stride + 7) / 8;
	int row = group / across, quad = group % across * 8 + lane;
	innerFirst = slice;
	innerLast = innerQuads;
	innerStep = 8;
	product(row, quad);
	shares[slice * 8 + lane] = sum[0];
	barrier();
	if (slice == 0 && quad < Out_stride) {
		vec4 whole = vec4(0.0);
#unroll s 8
		whole += shares[s * 8 + lane];
#end
		store(row, quad, whole);
	}
}
