// Out[i] = Alpha·A[i] + Beta·B[i]
uniform float alpha;
uniform float beta;

vec4 element(vec4 a, vec4 b) { return alpha * a + beta * b; }

#include "elementwise.glsl"
