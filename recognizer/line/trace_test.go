package line_test

import (
	"fmt"
	"math"
	"testing"

	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// A page that was photographed at an angle is turned until its lines are level; a single short word is not.
func TestTraceLevelsLines(t *testing.T) {
	page := func(lines, letters int, degrees float64) ink.Ink {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		var k ink.Ink
		for row := range lines {
			for i := range letters {
				var s ink.Stroke
				for j := range 40 { // zigzags
					x, y := float64(30*i+j/2), float64(80*row)+20*math.Abs(math.Sin(float64(j)/6))
					s = append(s, ink.Point{X: x*cos - y*sin, Y: x*sin + y*cos})
				}
				k = append(k, s)
			}
		}
		return k
	}
	for _, c := range []struct {
		lines, letters int
		degrees, want  float64
	}{{3, 20, 0, 0}, {3, 20, 7, 0}, {3, 20, -11, 0}, {1, 20, 5, 0}, {1, 3, 7, 7}} {
		t.Run(fmt.Sprint(c.lines, c.letters, c.degrees), func(t *testing.T) {
			img, err := ink.Paint(page(c.lines, c.letters, c.degrees), 900, 4)
			if err != nil {
				t.Fatal(err)
			}
			k, err := line.Trace(img)
			if err != nil {
				t.Fatal(err)
			}
			// The strokes of the first row, from the first to the last.
			left, right := k[0][0], k[0][0]
			_, y0, _, y1, _ := k.Bounds()
			for _, s := range k {
				if p := s[0]; c.lines == 1 || p.Y < y0+(y1-y0)/float64(2*c.lines) {
					if p.X < left.X {
						left = p
					}
					if p.X > right.X {
						right = p
					}
				}
			}
			if got := math.Atan2(right.Y-left.Y, right.X-left.X) * 180 / math.Pi; math.Abs(got-c.want) > 2 {
				t.Errorf("the line lies at %.1f degrees, want %.0f", got, c.want)
			}
		})
	}
}
