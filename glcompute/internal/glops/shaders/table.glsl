// The table of the operation: rows of whole numbers, four in a texel, -1 past the last column.
uniform int Table_stride; // texels of a row

#ifdef GL_ES

// In lines of 2,048 texels.
uniform isampler2D Table_view;

ivec4 tableAt(int row, int quad) {
	int i = row * Table_stride + quad;
	return texelFetch(Table_view, ivec2(i & 2047, i >> 11), 0);
}

#else

uniform isamplerBuffer Table_view;

// Found once: llvmpipe reads a uniform lane by lane wherever it is used.
int tableApart = Table_stride;

ivec4 tableAt(int row, int quad) { return texelFetch(Table_view, row * tableApart + quad); }

#endif
