package nn

import "fmt"

// Shape is that of a value of one sample: an image of Height times Width positions with
// Channels values each. A vector has one position.
type Shape struct{ Height, Width, Channels int }

// Vector is the shape of n values.
func Vector(n int) Shape { return Shape{1, 1, n} }

// Positions is the number of rows that a sample has in a tensor [batch·Positions][Channels].
func (s Shape) Positions() int { return s.Height * s.Width }

// Size is the number of values.
func (s Shape) Size() int { return s.Positions() * s.Channels }

// String is "28x28x1" or, of a vector, "10".
func (s Shape) String() string {
	if s.Positions() == 1 {
		return fmt.Sprint(s.Channels)
	}
	return fmt.Sprintf("%dx%dx%d", s.Height, s.Width, s.Channels)
}

// mostValues is the largest size of a value of one sample.
const mostValues = 1 << 24

func (s Shape) valid() bool {
	return min(s.Height, s.Width, s.Channels) >= 1 && s.Height <= mostValues &&
		s.Width <= mostValues/s.Height && s.Channels <= mostValues/s.Height/s.Width
}
