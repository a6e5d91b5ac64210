package program

import "fmt"

// Counted is an input with a capacity and a count: every replay binds as many rows as there are, up
// to the capacity. The rest reads as zero, and Count says how many there are, so that formulas can
// divide by it: one program serves the last mini-batch of a set as well as all the others.
type Counted struct {
	X     *Tensor // [capacity][cols]
	Count *Tensor // [1][1]

	data  []float32
	count [1]float32
}

// CountedInput declares an input of at most so many rows.
func (p *Program) CountedInput(capacity, cols int) *Counted {
	return &Counted{X: p.Input(capacity, cols), Count: p.Input(1, 1), data: make([]float32, capacity*cols)}
}

// In binds rows, row-major. The bindings hold until the next call. It fails where there are more
// than the capacity, or a part of one.
func (c *Counted) In(rows []float32) ([]Binding, error) {
	if len(rows) > len(c.data) || len(rows)%c.X.Cols != 0 {
		return nil, fmt.Errorf("%d values are no rows of %s", len(rows), c.X)
	}
	clear(c.data[copy(c.data, rows):])
	c.count[0] = float32(len(rows) / c.X.Cols)
	return []Binding{In(c.X, c.data), In(c.Count, c.count[:])}, nil
}
