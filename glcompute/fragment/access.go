package fragment

import (
	"embed"
	"io/fs"

	"inkshade/glcompute/internal/gldevice"
)

func setShape(u *gldevice.Uniforms, name string, m matrix) {
	t := m.Memory
	u.Int(name+"_rows", m.Rows).Int(name+"_cols", m.Cols).Int(name+"_stride", m.Stride())
	u.Int(name+"_shiftX", t.shiftX).Int(name+"_shiftY", t.shiftY).Int(name+"_apart", t.mirrorStride())
}

// declareOut gives a fragment its place: the row and texel of the result that it writes,
// the first of eight neighbouring rows in planes.
func (l *layout) declareOut(s *gldevice.Source) {
	s.Declare("uniform int Out_rows, Out_cols, Out_stride;\n")
	switch {
	case l.strips > 1:
		s.Declare("uniform int Out_shiftY;\n"+
			"ivec2 place() {\n"+
			"\tint x = int(gl_FragCoord.x), strip = x / %s;\n"+
			"\treturn ivec2(((strip << Out_shiftY) + int(gl_FragCoord.y)) * %d, x - strip * %[1]s);\n}\n",
			l.rowLength("Out"), planeLayers)
		return
	case !l.folded:
		s.Declare("ivec2 place() { return ivec2(int(gl_FragCoord.y) * %d, int(gl_FragCoord.x)); }\n", planeLayers)
		return
	}
	s.Declare("uniform int Out_shiftX, Out_shiftY, Out_layer;\n"+
		"ivec2 place() {\n"+
		"\tint i = int(gl_FragCoord.x) + (int(gl_FragCoord.y) << Out_shiftX) + (Out_layer << (Out_shiftX + Out_shiftY));\n"+
		"\treturn ivec2(i / %s, i %% %[1]s);\n}\n", l.rowLength("Out"))
}

// rowLength is the uniform with the number of texels of a row. NAME_stride, which
// operations count with, is in fours of columns whatever a texel holds.
func (l *layout) rowLength(name string) string {
	if l.values == 1 {
		return name + "_cols"
	}
	return name + "_stride"
}

// declare makes a matrix readable by NAME_at, or by NAME_row, which finds a row, and
// NAME_in, which reads along it. NAME_texel(start, x) is texel x of a row. A column is read
// value by value from the row that it lies as.
func (in *input) declare(s *gldevice.Source, n string, column bool) {
	s.Declare("uniform int %s_rows, %[1]s_cols, %[1]s_stride;\n", n)
	apart := "1"
	switch {
	case column:
	case in.mirrored:
		s.Declare("uniform int %s_apart;\n", n)
		apart = n + "_apart"
	case in.folded:
		apart = in.rowLength(n)
	}
	s.Declare("int %s_row(int row) { return row * %s; }\n", n, apart)
	switch {
	case in.mirrored:
		s.Declare("uniform samplerBuffer %s_view;\n"+
			"vec4 %[1]s_texel(int start, int x) { return texelFetch(%[1]s_view, start + x); }\n", n)
	case in.folded:
		s.Declare("uniform sampler2DArray %s_view;\nuniform int %[1]s_shiftX, %[1]s_shiftY;\n"+
			"vec4 %[1]s_texel(int start, int x) {\n"+
			"\tint i = start + x, line = i >> %[1]s_shiftX;\n"+
			"\tivec2 corner = (ivec2(1) << ivec2(%[1]s_shiftX, %[1]s_shiftY)) - 1;\n"+
			"\treturn texelFetch(%[1]s_view, ivec3(i & corner.x, line & corner.y, line >> %[1]s_shiftY), 0);\n}\n", n)
	case in.strips > 1:
		s.Declare("uniform sampler2DArray %s_view;\nuniform int %[1]s_shiftY;\n"+
			"vec4 %[1]s_texel(int start, int x) {\n"+
			"\tint line = start >> 3, y = line & ((1 << %[1]s_shiftY) - 1);\n"+
			"\treturn texelFetch(%[1]s_view, ivec3((line >> %[1]s_shiftY) * %s + x, y, start & 7), 0);\n}\n", n, in.rowLength(n))
	default:
		s.Declare("uniform sampler2DArray %s_view;\n"+
			"vec4 %[1]s_texel(int start, int x) { return texelFetch(%[1]s_view, ivec3(x, start >> 3, start & 7), 0); }\n", n)
	}
	switch {
	case in.values == 1:
		declareGathering(s, n)
	case column:
		s.Declare("vec4 %s_in(int start, int quad) { return vec4(%[1]s_texel(0, start >> 2)[start & 3], 0.0, 0.0, 0.0); }\n", n)
	default:
		s.Declare("vec4 %s_in(int start, int quad) { return %[1]s_texel(start, quad); }\n", n)
	}
	s.Declare("vec4 %s_at(int row, int quad) { return %[1]s_in(%[1]s_row(row), quad); }\n", n)
	if in.values == 1 {
		s.Declare("float %s_value(int start, int at) { return %[1]s_texel(start, at).x; }\n", n)
	} else {
		s.Declare("vec4 %s_value(int start, int at) { return %[1]s_in(start, at); }\n", n)
	}
}

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
