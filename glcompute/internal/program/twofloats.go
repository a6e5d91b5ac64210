package program

import "inkshade/glcompute/internal/reference"

// SGDTwoFloats is SGD of parameters that are the sum of two floats, W + Low, W being that sum
// rounded to float32 and Low what the rounding left out, so that steps far smaller than half
// a unit in the last place of W are not lost:
//
//	V = Momentum·V + DW + Decay·(W + Low - Anchor)
//	W, Low = two floats of (W + Low - Rate·V)
//
// Parameters in two parts are in the description of the pixel-shader patent (US 7,219,085,
// Microsoft); the error of the sum is taken as in Dekker, "A floating-point technique for extending
// the available precision" (1971).
type SGDTwoFloats struct{ W, Low, V, DW, Anchor, Settings *Tensor }

func (o *SGDTwoFloats) Name() string { return "sgd in two floats" }

func (o *SGDTwoFloats) Reads() []*Tensor {
	in := []*Tensor{o.W, o.Low, o.V, o.DW, o.Settings}
	if o.Anchor != nil {
		in = append(in, o.Anchor)
	}
	return in
}

func (o *SGDTwoFloats) Writes() []*Tensor { return []*Tensor{o.W, o.V, o.Low} }

func (o *SGDTwoFloats) Reference(v Values) {
	s := v.Of(o.Settings)
	reference.SGDTwoFloats(v.Of(o.W), v.Of(o.Low), v.Of(o.V), v.Of(o.DW), v.Of(o.Anchor), s[0], s[1], s[2])
}

func (o *SGDTwoFloats) Flow(s Samples) Flow { return s.None(o.Reads()...) }
func (o *SGDTwoFloats) With(f func(*Tensor) *Tensor) Op {
	return &SGDTwoFloats{f(o.W), f(o.Low), f(o.V), f(o.DW), f(o.Anchor), f(o.Settings)}
}

func (o *SGDTwoFloats) Gradient(b *Backward) { b.none("%s", o.Name()) }

// SGDTwoFloats records the update of w + low; w, low, which is zero at first, and the momentum v
// are variables. anchor may be nil; all but the settings, those of SGD, have the shape of w.
func (p *Program) SGDTwoFloats(w, low, v, dw, anchor, settings *Tensor) {
	requireStep(w, v, dw, anchor, settings)
	requireShape("sgd", "the low part", low, w.Rows, w.Cols)
	if low.Kind != Variable {
		panic("program: sgd: " + low.String() + " must be a variable, or the step would be lost")
	}
	p.Record(&SGDTwoFloats{W: w, Low: low, V: v, DW: dw, Anchor: anchor, Settings: settings})
}
