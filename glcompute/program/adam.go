package program

import "inkshade/glcompute/reference"

// Adam is one step of the adaptive moment estimation, in place on W, M and V:
//
//	G = DW + Decay·W
//	M = Beta1·M + (1 - Beta1)·G
//	V = Beta2·V + (1 - Beta2)·G²
//	W = W - Rate · (M/Correction1) / (√(V/Correction2) + Epsilon)
//
// Settings is [1][7]: rate, beta1, beta2, epsilon, decay, correction1 = 1 - beta1^t,
// correction2 = 1 - beta2^t, where t counts the steps from 1. Epsilon must be above zero.
// Kingma and Ba, "Adam: a method for stochastic optimization" (2015), algorithm 1.
type Adam struct{ W, M, V, DW, Settings *Tensor }

// AdamSettings is the number of values of Adam's settings.
const AdamSettings = 7

func (o *Adam) Name() string      { return "adam" }
func (o *Adam) Reads() []*Tensor  { return []*Tensor{o.W, o.M, o.V, o.DW, o.Settings} }
func (o *Adam) Writes() []*Tensor { return []*Tensor{o.W, o.M, o.V} }
func (o *Adam) Reference(v Values) {
	reference.Adam(v.Of(o.W), v.Of(o.M), v.Of(o.V), v.Of(o.DW), v.Of(o.Settings))
}

// Adam records the update. w and its moments m and v must be variables; all but settings
// have the shape of w.
func (p *Program) Adam(w, m, v, dw, settings *Tensor) {
	requireShape("adam", "the first moment", m, w.Rows, w.Cols)
	requireShape("adam", "the second moment", v, w.Rows, w.Cols)
	requireShape("adam", "the gradient", dw, w.Rows, w.Cols)
	requireShape("adam", "the settings", settings, 1, AdamSettings)
	for _, t := range []*Tensor{w, m, v} {
		if t.Kind != Variable {
			panic("program: adam: " + t.String() + " must be a variable, or the step would be lost")
		}
	}
	p.Record(&Adam{W: w, M: m, V: v, DW: dw, Settings: settings})
}
