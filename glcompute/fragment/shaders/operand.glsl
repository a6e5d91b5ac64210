// The operand NAME, which NAME_at and its kin read (see gldevice.Kernel): NAME_row finds a row, NAME_in and NAME_texel(start, x), texel x
// of the row, read along it. A row has LENGTH texels. A column is read value by value from the row that it lies as.
uniform int NAME_rows, NAME_cols, NAME_stride, NAME_apart, NAME_top, NAME_shiftX, NAME_shiftY;

#if MIRRORED
uniform samplerBuffer NAME_view;
#else
uniform sampler2DArray NAME_view;
#endif

#if COLUMN
int NAME_row(int row) { return row; }
#elif MIRRORED
int NAME_row(int row) { return row * NAME_apart; }
#elif FOLDED
int NAME_row(int row) { return row * LENGTH; }
#else
int NAME_row(int row) { return row; }
#endif

vec4 NAME_texel(int start, int x) {
#if MIRRORED
	return texelFetch(NAME_view, start + x);
#elif FOLDED
	int i = start + x, line = i >> NAME_shiftX;
	ivec2 corner = (ivec2(1) << ivec2(NAME_shiftX, NAME_shiftY)) - 1;
	return texelFetch(NAME_view, ivec3(i & corner.x, (line & corner.y) + NAME_top, line >> NAME_shiftY), 0);
#elif STRIPS
	int line = start >> 3, y = line & ((1 << NAME_shiftY) - 1);
	return texelFetch(NAME_view, ivec3((line >> NAME_shiftY) * LENGTH + x, y, start & 7), 0);
#else
	return texelFetch(NAME_view, ivec3(x, (start >> 3) + NAME_top, start & 7), 0);
#endif
}

#if UNPACKED
// One value, and four columns of them, zero past the last.
float NAME_one(int row, int col) { return NAME_texel(NAME_row(row), col).x; }
vec4 NAME_in(int start, int quad) {
	ivec4 col = 4 * quad + ivec4(0, 1, 2, 3), near = min(col, ivec4(NAME_cols - 1));
	vec4 v = vec4(NAME_texel(start, near.x).x, NAME_texel(start, near.y).x, NAME_texel(start, near.z).x, NAME_texel(start, near.w).x);
	return mix(vec4(0.0), v, lessThan(col, ivec4(NAME_cols)));
}
float NAME_value(int start, int at) { return NAME_texel(start, at).x; }
#else
#if COLUMN
vec4 NAME_in(int start, int quad) { return vec4(NAME_texel(0, start >> 2)[start & 3], 0.0, 0.0, 0.0); }
#else
vec4 NAME_in(int start, int quad) { return NAME_texel(start, quad); }
#endif
vec4 NAME_value(int start, int at) { return NAME_in(start, at); }
#endif

vec4 NAME_at(int row, int quad) { return NAME_in(NAME_row(row), quad); }
