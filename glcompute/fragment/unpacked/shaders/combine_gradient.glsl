// Out[i] = (alpha·A[i] + beta·B[i])·f'(x), f' in terms of Y[i] = f(x)
#include "activation.glsl"
#include "single.glsl"

uniform float alpha;
uniform float beta;

float value(int row, int col) {
	return (alpha * A_one(row, col) + beta * B_one(row, col)) * activationGradient(vec4(Y_one(row, col))).x;
}
