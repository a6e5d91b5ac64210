// Loss[r] = -Σ_c Target[r][c]·ln max(P[r][c], SMALLEST_PROBABILITY). Padding is zero on
// both sides and adds nothing.
vec4 term(vec4 p, vec4 target) { return target * -log(max(p, vec4(SMALLEST_PROBABILITY))); }

float finish(float sum) { return sum; }

#include "row_reduction.glsl"
