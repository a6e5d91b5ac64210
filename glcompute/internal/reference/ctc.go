package reference

import "math"

// CTC computes the loss of one text and its gradient by the logits[columns][classes], the last class being the
// blank, by the forward and backward variables of Graves et al. (2006), equations 6 to 15, in logarithms. Of the columns the
// first count ones count, and of labels those before the first below zero.
func CTC(gradient, logits, labels []float64, count float64, classes int) (loss float64) {
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
