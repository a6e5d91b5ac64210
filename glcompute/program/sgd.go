package program

import "inkshade/glcompute/reference"

// SGD is one step of gradient descent with momentum, in place on W and V:
//
//	V = Momentum·V + DW + Decay·(W - Anchor)
//	W = W - Rate·V
//
// Settings is [1][3]: rate, momentum, decay; being a tensor they can change with every
// replay. Anchor (may be nil, standing for zeros) is where the decay pulls: the shipped
// model in personal learning, so that what it knew is not forgotten.
//
// With Low (may be nil) a parameter is the sum of two floats, W + Low, W being that sum
// rounded to float32 and Low what the rounding left out, so that steps far smaller than half
// a unit in the last place of W are not lost:
//
//	V = Momentum·V + DW + Decay·(W + Low - Anchor)
//	W, Low = two floats of (W + Low - Rate·V)
//
// A step is the training of learnable parameters on the GPU in claims 2 and 3 of the
// pixel-shader patent (US 7,219,085, Microsoft); parameters in two parts are in its description;
// the error of the sum is taken as in Dekker, "A floating-point technique for extending
// the available precision" (1971).
type SGD struct{ W, Low, V, DW, Anchor, Settings *Tensor }

func (o *SGD) Name() string { return "sgd" }

func (o *SGD) Reads() []*Tensor {
	in := []*Tensor{o.W, o.V, o.DW, o.Settings}
	if o.Anchor != nil {
		in = append(in, o.Anchor)
	}
	if o.Low != nil {
		in = append(in, o.Low)
	}
	return in
}

func (o *SGD) Writes() []*Tensor {
	if o.Low != nil {
		return []*Tensor{o.W, o.V, o.Low}
	}
	return []*Tensor{o.W, o.V}
}

func (o *SGD) Reference(v Values) {
	s := v.Of(o.Settings)
	if o.Low != nil {
		reference.SGDTwoFloats(v.Of(o.W), v.Of(o.Low), v.Of(o.V), v.Of(o.DW), v.Of(o.Anchor), s[0], s[1], s[2])
		return
	}
	reference.SGD(v.Of(o.W), v.Of(o.V), v.Of(o.DW), v.Of(o.Anchor), s[0], s[1], s[2])
}

// Flow implements Divisible.
func (o *SGD) Flow(s Samples) Flow { return s.None(o.Reads()...) }

// With implements Divisible.
func (o *SGD) With(f func(*Tensor) *Tensor) Op {
	return &SGD{f(o.W), f(o.Low), f(o.V), f(o.DW), f(o.Anchor), f(o.Settings)}
}

// SGD records the update. w and v (its momentum) must be variables; all but settings
// have the shape of w.
func (p *Program) SGD(w, v, dw, anchor, settings *Tensor) {
	p.recordSGD(&SGD{W: w, V: v, DW: dw, Anchor: anchor, Settings: settings})
}

// SGDTwoFloats records the update of w + low; low is a variable of the shape of w, and
// zero at first.
func (p *Program) SGDTwoFloats(w, low, v, dw, anchor, settings *Tensor) {
	requireShape("sgd", "the low part", low, w.Rows, w.Cols)
	if low.Kind != Variable {
		panic("program: sgd: " + low.String() + " must be a variable, or the step would be lost")
	}
	p.recordSGD(&SGD{W: w, Low: low, V: v, DW: dw, Anchor: anchor, Settings: settings})
}

func (p *Program) recordSGD(o *SGD) {
	requireShape("sgd", "the momentum", o.V, o.W.Rows, o.W.Cols)
	requireShape("sgd", "the gradient", o.DW, o.W.Rows, o.W.Cols)
	requireShape("sgd", "the settings", o.Settings, 1, 3)
	if o.Anchor != nil {
		requireShape("sgd", "the anchor", o.Anchor, o.W.Rows, o.W.Cols)
	}
	if o.W.Kind != Variable || o.V.Kind != Variable {
		panic("program: sgd: " + o.W.String() + " and " + o.V.String() + " must be variables, or the step would be lost")
	}
	p.Record(o)
}
