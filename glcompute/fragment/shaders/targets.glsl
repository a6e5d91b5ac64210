// What a fragment writes: one texel, or the same texel of eight neighbouring rows.
#unroll r TARGETS
layout(location = r) out vec4 target##r;
#end

// kept is v with zeros for everything that lies outside the matrix.
vec4 kept(int row, int quad, vec4 v) {
	bvec4 inside = lessThan(4 * quad + ivec4(0, 1, 2, 3), ivec4(row < Out_rows ? Out_cols : 0));
	return mix(vec4(0.0), v, inside);
}
