// The frame of a kernel that gives one value of Out.
#include "targets.glsl"

float value(int row, int col);

#include "draw.glsl"
