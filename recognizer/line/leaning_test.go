package line

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"inkshade/recognizer/ink"
)

// The probability of a text is the sum over every way to place it in the columns.
func TestLogPSumsOverAllWays(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		const labels = 3
		columns := make([][]float64, 1+r.IntN(6))
		for i := range columns {
			columns[i] = make([]float64, labels+1)
			for j := range columns[i] {
				columns[i][j] = math.Exp(3 * r.NormFloat64())
			}
		}
		text := make([]int, r.IntN(4))
		for i := range text {
			text[i] = r.IntN(labels)
		}
		want := 0.0
		var walk func(column int, p float64, read []int, last int)
		walk = func(column int, p float64, read []int, last int) {
			if column == len(columns) {
				if slices.Equal(read, text) {
					want += p
				}
				return
			}
			for class, q := range columns[column] {
				now := read
				if class < labels && class != last {
					now = append(slices.Clone(read), class)
				}
				walk(column+1, p*q, now, class)
			}
		}
		walk(0, 1, nil, -1)
		if got := logP(columns, text); math.Abs(math.Exp(got)-want) > 1e-9*want {
			t.Errorf("%v in %d columns: p %g, want %g", text, len(columns), math.Exp(got), want)
		}
	}
	long := make([][]float64, 3000) // which underflow, and most states are next to nothing
	for i := range long {
		long[i] = []float64{1e-9, 1e-9, 1e-9, 1e-3}
		if i%3 == 0 {
			long[i][i/3%2] = 1e-2
		}
	}
	text := make([]int, 1000)
	for i := range text {
		text[i] = i % 2
	}
	if got, want := logP(long, text), 1000*math.Log(1e-2)+2000*math.Log(1e-3); math.Abs(got-want) > 1e-2 {
		t.Errorf("a long text: ln p %g, want %g", got, want)
	}
}

// A line is what it is read as however it leans: the doubt of one leaning is settled by the others.
func TestLeaningsAreReadTogether(t *testing.T) {
	stroke := ink.Stroke{{X: 0, Y: 0}, {X: 0, Y: 10}, {X: 4, Y: 10}, {X: 4, Y: 0}}
	asked := 0
	all, err := ReadColumns(t.Context(), []ink.Ink{{stroke}}, Options{}, func(_ context.Context, lines []ink.Ink) ([]Columns, error) {
		var all []Columns
		for i, k := range lines {
			x0, _, _, _, _ := k.Bounds()
			a := 0.9 // as it is an a, and a b leaning either way
			if i > 0 {
				a = 0.2
			}
			asked++
			ln := func(p ...float64) (column []float64) {
				for _, v := range p {
					column = append(column, math.Log(v))
				}
				return column
			}
			all = append(all, Columns{Labels: []string{"a", "b"}, From: x0, Step: 2, LogP: [][]float64{ln(0.01, 0.01, 0.98), ln(a, 1-a, 0.001), ln(0.01, 0.01, 0.98)}})
		}
		return all, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := all[0]; r.Text != "b" || asked != 3 || r.Alternatives[1].Text != "a" {
		t.Errorf("%+v after %d leanings", r, asked)
	}
}
