package nn

import "inkshade/glcompute"

func init() {
	register("global-pooling", "global-pooling average|max", func(w *words) Kind { return GlobalPooling{Mean: w.either("average", "max")} })
}

// GlobalPooling makes one position of a whole image: the largest of each channel, or the mean.
type GlobalPooling struct{ Mean bool }

func (k GlobalPooling) String() string {
	if k.Mean {
		return "global-pooling average"
	}
	return "global-pooling max"
}

func (k GlobalPooling) Shape(in []Shape) (Shape, error) {
	return Vector(in[0].Channels), nil
}

func (k GlobalPooling) Record(r *Recorder) *glcompute.Tensor {
	s := r.Shapes[0]
	return r.Pool(poolKind(k.Mean), r.Inputs[0], over(glcompute.Window{KernelHeight: s.Height, KernelWidth: s.Width}, s))
}
