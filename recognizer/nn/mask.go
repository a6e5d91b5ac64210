package nn

import (
	"slices"

	"inkshade/glcompute"
)

var _ = register("mask", "mask from NAME, NAME", func(*words) Kind { return Mask{} })

// Mask is y[row, column][c] = x[row, column][c] · m[column]: of the two values that it reads the second has one number
// for each column of the first. With ones in the columns of a line and zeros behind them a convolution sees the same
// beyond the end of the line as beyond the edge of the image, so that a line gives the same in an image of any width.
type Mask struct{}

func (Mask) String() string { return "mask" }
func (Mask) readsSeveral()  {}

func (Mask) Shape(in []Shape) (Shape, error) {
	if err := wrong(len(in) != 2, "it reads %d values, want what is masked and the mask", len(in)); err != nil {
		return Shape{}, err
	}
	want := Shape{1, in[0].Width, 1}
	return in[0], wrong(in[1] != want, "the mask of %s is %s, want %s", in[0], in[1], want)
}

func (Mask) Record(r *Recorder) *glcompute.Tensor {
	s := r.Shapes[0]
	columns := r.Reshape(r.Inputs[1], r.Batch, s.Width)
	all := r.Concat(slices.Repeat([]*glcompute.Tensor{columns}, s.Height)...)
	return r.Elementwise("mask", glcompute.Mul(glcompute.Arg(0), glcompute.Arg(1)), r.Inputs[0], r.Reshape(all, r.Batch*s.Positions(), 1))
}
