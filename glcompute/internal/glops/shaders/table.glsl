// The table of the operation: rows of whole numbers, four in a texel, -1 past the last column.
uniform isamplerBuffer Table_view;
uniform int Table_stride; // texels of a row

// Found once: llvmpipe reads a uniform lane by lane wherever it is used.
int tableApart = Table_stride;

ivec4 tableAt(int row, int quad) { return texelFetch(Table_view, row * tableApart + quad); }
