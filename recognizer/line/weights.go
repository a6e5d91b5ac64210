package line

import (
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The terms of a path's score, each summed over its characters or over neighbouring ones. A path's probability among
// those of a line is the softmax of the weighted sums.
const (
	perCharacter      = iota // 1
	perPiece                 // pieces beyond the first
	wide                     // how much wider than the writing's size
	veryWide                 // than one and a half times that
	gapWithin                // the widest gap between its pieces, in sizes
	cutEdges                 // where a stroke was cut and the character ends
	cutHeights               // how high in the stroke these lie, from 0 to 1: people join at the foot
	joinedCuts               // where a stroke was not cut after all
	unlike                   // 1 where it is like no character
	outOfDistribution        // how unlike those that are known
	doubt                    // -ln p of the likeliest label
	looks                    // ln p of the label
	extent                   // ln density of its height and width in sizes, by label
	places                   // ln density of its top and bottom beside those of the character before, by the shapes of both
	gapBetween               // to the character before, in sizes
	overlap                  // with the character before, in sizes
	kinds                    // ln p of its kind (digit, capital, small letter, sign) after that of the one before
	english                  // ln p of the letter after those before it, and of the end of the word, against all letters being alike
	spelled                  // 1 where the language has an opinion
	termCount
)

// termNames are the names of the terms in weights.json.
var termNames = [termCount]string{
	"per character", "per piece", "wide", "very wide", "gap within", "cut edges", "cut heights", "joined cuts", "unlike", "novelty", "doubt",
	"looks", "extent", "places", "gap between", "overlap", "kinds", "english", "spelled",
}

// terms holds a value, or a weight, for each term.
type terms [termCount]float64

func (t *terms) dot(w *terms) float64 {
	sum := 0.0
	for i, v := range t {
		sum += v * w[i]
	}
	return sum
}

// spread is a normal density of two independent values.
type spread struct {
	Mean, Deviation [2]float64
	scale           float64 // ln of the product of the deviations
}

// log is the density's logarithm, bounded below: what nobody wrote so far is not impossible.
func (s *spread) log(v [2]float64) float64 {
	a, b := (v[0]-s.Mean[0])/s.Deviation[0], (v[1]-s.Mean[1])/s.Deviation[1]
	return max(-(a*a+b*b)/2-s.scale, -6)
}

// weights is what was learned of how people write lines; learn_test.go makes them.
type weights struct {
	Model   string // whose answers they were learned with
	Terms   map[string]float64
	Extents map[string]*spread // by label
	// By two neighbours: the first in rows, in the order of shapes and of kinds.
	Places [shapeCount][shapeCount]spread
	Kinds  [kindCount + 1][kindCount]float64 // ln p; the last row is the beginning of a word

	terms terms
}

//go:embed weights.json
var weightsFile []byte

var shipped = func() *weights {
	w := &weights{}
	if err := json.Unmarshal(weightsFile, w); err != nil {
		panic("line: weights.json: " + err.Error())
	}
	for i, name := range termNames {
		w.terms[i] = w.Terms[name]
	}
	w.scale()
	return w
}()

// scale prepares the densities for use.
func (w *weights) scale() {
	set := func(s *spread) { s.scale = math.Log(s.Deviation[0] * s.Deviation[1]) }
	for _, s := range w.Extents {
		set(s)
	}
	for i := range w.Places {
		for j := range w.Places[i] {
			set(&w.Places[i][j])
		}
	}
}

// extent is the ln density of the size of a character; that of one of which nothing is known is that of none.
func (w *weights) extent(label string, b Box, size float64) float64 {
	if s, ok := w.Extents[label]; ok {
		return s.log(extentOf(b, size))
	}
	return unknownExtent
}

// unknownExtent stands for the density of characters that were not learned from: that of the usual one.
const unknownExtent = 1.0

// extentOf is what Extents are densities of.
func extentOf(b Box, size float64) [2]float64 {
	return [2]float64{math.Log(b.height()/size + 0.1), math.Log(b.width()/size + 0.1)}
}

// placeOf is what Places are densities of: tops and bottoms, in heights of both together.
func placeOf(before, b Box, size float64) [2]float64 {
	h := max(before.union(b).height(), 0.3*size)
	return [2]float64{(b.MinY - before.MinY) / h, (b.MaxY - before.MaxY) / h}
}

// shapes lists what characters share their place on the line; the first is that of all others, which are tall.
var shapes = []string{"", "acemnorsuvwxz", "gpqy", "i", "j", "t", ".,_", "'\"^`*", "-=+~:;<>", "()[]{}|/\\$@#%&!?"}

const shapeCount = 10

// shapeOf is the place of a label's shape among shapes.
func shapeOf(label string) int {
	return max(0, slices.IndexFunc(shapes, func(s string) bool { return strings.Contains(s, label) }))
}

// The kinds of characters.
const (
	digit = iota
	capital
	small // and letters without case
	sign
	kindCount
	start = kindCount // what stands before a word
)

func kindOf(label string) int {
	switch r, _ := utf8.DecodeRuneInString(label); {
	case unicode.IsDigit(r):
		return digit
	case unicode.IsUpper(r):
		return capital
	case unicode.IsLetter(r):
		return small
	}
	return sign
}

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
