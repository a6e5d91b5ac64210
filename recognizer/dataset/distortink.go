package dataset

import (
	"math/rand/v2"
	"slices"

	"inkshade/recognizer/ink"
)

// ApplyInk distorts strokes as Apply distorts images: the ink is fitted into the box of
// the 28x28 image, and every point moves by the field of that image. The result, in
// pixels of that box, reuses the memory of dst where it is large enough. Thickness has no
// meaning for strokes. Time and pressure of a point stay as they are.
func (d Distortion) ApplyInk(dst, k ink.Ink, rng *rand.Rand) ink.Ink {
	k = k.Clean()
	var f field
	d.fill(&f, rng)
	x0, y0, x1, y1, _ := k.Bounds()
	scale := 1.0
	if longer := max(x1-x0, y1-y0); longer > 0 {
		scale = inkBox / longer
	}
	offsetX, offsetY := middle-(x0/2+x1/2)*scale, middle-(y0/2+y1/2)*scale
	for len(dst) < len(k) {
		dst = append(dst, nil)
	}
	dst = dst[:len(k)]
	for i, s := range k {
		out := dst[i][:0]
		for _, p := range s {
			p.X, p.Y = f.at(p.X*scale+offsetX, p.Y*scale+offsetY)
			out = append(out, p)
		}
		if d.Reverse > 0 && rng.Float64() < d.Reverse {
			slices.Reverse(out)
		}
		dst[i] = out
	}
	return dst
}

// inkBox is the longer side of the ink in the 28x28 image.
const inkBox = 20

// at reads the field between pixels, bilinearly; x and y are clamped to the image.
func (f *field) at(x, y float64) (fx, fy float64) {
	const last = side - 2
	x, y = min(max(x, 0), side-1), min(max(y, 0), side-1)
	column, row := min(int(x), last), min(int(y), last)
	u, v := x-float64(column), y-float64(row)
	i := row*side + column
	read := func(values *[pixels]float32) float64 {
		above := float64(values[i])*(1-u) + float64(values[i+1])*u
		below := float64(values[i+side])*(1-u) + float64(values[i+side+1])*u
		return above*(1-v) + below*v
	}
	return read(&f.x), read(&f.y)
}
