package nn

import "inkshade/glcompute"

var (
	_ = register("max-pooling", "max-pooling SIDE [stride N] [padding N|same], like max-pooling 2", func(w *words) Kind { return Pooling{Window: w.window(0)} })
	_ = register("average-pooling", "average-pooling SIDE [stride N] [padding N|same], like average-pooling 2", func(w *words) Kind { return Pooling{Mean: true, Window: w.window(0)} })
	_ = register("global-pooling", "global-pooling average|max", func(w *words) Kind { return Pooling{Mean: w.either("average", "max")} })
)

// Pooling makes one value of those under a window, channel by channel: the largest, or the mean.
// Padding is never the largest, and counts as zeros in the mean. A window of no size is the whole image.
type Pooling struct {
	Mean   bool
	Window glcompute.Window // its Height and Width are left open
}

func (k Pooling) String() string {
	name := "max"
	if k.Mean {
		name = "average"
	}
	if k.Global() {
		return "global-pooling " + name
	}
	return name + "-pooling " + windowWords(k.Window, k.Window.KernelHeight)
}

// Global tells whether the window is the whole image.
func (k Pooling) Global() bool { return k.Window.KernelHeight == 0 }

func (k Pooling) over(in Shape) glcompute.Window {
	if k.Global() {
		k.Window = glcompute.Window{KernelHeight: in.Height, KernelWidth: in.Width}
	}
	return over(k.Window, in)
}

func (k Pooling) Shape(in []Shape) (Shape, error) {
	return windowed(k.over(in[0]), in[0], in[0].Channels)
}

func (k Pooling) Record(r *Recorder) *glcompute.Tensor {
	by := glcompute.ReduceMax
	if k.Mean {
		by = glcompute.ReduceMean
	}
	return r.Pool(by, r.Inputs[0], k.over(r.Shapes[0]))
}
