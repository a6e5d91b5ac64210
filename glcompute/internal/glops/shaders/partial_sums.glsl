// Sums eight parts of a row of A into one of Out. LAST gives the whole sum, to which it
// adds what belongs to a product: Out = f(Σ + Bias), or Out += Σ.
#include "activation.glsl"
#include "bias.glsl"
#include "frame.glsl"

uniform int partStride; // texels of a part of a row
uniform int parts;      // of a row of A

vec4 texel(int row, int quad) {
#if LAST
	int first = 0, start = quad;
#else
	int first = quad / partStride * 8, start = quad % partStride;
#endif
	vec4 sum = vec4(0.0);
#unroll p 8
	if (first + p < parts) {
		sum += A_at(row, (first + p) * partStride + start);
	}
#end
#if LAST && HAS_BIAS
	sum += bias(quad);
#elif LAST && ACCUMULATE
	sum += Old_at(row, quad);
#endif
	return activate(sum);
}
