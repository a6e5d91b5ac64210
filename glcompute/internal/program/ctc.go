package program

import (
	"math"

	"inkshade/glcompute/expr"
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
		v.Of(o.Loss)[b] = ctc(
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

func (o *CTC) Sharding(s Samples) Sharding { return s.Rows(o.Logits, o.Labels, o.Columns) }
func (o *CTC) With(f func(*Tensor) *Tensor) Op {
	return &CTC{f(o.Logits), f(o.Labels), f(o.Columns), f(o.Loss), f(o.ByLogits)}
}

// CTC records the loss [samples][1] of each text of labels, which are read from as many samples of logits.
func (p *Program) CTC(logits, labels, columns *Tensor) *Tensor {
	samples := labels.Rows
	requireShape("ctc", "the columns", columns, samples, 1)
	requireShape("ctc", "the logits", logits, max(logits.Rows/samples, 1)*samples, max(logits.Cols, 2))
	return p.made(&CTC{Logits: logits, Labels: labels, Columns: columns, Loss: p.result(samples, 1), ByLogits: p.result(logits.Rows, logits.Cols)})
}

// ctc computes the loss of one text and its gradient by the logits[columns][classes], the last class being the
// blank, by the forward and backward variables of Graves et al. (2006), equations 6 to 15, in logarithms. Of the columns the
// first count ones count, and of labels those before the first below zero.
func ctc(gradient, logits, labels []float64, count float64, classes int) (loss float64) {
	clear(gradient)
	columns, blank := len(logits)/classes, classes-1
	used := int(min(max(count, 0), float64(columns)))
	states := []int{blank} // the text with a blank before, between and behind its labels
	for _, l := range labels {
		if l < 0 {
			break
		}
		if !(l < float64(blank)) {
			return math.Inf(1)
		}
		states = append(states, int(l), blank)
	}
	n := len(states)
	if used == 0 {
		if n == 1 {
			return 0
		}
		return math.Inf(1)
	}
	logs := make([]float64, used*classes) // of the softmax
	for t := range used {
		row := logits[t*classes : (t+1)*classes]
		sum := math.Inf(-1)
		for _, z := range row {
			sum = logAdd(sum, z)
		}
		for k, z := range row {
			logs[t*classes+k] = z - sum
		}
	}
	// skips tells whether a path may go from state s-2 to s, without the blank between.
	skips := func(s int) bool { return s >= 2 && states[s] != blank && states[s] != states[s-2] }
	// Of a path that is in state s in column t: alpha is the probability of its beginning up to there, beta that of what follows.
	alpha, beta := make([]float64, used*n), make([]float64, used*n)
	for t := range used {
		for s := range n {
			sum := math.Inf(-1)
			if t == 0 && s < 2 {
				sum = 0
			}
			for back := 0; t > 0 && back <= 2 && back <= s; back++ {
				if back < 2 || skips(s) {
					sum = logAdd(sum, alpha[(t-1)*n+s-back])
				}
			}
			alpha[t*n+s] = sum + logs[t*classes+states[s]]
		}
	}
	for t := used - 1; t >= 0; t-- {
		for s := range n {
			sum := math.Inf(-1)
			if t == used-1 && s >= n-2 {
				sum = 0
			}
			for on := 0; t < used-1 && on <= 2 && s+on < n; on++ {
				if on < 2 || skips(s+on) {
					sum = logAdd(sum, beta[(t+1)*n+s+on]+logs[(t+1)*classes+states[s+on]])
				}
			}
			beta[t*n+s] = sum
		}
	}
	total := alpha[used*n-1]
	if n > 1 {
		total = logAdd(total, alpha[used*n-2])
	}
	if math.IsInf(total, -1) {
		return math.Inf(1)
	}
	for t := range used {
		for k := range classes {
			gradient[t*classes+k] = math.Exp(logs[t*classes+k])
		}
		for s, k := range states {
			gradient[t*classes+k] -= math.Exp(alpha[t*n+s] + beta[t*n+s] - total)
		}
	}
	return -total
}

// logAdd is ln(e^a + e^b).
func logAdd(a, b float64) float64 {
	top := max(a, b)
	if math.IsInf(top, -1) {
		return top
	}
	return top + math.Log(math.Exp(a-top)+math.Exp(b-top))
}
