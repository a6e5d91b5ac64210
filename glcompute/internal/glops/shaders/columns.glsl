// Out[r][c] = Σ_i Pi[r][first_i + c], Pi being zero where it has no such column; the first column
// is number SHIFTi of texel fromi.
#include "frame.glsl"

// shifted is the texel that begins with that column of a pair of texels.
vec4 shifted(vec4 low, vec4 high, int column) {
	return column == 0 ? low : column == 1 ? vec4(low.yzw, high.x) : column == 2 ? vec4(low.zw, high.xy) : vec4(low.w, high.xyz);
}

#unroll i PARTS
uniform int from##i;

vec4 part##i(int row, int quad) {
	return quad >= 0 && quad < P##i##_stride ? P##i##_at(row, quad) : vec4(0.0);
}
#end

vec4 texel(int row, int quad) {
	vec4 sum = vec4(0.0);
#unroll i PARTS
	sum += shifted(part##i(row, from##i + quad), part##i(row, from##i + quad + 1), SHIFT##i);
#end
	return sum;
}
