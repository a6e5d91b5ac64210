package prototype

import (
	"math"
	"testing"

	"inkshade/recognizer/feature"
)

// A distance counts in units of the class's own spread, and a likely other class vouches
// for a drawing that looks like it.
func TestOutOfDistribution(t *testing.T) {
	at := func(first, pen float32) []float32 {
		x := make([]float32, feature.GradientSize+feature.PenSize)
		x[0], x[feature.GradientSize] = first, pen
		return x
	}
	s := &Set{Temperature: 1, Inputs: [][][]float32{{at(1, 1)}, {at(4, 1), at(9, 9)}}}
	for _, c := range s.Inputs {
		s.Shapes = append(s.Shapes, ShapesOf(c))
	}
	s.Spread = Spread{Gradient: []float64{2, 1}, Pen: []float64{1, 0.5}}
	const sure, ln2 = 1e4, math.Ln2 * doubtWeight
	for _, c := range []struct {
		first, pen float32
		logits     []float32
		want       float64
	}{
		{1, 1, []float32{sure, 0}, 0},
		{3, 1, []float32{sure, 0}, 2},     // 2² in units of 2
		{1, 2, []float32{sure, 0}, 1},     // of the pen
		{3, 0, []float32{sure, 0}, 4},     // a picture
		{5, 2, []float32{0, sure}, 1 + 2}, // the wider of two classes
		{4, 1, []float32{sure, 0}, 4.5},   // looks like the other, which is out of the question
		{4, 1, []float32{0, 0}, ln2},      // and which is as likely
		{5, 1, []float32{0, 0}, 1 + ln2},
		{90, 9, []float32{0, 0, sure}, 0}, // a class that came later
	} {
		if got := s.Score(at(c.first, c.pen), c.logits); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%g, %g with logits %g: score %g, want %g", c.first, c.pen, c.logits, got, c.want)
		}
	}
	s.Spread = Spread{}
	if got := s.Score(at(3, 1), []float32{sure, 0}); got != 4 {
		t.Errorf("compared by the edges alone: %g, want 4", got)
	}
	s.Limit, s.PictureLimit = 3, 5
	if drawing, picture := s.OutOfDistribution(at(3, 1), []float32{sure, 0}) > 1, s.OutOfDistribution(at(3, 0), []float32{sure, 0}) > 1; !drawing || picture {
		t.Errorf("score 4 is unknown of a drawing beyond 3: %t, of a picture beyond 5: %t", drawing, picture)
	}
	if s.PictureLimit = 0; s.OutOfDistribution(at(3, 0), []float32{sure, 0}) <= 1 {
		t.Error("in a set of an older file a picture has another limit")
	}
}
