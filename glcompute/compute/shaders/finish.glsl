// What follows the sum of a product: bias or old value, and the nonlinearity.
#include "activation.glsl"
#include "bias.glsl"

vec4 finished(vec4 sum, int row, int quad) {
#if ACCUMULATE
	sum += Old_at(row, quad);
#elif HAS_BIAS
	sum += bias(quad);
#endif
	return activate(sum);
}
