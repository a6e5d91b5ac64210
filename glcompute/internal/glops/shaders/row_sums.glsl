// Out[r] = Σ_c X[r][c]
vec4 term(vec4 x, vec4 unused) { return x; }

float finish(float sum) { return sum; }

#include "row_reduction.glsl"
