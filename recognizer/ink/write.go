package ink

import (
	"bufio"
	"strconv"

	"inkshade/glcompute/message"
)

// columns says how much is known of the points: 2 for x and y, 3 with time, 4 with
// pressure.
func (k Ink) columns() int {
	n := 2
	for _, s := range k {
		for _, p := range s {
			if p.Pressure != 0 {
				return 4
			}
			if p.T != 0 {
				n = 3
			}
		}
	}
	return n
}

func (p Point) values() [4]float64 { return [4]float64{p.X, p.Y, p.T, p.Pressure} }

// appendNumber writes so that reading gives the same float64. Minus zero becomes zero.
func appendNumber(b []byte, v float64) []byte {
	return strconv.AppendFloat(b, v+0, 'f', -1, 64)
}

// each calls write with every sample, cleaned, and then writes out what is buffered. A sample without ink is an error,
// as no format has a place for it.
func each(out *bufio.Writer, samples []Labelled, write func(Labelled) error) error {
	for i, s := range samples {
		if s.Ink = s.Ink.Clean(); len(s.Ink) == 0 {
			return message.Errorf("sample %d, labelled %.80q, has no ink; remove it", i+1, s.Label)
		}
		if err := write(s); err != nil {
			return message.Errorf("sample %d, labelled %.80q: %w", i+1, s.Label, err)
		}
	}
	return out.Flush()
}
