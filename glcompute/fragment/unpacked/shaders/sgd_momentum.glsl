// V = momentum·V + DW + decay·(W - Anchor)
#include "single.glsl"
#include "momentum.glsl"

float value(int row, int col) { return momentum(row, col, DW_one(row, col)); }
