// What becomes of a sum: the formulas of all results.
#include "formulas.glsl"

#define Out0_put Out_put

void store(int row, int quad, vec4 sum) {
	formulas(row, quad, sum);
#if RESULTS > 1
	memoryBarrierBuffer(); // llvmpipe puts off reading one result's old value until another's is written
#endif
#unroll k RESULTS
	Out##k##_put(row, quad, result##k);
#end
}
