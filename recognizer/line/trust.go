package line

import (
	"math"
	"strings"
)

// signs are what tells how far a reading can be trusted: 1, the log-odds that its share of the paths gives, the mean ln p
// of its labels as the recogniser of characters has them alone, whatever the language, and the cuts through strokes to a
// character, of which joined writing has many.
type signs [4]float64

// trust are the weights of signs, learned by TestCalibrate.
var trust = signs{0.99, 1.22, 0.97, -1.42}

// signs of a path with a share of all paths.
func (r *row) signs(p path, share float64) signs {
	share = min(max(share, 1e-6), 1-1e-6)
	x := signs{1, math.Log(share / (1 - share))}
	for _, s := range p.steps {
		if r.pieces[s.group.first].fixed > 0 {
			continue
		}
		likely := 1e-4
		for _, c := range s.group.answer.Candidates {
			if strings.EqualFold(c.Label, s.text()) {
				likely = max(likely, c.Probability)
			}
		}
		x[2] += math.Log(likely) / float64(len(p.steps))
		x[3] += s.group.terms[cutEdges] / float64(len(p.steps))
	}
	return x
}

func (x signs) logistic(w signs) float64 {
	sum := 0.0
	for i, v := range x {
		sum += v * w[i]
	}
	return 1 / (1 + math.Exp(-sum))
}

// weigh makes right the probability of the first text; the others keep their order below it, and less than all is sure where
// nothing can be trusted.
func weigh(right float64, texts []Alternative, characters []Character) {
	share := texts[0].Confidence
	less := right / share
	others := min(less, (1-right)/max(1-share, 1e-9))
	texts[0].Confidence = right
	for i := range texts[1:] {
		texts[i+1].Confidence *= others
	}
	for i := range characters {
		if c := &characters[i]; !c.Fixed {
			c.Confidence *= min(less, 1)
		}
	}
}
