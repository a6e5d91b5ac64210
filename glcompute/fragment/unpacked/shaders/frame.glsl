// The frame of a kernel that gives four values of Out: the fragment keeps its own.
#include "targets.glsl"

vec4 texel(int row, int quad);

float value(int row, int col) { return texel(row, col / 4)[col % 4]; }

#include "draw.glsl"
