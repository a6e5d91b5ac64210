// Loss[r] = Σ_c (Y[r][c] - Target[r][c])² / cols
uniform float length_;

vec4 term(vec4 y, vec4 target) { return (y - target) * (y - target); }

float finish(float sum) { return sum / length_; }

#include "row_reduction.glsl"
