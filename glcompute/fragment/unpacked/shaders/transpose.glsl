// Out[c][r] = A[r][c]
#include "single.glsl"

float value(int row, int col) { return A_one(col, row); }
