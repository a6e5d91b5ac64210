// The place of a fragment: the row and the texel of the result that it writes, in planes those of the first of eight neighbouring
// rows. A row has LENGTH texels.
uniform int Out_rows, Out_cols, Out_stride, Out_top, Out_shiftX, Out_shiftY, Out_layer;

ivec2 place() {
	int x = int(gl_FragCoord.x), y = int(gl_FragCoord.y) - Out_top;
#if FOLDED
	int i = x + (y << Out_shiftX) + (Out_layer << (Out_shiftX + Out_shiftY));
	return ivec2(i / LENGTH, i % LENGTH);
#elif STRIPS
	int strip = x / LENGTH;
	return ivec2(((strip << Out_shiftY) + y) * 8, x - strip * LENGTH);
#else
	return ivec2(y * 8, x);
#endif
}
