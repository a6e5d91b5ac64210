package program

import (
	"fmt"
	"math"
)

// Warp moves the pixels of a batch of images by an affine map and an elastic displacement.
// Pixel (column j, row i) of image b becomes the bilinear sample of X[b] at
//
//	x = a0·j + a1·i + a2 + Dx(j, i)
//	y = a3·j + a4·i + a5 + Dy(j, i)        a = Affine[b], in pixels
//
// where everything outside the image is zero. The displacement D is a uniform cubic
// B-spline whose g x g control points Grid holds, in pixels: row r of Dx of image b is
// row (2·b)·g + r of Grid, of Dy row (2·b + 1)·g + r, so that rows begin at texels. The
// g - 3 pieces along an axis stretch from the first pixel to the last.
//
// Shapes: X and Out [batch][Width·Height], Affine [batch][6], Grid [batch·2·g][g], g at
// least 4, Width a multiple of 4. Distortion of training images on the GPU is in the
// description of the pixel-shader patent (US 7,219,085, Microsoft); elastic displacements after Simard et
// al. (ICDAR 2003), smoothed by the B-spline, whose standard deviation is 0.577 of the
// distance of control points, in the place of a Gaussian.
type Warp struct {
	X, Affine, Grid, Out *Tensor
	Width, Height        int
}

func (o *Warp) Name() string      { return "warp" }
func (o *Warp) Reads() []*Tensor  { return []*Tensor{o.X, o.Affine, o.Grid} }
func (o *Warp) Writes() []*Tensor { return []*Tensor{o.Out} }
func (o *Warp) Reference(v Values) {
	for b := range o.X.Rows {
		n, g := o.Width*o.Height, o.Grid.Cols
		warp(v.Of(o.Out)[b*n:(b+1)*n], v.Of(o.X)[b*n:(b+1)*n], v.Of(o.Affine)[b*6:(b+1)*6],
			v.Of(o.Grid)[b*2*g*g:(b+1)*2*g*g], o.Width, o.Height, g)
	}
}

func (o *Warp) Sharding(s Samples) Sharding { return s.Rows(o.X, o.Affine, o.Grid) }
func (o *Warp) With(f func(*Tensor) *Tensor) Op {
	return &Warp{f(o.X), f(o.Affine), f(o.Grid), f(o.Out), o.Width, o.Height}
}

// Warp records the moved images, each width x height pixels, row after row.
func (p *Program) Warp(x, affine, grid *Tensor, width, height int) *Tensor {
	requireShape("warp", "the images", x, x.Rows, width*height)
	requireShape("warp", "the affine maps", affine, x.Rows, 6)
	requireShape("warp", "the grid", grid, x.Rows*2*grid.Cols, grid.Cols)
	if grid.Cols < 4 || width%4 != 0 {
		panic(fmt.Sprintf("program: warp: a grid of %d x %d for images of %d x %d; it needs 4 x 4 at least, and a width that is a multiple of 4",
			grid.Cols, grid.Cols, width, height))
	}
	return p.made(&Warp{X: x, Affine: affine, Grid: grid, Out: p.result(x.Rows, x.Cols), Width: width, Height: height})
}

// Gradient: nothing is learned through images that are distorted.
func (o *Warp) Gradient(b *Backward) { b.none("%s", o.Name()) }

// warp computes one image, out[i][j] = x sampled bilinearly at the affine map of (j, i)
// plus the B-splines of grid: g x g control points of the displacement along x, then as many
// along y. What lies outside the image is zero.
func warp(out, x, affine, grid []float64, width, height, g int) {
	pixel := func(i, j int) float64 {
		if i < 0 || j < 0 || i >= height || j >= width {
			return 0
		}
		return x[i*width+j]
	}
	for i := range height {
		down := splineWeights(i, height, g)
		for j := range width {
			along := splineWeights(j, width, g)
			dx, dy := 0.0, 0.0
			for r := range g {
				for c := range g {
					w := down[r] * along[c]
					dx += w * grid[r*g+c]
					dy += w * grid[(g+r)*g+c]
				}
			}
			// Further out than one pixel all is zero.
			px := affine[0]*float64(j) + affine[1]*float64(i) + affine[2] + dx
			py := affine[3]*float64(j) + affine[4]*float64(i) + affine[5] + dy
			px = math.Max(-1, math.Min(px, float64(width)))
			py = math.Max(-1, math.Min(py, float64(height)))
			left, top := math.Floor(px), math.Floor(py)
			u, v := px-left, py-top
			row, column := int(top), int(left)
			above := (1-u)*pixel(row, column) + u*pixel(row, column+1)
			below := (1-u)*pixel(row+1, column) + u*pixel(row+1, column+1)
			out[i*width+j] = (1-v)*above + v*below
		}
	}
}

// splineWeights are the cubic B-spline weights of g control points at index i of n, whose
// pieces stretch from index 0 to n-1.
func splineWeights(i, n, g int) []float64 {
	at := float64(i) * float64(g-3) / math.Max(1, float64(n-1))
	piece := min(int(at), g-4)
	t := at - float64(piece)
	w := make([]float64, g)
	w[piece] = (1 - t) * (1 - t) * (1 - t) / 6
	w[piece+1] = (4 - 6*t*t + 3*t*t*t) / 6
	w[piece+2] = (1 + 3*t + 3*t*t - 3*t*t*t) / 6
	w[piece+3] = t * t * t / 6
	return w
}
