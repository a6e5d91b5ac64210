package cpu

import (
	"math"

	"inkshade/glcompute/internal/program"
)

func init() {
	register(func(b *builder, op *program.CTC) func() {
		columns, classes, longest := op.PerSample(), op.Logits.Cols, op.Labels.Cols
		logits, labels, counts, loss, gradient := b.Of(op.Logits), b.Of(op.Labels), b.Of(op.Columns), b.Of(op.Loss), b.Of(op.ByLogits)
		all := make([]alignment, b.threads)
		for i := range all {
			n := 2*longest + 1
			all[i] = alignment{
				classes: classes, states: make([]int32, 0, n), skips: make([]bool, 0, n),
				logs: b.Scratch(columns * n), alpha: b.Scratch(columns * n), beta: b.Scratch(2 * n),
			}
		}
		return b.parallelOn(op.Loss.Rows, columns*(classes+6*longest)*costExp, func(thread, from, to int) {
			for i := from; i < to; i++ {
				at := i * columns * classes
				loss[i] = all[thread].loss(gradient[at:at+columns*classes], logits[at:at+columns*classes], labels[i*longest:(i+1)*longest], counts[i])
			}
		})
	})
}

// alignment has what a thread needs to lay a text over columns, see reference.CTC.
type alignment struct {
	classes           int
	states            []int32 // the text with blanks around its labels
	skips             []bool  // by state: reached also from the one before the blank
	logs, alpha, beta []float32
}

var impossible = float32(math.Inf(-1))

// spell makes the states of a text; false where it holds what is no class.
func (a *alignment) spell(labels []float32) bool {
	blank := int32(a.classes - 1)
	a.states, a.skips = append(a.states[:0], blank), append(a.skips[:0], false)
	before := blank
	for _, l := range labels {
		if l < 0 {
			break
		}
		if !(l < float32(blank)) {
			return false
		}
		a.states, a.skips = append(a.states, int32(l), blank), append(a.skips, int32(l) != before && before != blank, false)
		before = int32(l)
	}
	return true
}

// loss is -ln of the text's probability, with its gradient by the logits.
func (a *alignment) loss(gradient, logits, labels []float32, count float32) float32 {
	clear(gradient)
	used := int(min(max(count, 0), float32(len(logits)/a.classes)))
	if !a.spell(labels) || used == 0 && len(a.states) > 1 {
		return -impossible
	}
	if used == 0 {
		return 0
	}
	n := len(a.states)
	for t := range used {
		row, p := logits[t*a.classes:(t+1)*a.classes], gradient[t*a.classes:(t+1)*a.classes]
		top, scale := softmax(p, row)
		sum := top - float32(math.Log(float64(scale))) // in logarithms
		for s, k := range a.states {
			a.logs[t*n+s] = row[k] - sum
		}
	}
	for t := range used {
		a.forward(t)
	}
	total := a.alpha[used*n-1]
	if n > 1 {
		total = add2(total, a.alpha[used*n-2])
	}
	if total == impossible {
		clear(gradient)
		return -impossible
	}
	for t := used - 1; t >= 0; t-- {
		beta := a.backward(t, used)
		p := gradient[t*a.classes : (t+1)*a.classes]
		for s, k := range a.states {
			if v := a.alpha[t*n+s] + beta[s] - total; v != impossible {
				p[k] -= float32(math.Exp(float64(v)))
			}
		}
	}
	return -total
}

// forward makes the column t of alpha.
func (a *alignment) forward(t int) {
	n := len(a.states)
	now, logs := a.alpha[t*n:(t+1)*n], a.logs[t*n:(t+1)*n]
	if t == 0 {
		for s := range now {
			now[s] = impossible
			if s < 2 {
				now[s] = logs[s]
			}
		}
		return
	}
	before := a.alpha[(t-1)*n : t*n]
	for s := range now {
		sum := before[s]
		if s > 0 {
			sum = add2(sum, before[s-1])
		}
		if a.skips[s] {
			sum = add2(sum, before[s-2])
		}
		now[s] = sum + logs[s]
	}
}

// backward makes the column t of beta, of which this and the next are held.
func (a *alignment) backward(t, used int) []float32 {
	n := len(a.states)
	now, next := a.beta[t%2*n:][:n], a.beta[(t+1)%2*n:][:n]
	if t == used-1 {
		for s := range now {
			now[s] = impossible
			if s >= n-2 {
				now[s] = 0
			}
		}
		return now
	}
	logs := a.logs[(t+1)*n : (t+2)*n]
	for s := range next {
		next[s] += logs[s]
	}
	for s := range now {
		sum := next[s]
		if s+1 < n {
			sum = add2(sum, next[s+1])
		}
		if s+2 < n && a.skips[s+2] {
			sum = add2(sum, next[s+2])
		}
		now[s] = sum
	}
	return now
}

// add2 is ln(e^a + e^b).
func add2(a, b float32) float32 {
	if b > a {
		a, b = b, a
	}
	if b == impossible || b-a < -17 {
		return a
	}
	return a + float32(math.Log1p(float64(exp32(b-a))))
}
