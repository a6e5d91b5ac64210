// What a fragment writes: one VALUE of each result, or that of eight neighbouring rows.
#include "values.glsl"

layout(location = 0) out VALUE target[TARGETS];

// kept is v with zeros for everything that lies outside the matrix.
VALUE kept(int row, int at, VALUE v) { return mix(VALUE(0.0), v, inside(at, row < Out_rows ? Out_cols : 0)); }
