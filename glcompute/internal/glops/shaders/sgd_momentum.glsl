// V = momentum·V + DW + decay·(W - Anchor)
#include "frame.glsl"
#include "momentum.glsl"
#include "gradient.glsl"

vec4 texel(int row, int quad) { return momentum(row, quad, gradient(row, quad)); }
