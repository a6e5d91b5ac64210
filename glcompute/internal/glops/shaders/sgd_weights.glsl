// W = W - rate·V
#include "frame.glsl"

vec4 texel(int row, int quad) { return W_at(row, quad) - Settings_at(0, 0).x * V_at(row, quad); }
