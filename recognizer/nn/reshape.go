package nn

import "inkshade/glcompute"

var _ = register("reshape", "reshape HEIGHTxWIDTHxCHANNELS, or reshape VALUES", func(w *words) Kind { return Reshape{To: w.shape()} })

// Reshape gives the same values, position by position and channel by channel, another shape.
type Reshape struct{ To Shape }

func (k Reshape) String() string { return "reshape " + k.To.String() }

func (Reshape) rearranges() {}

func (k Reshape) Shape(in []Shape) (Shape, error) {
	return k.To, wrong(!k.To.valid() || k.To.Size() != in[0].Size(), "%s has %d values, which do not fit the shape %s", in[0], in[0].Size(), k.To)
}

func (k Reshape) Record(r *Recorder) *glcompute.Tensor {
	return r.Reshape(r.Inputs[0], r.Batch*k.To.Positions(), k.To.Channels)
}
