package program

import (
	"fmt"
	"math"
)

// Nearest finds two columns in each row of D[rows][n] at once: that of the smallest value among
// the columns of the row's own class, which are the columns from PerClass·Class to before
// PerClass·(Class+1), and that of the smallest among all others (Su et al., "GPU-based large-scale
// prototype learning", 2016, whose D are distances to prototypes):
//
//	Out[r] = own value, other value, own column, other column
//
// Of equal values the first counts, and a value that is no number counts as smaller than any. Where
// there is no column, as for a class below 0 or past the last, the value is Farthest and the column -1.
type Nearest struct {
	D, Class *Tensor // Class is [rows][1], whole numbers
	PerClass int
	Out      *Tensor // [rows][4]
}

// Farthest is beyond all distances; its square is a number that divides to zero.
const Farthest = 1 << 100

func (o *Nearest) Name() string      { return "nearest" }
func (o *Nearest) Reads() []*Tensor  { return []*Tensor{o.D, o.Class} }
func (o *Nearest) Writes() []*Tensor { return []*Tensor{o.Out} }

func (o *Nearest) Reference(v Values) {
	d, class := v.Of(o.D), v.Of(o.Class)
	for r := range o.D.Rows {
		found := v.Of(o.Out)[4*r : 4*r+4]
		copy(found, []float64{Farthest, Farthest, -1, -1})
		for j, v := range d[r*o.D.Cols : (r+1)*o.D.Cols] {
			at := 1
			if float64(j/o.PerClass) == class[r] {
				at = 0
			}
			if best := found[at]; !math.IsNaN(best) && (v < best || math.IsNaN(v)) {
				found[at], found[at+2] = v, float64(j)
			}
		}
	}
}

// Gradient: there is none by the place of a value; Gather what is there and go on with that.
func (o *Nearest) Gradient(b *Backward) { b.none("%s", o.Name()) }

func (o *Nearest) Sharding(s Samples) Sharding { return s.Rows(o.D, o.Class) }
func (o *Nearest) With(f func(*Tensor) *Tensor) Op {
	return &Nearest{f(o.D), f(o.Class), o.PerClass, f(o.Out)}
}

// Nearest records the nearest of each row's class and the nearest of all others, with their columns.
func (p *Program) Nearest(d, class *Tensor, perClass int) *Tensor {
	requireShape("nearest", "the classes", class, d.Rows, 1)
	if perClass < 1 {
		panic(fmt.Sprintf("program: nearest: %d columns of a class; there must be at least 1", perClass))
	}
	return p.made(&Nearest{D: d, Class: class, PerClass: perClass, Out: p.result(d.Rows, 4)})
}
