package fragment

import (
	"embed"
	"io/fs"

	"inkshade/glcompute/internal/gldevice"
)

//go:embed unpacked/shaders
var unpackedFiles embed.FS

// unpack makes the executor put one value into a texel, and a fragment compute one value
// for each render target: the way of computing that packing is compared with (Takizawa et
// al., ENTCS 225, 2009, whose figures have both; the pixel-shader patent, US 7,219,085, packs
// four, in its description). Its shader files take the place of those
// of the same name. What has none there still works: a read of four columns gathers four
// texels, and the fragment keeps the one value that is its own.
func (e *executor) unpack() {
	files, err := fs.Sub(unpackedFiles, "unpacked")
	if err != nil {
		panic(err) // the name is a constant
	}
	e.values = 1
	e.library = append(gldevice.Library{files}, e.library...)
}

// declareGathering makes a matrix of single values readable by NAME_one, and four columns
// of it, zero past the last one, by NAME_in.
func declareGathering(s *gldevice.Source, n string) {
	s.Declare("float %s_one(int row, int col) { return %[1]s_texel(%[1]s_row(row), col).x; }\n"+
		"vec4 %[1]s_in(int start, int quad) {\n"+
		"\tivec4 col = 4 * quad + ivec4(0, 1, 2, 3), near = min(col, ivec4(%[1]s_cols - 1));\n"+
		"\tvec4 v = vec4(%[1]s_texel(start, near.x).x, %[1]s_texel(start, near.y).x,\n"+
		"\t\t%[1]s_texel(start, near.z).x, %[1]s_texel(start, near.w).x);\n"+
		"\treturn mix(vec4(0.0), v, lessThan(col, ivec4(%[1]s_cols)));\n}\n", n)
}
