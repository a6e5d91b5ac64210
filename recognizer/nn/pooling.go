package nn

import "inkshade/glcompute"

func init() {
	register("max-pooling", "max-pooling SIDE [stride N] [padding N|same], like max-pooling 2", func(w *words) Kind { return Pooling{Window: w.window(0)} })
	register("average-pooling", "average-pooling SIDE [stride N] [padding N|same], like average-pooling 2", func(w *words) Kind { return Pooling{Mean: true, Window: w.window(0)} })
}

// Pooling makes one value of those under a window, channel by channel: the largest, or the mean.
// Padding is never the largest, and counts as zeros in the mean.
type Pooling struct {
	Mean   bool
	Window glcompute.Window // its Height and Width are left open
}

func (k Pooling) String() string {
	name := "max-pooling "
	if k.Mean {
		name = "average-pooling "
	}
	return name + windowWords(k.Window, k.Window.KernelHeight)
}

func (k Pooling) Shape(in []Shape) (Shape, error) {
	return windowed(k.Window, in[0], in[0].Channels)
}

func (k Pooling) Record(r *Recorder) *glcompute.Tensor {
	return r.Pool(poolKind(k.Mean), r.Inputs[0], over(k.Window, r.Shapes[0]))
}

func poolKind(mean bool) glcompute.ReduceKind {
	if mean {
		return glcompute.ReduceMean
	}
	return glcompute.ReduceMax
}
