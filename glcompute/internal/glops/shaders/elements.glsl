// Every element of the results by formulas alone.
#include "results.glsl"

VALUE source(int row, int at) { return VALUE(0.0); }
