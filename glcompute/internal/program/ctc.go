package program

import (
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/reference"
)

// CTC is the connectionist temporal classification loss (Graves et al., "Connectionist temporal classification:
// labelling unsegmented sequence data with recurrent neural networks", ICML 2006) of texts shorter than what they
// are read from: Loss[b] = -ln p(text b | logits of sample b), the sum over all paths that give the text when what
// is repeated in neighbouring columns is written once and blanks are left out.
//
// Logits are [samples·columns][classes+1], of which the last class is the blank; Labels [samples][longest] are the
// classes of each text, ended by one below zero; Columns [samples][1] is how many first columns of each
// sample count. ByLogits is the gradient of each loss by its logits, softmax less posterior, and zero in columns that
// do not count. A text that no path gives, being longer than its columns with one more wherever a class
// repeats, or holding what is no class, has the loss +Inf and the gradient zero.
type CTC struct{ Logits, Labels, Columns, Loss, ByLogits *Tensor }

func (o *CTC) Name() string      { return "ctc" }
func (o *CTC) Reads() []*Tensor  { return []*Tensor{o.Logits, o.Labels, o.Columns} }
func (o *CTC) Writes() []*Tensor { return []*Tensor{o.Loss, o.ByLogits} }

// PerSample is the number of columns that each sample has room for.
func (o *CTC) PerSample() int { return o.Logits.Rows / o.Loss.Rows }

func (o *CTC) Reference(v Values) {
	columns, classes, longest := o.PerSample(), o.Logits.Cols, o.Labels.Cols
	for b := range o.Loss.Rows {
		from, to := b*columns*classes, (b+1)*columns*classes
		v.Of(o.Loss)[b] = reference.CTC(
			v.Of(o.ByLogits)[from:to], v.Of(o.Logits)[from:to], v.Of(o.Labels)[b*longest:(b+1)*longest], v.Of(o.Columns)[b], classes,
		)
	}
}

// Gradient records that of the logits, ByLogits times that of each sample's loss.
func (o *CTC) Gradient(b *Backward) {
	if b.Needs(o.Labels) || b.Needs(o.Columns) {
		b.none("%s by its texts", o.Name())
		return
	}
	loss, samples := b.of[o.Loss], o.Loss.Rows
	args := []Operand{Whole(b.Reshape(o.ByLogits, samples, o.Logits.Len()/samples)), Whole(loss.t)}
	g := b.record("ctc-grad", samples, o.Logits.Len()/samples, expr.Mul(expr.Arg(0), loss.as(1)), args)
	b.Add(o.Logits, b.Reshape(g.t, o.Logits.Rows, o.Logits.Cols))
}

func (o *CTC) Flow(s Samples) Flow { return s.Rows(o.Logits, o.Labels, o.Columns) }
func (o *CTC) With(f func(*Tensor) *Tensor) Op {
	return &CTC{f(o.Logits), f(o.Labels), f(o.Columns), f(o.Loss), f(o.ByLogits)}
}

// CTC records the loss [samples][1] of each text of labels, which are read from as many samples of logits.
func (p *Program) CTC(logits, labels, columns *Tensor) *Tensor {
	samples := labels.Rows
	requireShape("ctc", "the columns", columns, samples, 1)
	requireShape("ctc", "the logits", logits, max(logits.Rows/samples, 1)*samples, max(logits.Cols, 2))
	o := &CTC{Logits: logits, Labels: labels, Columns: columns, Loss: p.result(samples, 1), ByLogits: p.result(logits.Rows, logits.Cols)}
	p.Record(o)
	return o.Loss
}
