// The operand NAME: NAME_at and its kin read it (see gldevice.Kernel), and where it is WRITTEN NAME_put writes a texel, of which
// the padding stays zero.
uniform int NAME_stride, NAME_rows, NAME_cols;

#if TEXTURE
uniform samplerBuffer NAME_view;
vec4 NAME_texel(int i) { return texelFetch(NAME_view, i); }
#else
layout(std430, binding = PLACE) ACCESS buffer NAME_block { vec4 NAME_data[]; };
vec4 NAME_texel(int i) { return NAME_data[i]; }
#endif

int NAME_row(int row) { return row * NAME_stride; }

#if COLUMN
vec4 NAME_in(int row, int quad) { return vec4(NAME_texel(row >> 2)[row & 3], 0.0, 0.0, 0.0); }
#else
vec4 NAME_in(int start, int quad) { return NAME_texel(start + quad); }
#endif

vec4 NAME_at(int row, int quad) { return NAME_in(NAME_row(row), quad); }
vec4 NAME_value(int start, int at) { return NAME_in(start, at); }

#if WRITTEN
void NAME_put(int row, int quad, vec4 v) {
#if PADDED
	v = mix(vec4(0.0), v, lessThan(4 * quad + ivec4(0, 1, 2, 3), ivec4(NAME_cols)));
#endif
	NAME_data[row * NAME_stride + quad] = v;
}
#endif
