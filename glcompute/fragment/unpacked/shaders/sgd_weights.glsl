// W = W - rate·V
#include "single.glsl"

float value(int row, int col) { return W_one(row, col) - Settings_one(0, 0) * V_one(row, col); }
