package nn

import (
	"cmp"
	"fmt"

	"inkshade/glcompute"
)

var _ = register("convolution", "convolution HEIGHTxWIDTH FILTERS [NONLINEARITY] [stride N] [padding N|same] [dilation N] [groups N|depthwise], like convolution 5x5 32 relu", readConvolution)

// Convolution is y[q][f] = Function(Σ_t Σ_c x[p(q, t)][c] · weights[t·channels+c][f] + bias[f]): every
// position q of the result sees the positions of the input under a window with taps t, and zero
// where there is none. With Groups the channels fall into so many groups, from each of which
// an equal share of the filters is made.
type Convolution struct {
	Filters  int              // of Depthwise for each channel
	Window   glcompute.Window // its Height and Width are left open
	Groups   int              // 0 stands for 1
	Function string

	Depthwise bool // one group for each channel, whatever their number
}

func (k Convolution) String() string {
	words := fmt.Sprintf("convolution %s %d", windowWords(k.Window, 1), k.Filters)
	if k.Groups > 1 {
		words += fmt.Sprint(" groups ", k.Groups)
	}
	if k.Depthwise {
		words += " depthwise"
	}
	return named(words, k.Function)
}

func (k Convolution) Activation() string { return k.Function }

func (k Convolution) withFunction(name string) Kind {
	k.Function = name
	return k
}

// Picture is the window.
func (k Convolution) Picture(in Shape) (over Shape, filters bool) {
	_, groups := k.filters(in.Channels)
	return Shape{k.Window.KernelHeight, k.Window.KernelWidth, in.Channels / groups}, true
}

func readConvolution(w *words) Kind {
	k := Convolution{Window: w.window(1), Depthwise: w.flag("depthwise")}
	if s := w.option("groups"); s != "" {
		k.Groups = w.whole("the number of groups", s, 1)
	}
	k.Filters, k.Function = w.count("the number of filters"), w.function()
	return k
}

// filters and groups are those for an input of that many channels.
func (k Convolution) filters(channels int) (filters, groups int) {
	if k.Depthwise {
		return k.Filters * channels, channels
	}
	return k.Filters, max(k.Groups, 1)
}

func (k Convolution) Shape(in []Shape) (Shape, error) {
	filters, groups := k.filters(in[0].Channels)
	out, err := windowed(k.Window, in[0], filters)
	taps, inGroup := k.Window.KernelHeight*k.Window.KernelWidth, in[0].Channels/groups
	return out, cmp.Or(
		wrong(in[0].Channels%groups != 0 || filters%groups != 0, "%d channels and %d filters cannot be divided into %d groups", in[0].Channels, filters, groups),
		err,
		wrong(taps > mostValues/max(inGroup, 1), "filters of %d taps in %d channels are too large", taps, inGroup),
	)
}

func (k Convolution) Parameters(in []Shape) []ParameterInfo {
	filters, groups := k.filters(in[0].Channels)
	taps := k.Window.KernelHeight * k.Window.KernelWidth
	return weightsAndBias(taps*in[0].Channels/groups, filters, taps*filters/groups, k.Function)
}

func (k Convolution) Record(r *Recorder) *glcompute.Tensor {
	_, groups := k.filters(r.Shapes[0].Channels)
	sum := r.Convolution(r.Inputs[0], r.Parameters[0], over(k.Window, r.Shapes[0]), groups)
	f := mustFunction(k.Function)
	return r.Elementwise(f.Name(), f(glcompute.Add(glcompute.Arg(0), glcompute.Arg(1))), sum, r.Parameters[1])
}
