// One texel of Out from the same texel of A and B, all of one shape.
#include "frame.glsl"

vec4 texel(int row, int quad) { return element(A_at(row, quad), B_at(row, quad)); }
