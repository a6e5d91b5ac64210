package nn

import (
	"inkshade/glcompute"
	"inkshade/glcompute/message"
)

var _ = register("concatenate", "concatenate from NAME, NAME", func(*words) Kind { return Concatenate{} })

// Concatenate puts the channels of all that the layer reads side by side, position by position.
type Concatenate struct{}

func (Concatenate) String() string { return "concatenate" }
func (Concatenate) readsSeveral()  {}

func (Concatenate) Shape(in []Shape) (Shape, error) {
	sum := in[0]
	for _, s := range in[1:] {
		if s.Height != sum.Height || s.Width != sum.Width {
			return Shape{}, message.Errorf("it reads values of the shapes %s and %s, whose positions must be the same; reshape one", in[0], s)
		}
		sum.Channels += s.Channels
	}
	return sum, nil
}

func (Concatenate) Record(r *Recorder) *glcompute.Tensor { return r.Concat(r.Inputs...) }
