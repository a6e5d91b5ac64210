package widget

import (
	"image/color"
	"math"
	"testing"
)

// unevenness is the standard deviation of the angles by which a line turns at its points.
func unevenness(line []vec) float64 {
	var turns []float64
	mean := 0.0
	for i := 2; i < len(line); i++ {
		a, b := line[i-1], line[i]
		turn := math.Atan2(b.y-a.y, b.x-a.x) - math.Atan2(a.y-line[i-2].y, a.x-line[i-2].x)
		turn = math.Remainder(turn, 2*math.Pi)
		turns = append(turns, turn)
		mean += turn
	}
	mean /= float64(len(turns))
	sum := 0.0
	for _, t := range turns {
		sum += (t - mean) * (t - mean)
	}
	return math.Sqrt(sum / float64(len(turns)))
}

// A circle whose points stand on whole pixels, as a pointer's do, must not be drawn as a
// polygon.
func TestWholePixelsMakeNoCorners(t *testing.T) {
	p := newPen(newSheet(300, 300, color.NRGBA{A: 255}), 9)
	var written, drawn []vec
	for i := range 60 {
		angle := 2 * math.Pi * float64(i) / 62
		q := vec{math.Floor(150 + 90*math.Cos(angle)), math.Floor(150 + 90*math.Sin(angle))}
		p.add(q)
		if i >= 3 {
			written, drawn = append(written, q), append(drawn, p.control)
		}
	}
	if raw, got := unevenness(written), unevenness(drawn); got > 0.6*raw {
		t.Errorf("the curve turns by angles that vary by %.3f, its points by %.3f", got, raw)
	}
}

func TestACornerOfLongLinesStays(t *testing.T) {
	a, b, c := vec{0, 0}, vec{40, 0}, vec{10, 60}
	if got := smooth(a, b, c); got != b {
		t.Errorf("the corner %v is drawn at %v", b, got)
	}
}
