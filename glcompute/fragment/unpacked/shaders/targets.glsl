// What a fragment writes: one value, or the same column of eight neighbouring rows.
#unroll r TARGETS
layout(location = r) out float target##r;
#end

// kept is v with zero for everything that lies outside the matrix.
float kept(int row, float v) { return row < Out_rows ? v : 0.0; }
