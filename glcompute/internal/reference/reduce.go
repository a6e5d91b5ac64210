package reference

// Reduction makes one value of many: their sum, or one of the others.
type Reduction struct{ Mean, Largest, Smallest bool }

// add takes the value x with number i into what there is so far, n values before it.
func (r Reduction) add(value, index *float64, n int, x float64, i int) {
	switch {
	case !r.Largest && !r.Smallest:
		*value += x
	case n == 0 || r.Largest && x > *value || r.Smallest && x < *value:
		*value, *index = x, float64(i)
	}
}

// Lines reduces the values of term along each row, or each column, of [rows][cols]. index may
// be nil.
func (r Reduction) Lines(out, index []float64, rows, cols int, columns bool, term func(row, col int) float64) {
	lines, length := rows, cols
	if columns {
		lines, length = cols, rows
	}
	for l := range lines {
		value, at := 0.0, -1.0
		for i := range length {
			row, col := l, i
			if columns {
				row, col = i, l
			}
			r.add(&value, &at, i, term(row, col), i)
		}
		if r.Mean {
			value /= float64(length)
		}
		out[l] = value
		if index != nil {
			index[l] = at
		}
	}
}

// Groups reduces x[images·pixels][cols] through a table [positions][taps] of pixels, -1 for
// none: out[images·positions][cols]. index and match may be nil; with match[images·pixels][cols] a tap counts
// only where that is its number.
func (r Reduction) Groups(out, index, x, match []float64, images, pixels, positions, taps, cols int, table func(position, tap int) int) {
	for n := range images {
		for p := range positions {
			for c := range cols {
				value, at, count := 0.0, -1.0, 0
				for t := range taps {
					q := table(p, t)
					if q < 0 {
						continue
					}
					i := (n*pixels+q)*cols + c
					if match != nil && match[i] != float64(t) {
						continue
					}
					r.add(&value, &at, count, x[i], t)
					count++
				}
				if r.Mean {
					value /= float64(taps)
				}
				o := (n*positions+p)*cols + c
				out[o] = value
				if index != nil {
					index[o] = at
				}
			}
		}
	}
}
