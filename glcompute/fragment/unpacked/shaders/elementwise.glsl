// One value of Out from the same value of A and B, all of one shape.
#include "single.glsl"

float value(int row, int col) { return element(vec4(A_one(row, col)), vec4(B_one(row, col))).x; }
