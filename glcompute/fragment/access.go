package fragment

import (
	"embed"
	"io/fs"

	"inkshade/glcompute/internal/gldevice"
)

func setShape(u *gldevice.Uniforms, name string, m matrix) {
	t, apart := m.Memory, m.Memory.mirrorStride()
	if t.folded {
		apart = m.Stride()
		if t.values == 1 {
			apart = m.Cols
		}
	}
	u.Int(name+"_rows", m.Rows).Int(name+"_cols", m.Cols).Int(name+"_stride", m.Stride())
	u.Int(name+"_top", t.top).Int(name+"_shiftX", t.shiftX).Int(name+"_shiftY", t.shiftY).Int(name+"_apart", apart)
}

// words say to shaders how the texels of a matrix lie. NAME_stride, which operations count with, is in fours of columns
// whatever a texel holds.
func (l *layout) words(name string) map[string]any {
	length := name + "_stride"
	if l.values == 1 {
		length = name + "_cols"
	}
	return map[string]any{"NAME": name, "LENGTH": length, "FOLDED": l.folded, "STRIPS": l.strips > 1, "UNPACKED": l.values == 1}
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
