package lvq

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

func TestKMeans(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	centres := [][]float32{{0, 0, 5}, {9, 0, 0}, {0, 9, 9}}
	var rows [][]float32
	for i := range 300 {
		c := centres[i%3]
		row := make([]float32, 3)
		for j := range row {
			row[j] = c[j] + float32(rng.NormFloat64())*0.3
		}
		rows = append(rows, row)
	}
	means, err := KMeans(t.Context(), rows, 3, rng)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range centres {
		if _, d := Closest(c, means); d > 0.05 {
			t.Errorf("no mean near %v: %v", c, means)
		}
	}
	same := [][]float32{{1, 2}, {1, 2}, {1, 2}}
	if got, err := KMeans(t.Context(), same, 5, rng); err != nil || len(got) != 1 || !reflect.DeepEqual(got[0], []float32{1, 2}) {
		t.Errorf("means of one row thrice: %v, %v", got, err)
	}
}
