package cpu

import (
	"math"

	"inkshade/glcompute/internal/program"
)

func init() {
	register(func(b *builder, op *program.Warp) func() {
		x, affine, grid, out := b.Of(op.X), b.Of(op.Affine), b.Of(op.Grid), b.Of(op.Out)
		g, n := op.Grid.Cols, op.Width*op.Height
		along, down := newSpline(op.Width, g), newSpline(op.Height, g)
		columns := b.Scratch(op.X.Rows * 2 * g)
		const costPixel = 40
		return b.parallel(op.X.Rows, n*costPixel, func(from, to int) {
			for i := from; i < to; i++ {
				warp(out[i*n:(i+1)*n], x[i*n:(i+1)*n], affine[i*6:(i+1)*6], grid[i*2*g*g:(i+1)*2*g*g],
					along, down, columns[i*2*g:(i+1)*2*g])
			}
		})
	})
}

// spline holds, for each pixel of an axis, the first of the four control points that move it
// and their weights.
type spline struct {
	first   []int
	weights [][4]float32
}

func newSpline(n, g int) spline {
	s := spline{make([]int, n), make([][4]float32, n)}
	for i := range n {
		at := float64(i) * float64(g-3) / float64(max(1, n-1))
		s.first[i] = min(int(at), g-4)
		t := at - float64(s.first[i])
		s.weights[i] = [4]float32{
			float32((1 - t) * (1 - t) * (1 - t) / 6), float32((4 - 6*t*t + 3*t*t*t) / 6),
			float32((1 + 3*t + 3*t*t - 3*t*t*t) / 6), float32(t * t * t / 6),
		}
	}
	return s
}

// warp computes one image; columns has room for two rows of control points.
func warp(out, x, a, grid []float32, along, down spline, columns []float32) {
	width, height := len(along.first), len(down.first)
	g := len(columns) / 2
	for i := range height {
		w := &down.weights[i]
		for axis := range 2 {
			rows := grid[(axis*g+down.first[i])*g:]
			for c := range g {
				columns[axis*g+c] = w[0]*rows[c] + w[1]*rows[g+c] + w[2]*rows[2*g+c] + w[3]*rows[3*g+c]
			}
		}
		for j := range width {
			w, f := &along.weights[j], along.first[j]
			cx, cy := columns[f:f+4], columns[g+f:g+f+4]
			px := a[0]*float32(j) + a[1]*float32(i) + a[2] + w[0]*cx[0] + w[1]*cx[1] + w[2]*cx[2] + w[3]*cx[3]
			py := a[3]*float32(j) + a[4]*float32(i) + a[5] + w[0]*cy[0] + w[1]*cy[1] + w[2]*cy[2] + w[3]*cy[3]
			out[i*width+j] = sampleBilinear(x, width, height, px, py)
		}
	}
}

// sampleBilinear reads x between its pixels; all outside is zero. A position that is no
// number gives a value that is none.
func sampleBilinear(x []float32, width, height int, px, py float32) float32 {
	if px != px || py != py {
		return px + py
	}
	px, py = max(-1, min(px, float32(width))), max(-1, min(py, float32(height)))
	left, top := int(math.Floor(float64(px))), int(math.Floor(float64(py)))
	u, v := px-float32(left), py-float32(top)
	pixel := func(row, column int) float32 {
		if row < 0 || column < 0 || row >= height || column >= width {
			return 0
		}
		return x[row*width+column]
	}
	above := (1-u)*pixel(top, left) + u*pixel(top, left+1)
	below := (1-u)*pixel(top+1, left) + u*pixel(top+1, left+1)
	return (1-v)*above + v*below
}
