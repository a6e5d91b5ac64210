// Out[i] = (alpha·A[i] + beta·B[i])·f'(x), f' in terms of Y[i] = f(x)
#include "activation.glsl"
#include "frame.glsl"

uniform float alpha;
uniform float beta;

vec4 texel(int row, int quad) {
	return (alpha * A_at(row, quad) + beta * B_at(row, quad)) * activationGradient(Y_at(row, quad));
}
