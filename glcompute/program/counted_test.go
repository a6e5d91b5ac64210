package program

import (
	"slices"
	"testing"

	"inkshade/glcompute/expr"
)

// A mean divides by the rows that there are, and those of an earlier replay are gone.
func TestCounted(t *testing.T) {
	p := New()
	b := p.CountedInput(3, 2)
	mean := p.Elementwise("mean", expr.Div(expr.Arg(0), expr.Arg(1)), p.Sum(Columns, b.X), b.Count)
	for _, c := range []struct{ rows, want []float32 }{
		{[]float32{1, 2, 3, 4, 5, 9}, []float32{3, 5}},
		{[]float32{1, 2, 2, 4}, []float32{1.5, 3}},
		{[]float32{7, 8}, []float32{7, 8}},
	} {
		bindings, err := b.In(c.rows)
		if err != nil {
			t.Fatal(err)
		}
		v := Values{}
		for _, in := range bindings {
			for i, x := range in.Data {
				v.Of(in.Tensor)[i] = float64(x)
			}
		}
		p.RunReference(v)
		if got := v.Of(mean); !slices.Equal(got, []float64{float64(c.want[0]), float64(c.want[1])}) {
			t.Errorf("the mean of %v is %v, want %v", c.rows, got, c.want)
		}
	}
	for _, bad := range [][]float32{make([]float32, 8), make([]float32, 3)} {
		if _, err := b.In(bad); err == nil {
			t.Errorf("%d values were taken for rows of %s", len(bad), b.X)
		}
	}
}
