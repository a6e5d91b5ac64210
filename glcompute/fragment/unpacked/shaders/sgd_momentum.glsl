// V = momentum·V + DW + decay·(W - Anchor)
#include "single.glsl"
#include "momentum.glsl"
#include "gradient.glsl"

float value(int row, int col) { return momentum(row, col, gradient(row, col)); }
