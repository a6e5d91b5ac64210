package program

import (
	"fmt"

	"inkshade/glcompute/internal/reference"
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
		reference.Warp(v.Of(o.Out)[b*n:(b+1)*n], v.Of(o.X)[b*n:(b+1)*n], v.Of(o.Affine)[b*6:(b+1)*6],
			v.Of(o.Grid)[b*2*g*g:(b+1)*2*g*g], o.Width, o.Height, g)
	}
}

func (o *Warp) Flow(s Samples) Flow { return s.Rows(o.X, o.Affine, o.Grid) }
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
	out := p.result(x.Rows, x.Cols)
	p.Record(&Warp{X: x, Affine: affine, Grid: grid, Out: out, Width: width, Height: height})
	return out
}

// Gradient: nothing is learned through images that are distorted.
func (o *Warp) Gradient(b *Backward) { b.none("%s", o.Name()) }
