package nn

import (
	"math"

	"inkshade/glcompute"
)

// Loss is what training makes small, with the function of the logits z that it judges. The
// network itself always ends in logits; the first answer is the same by each of them.
// Squared errors after tanh or sigmoid are what the pixel-shader patent trains with
// (US 7,219,085, Microsoft, description), cross-entropy after softmax what suits classes best.
//
// It is named after that function; the empty one is CrossEntropy.
type Loss string

const (
	CrossEntropy   Loss = "softmax" // -Σ t·ln softmax(z), targets 0 to 1
	SquaredTanh    Loss = "tanh"    // Σ (tanh z - t)² / classes, targets -1 to 1
	SquaredSigmoid Loss = "sigmoid" // Σ (sigmoid z - t)² / classes, targets 0 to 1
	CTC            Loss = "ctc"     // -ln of the probability of a text, see Program.CTC of glcompute, of networks that read lines
)

// LongestText is the number of characters that a line has at most while its reading is learned.
const LongestText = 40

// TargetSize is the number of values in the target of a sample: one for each class, or of CTC the number of columns
// that count and then the classes of the text, -1 filling up.
func (l Loss) TargetSize(classes int) int {
	if l == CTC {
		return 1 + LongestText
	}
	return classes
}

// Losses lists all of them.
var Losses = []Loss{CrossEntropy, SquaredTanh, SquaredSigmoid}

// Target is the value that stands for a share of a class: the share itself, or for tanh
// 2·share - 1.
func (l Loss) Target(share float32) float32 {
	if l == SquaredTanh {
		return 2*share - 1
	}
	return share
}

// LogSum is ln Σ exp(z/T) over the allowed classes, nil for all: z/T less this is the logarithm of a
// class's probability, the softmax at temperature T.
func LogSum(logits []float32, temperature float64, allowed []bool) float64 {
	top, sum := math.Inf(-1), 0.0
	for i, z := range logits {
		if allowed == nil || allowed[i] {
			top = max(top, float64(z))
		}
	}
	for i, z := range logits {
		if allowed == nil || allowed[i] {
			sum += math.Exp((float64(z) - top) / temperature)
		}
	}
	return top/temperature + math.Log(sum)
}

// Softmax makes the probabilities of its classes of logits, in place.
func Softmax(logits []float32) {
	sum := LogSum(logits, 1, nil)
	for i, z := range logits {
		logits[i] = float32(math.Exp(float64(z) - sum))
	}
}

// record records the outputs and the loss of each row; of CTC one output, above zero where the text is the first answer.
func (l Loss) record(p *glcompute.Program, logits, target *glcompute.Tensor) (outputs, loss *glcompute.Tensor) {
	if l == CTC {
		loss = p.CTC(logits, p.Slice(target, 1, LongestText), p.Slice(target, 0, 1))
		// More than half of the probability makes a text the first answer.
		return p.Elementwise("sure", glcompute.Sub(glcompute.Exp(glcompute.Neg(glcompute.Arg(0))), glcompute.Const(0.5)), loss), loss
	}
	if l == CrossEntropy || l == "" {
		outputs = p.Softmax(logits)
		return outputs, p.CrossEntropy(outputs, target)
	}
	outputs = p.Apply(mustFunction(string(l)), logits)
	square := glcompute.Square(glcompute.Sub(glcompute.Arg(0), glcompute.Arg(1)))
	return outputs, p.Reduce(glcompute.ReduceMean, glcompute.AlongRows, square, outputs, target)
}
