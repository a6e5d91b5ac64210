package line_test

import (
	"slices"
	"testing"

	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// path is a stroke through these points, ten to a side.
func path(corners ...[2]float64) ink.Stroke {
	s := ink.Stroke{{X: corners[0][0], Y: corners[0][1]}}
	for _, c := range corners[1:] {
		from := s[len(s)-1]
		for i := 1; i <= 10; i++ {
			part := float64(i) / 10
			s = append(s, ink.Point{X: from.X + part*(c[0]-from.X), Y: from.Y + part*(c[1]-from.Y)})
		}
	}
	return s
}

func TestGestures(t *testing.T) {
	const height = 100
	letters := ink.Ink{path([2]float64{10, 20}, [2]float64{60, 90}), path([2]float64{100, 20}, [2]float64{150, 90}), path([2]float64{400, 20}, [2]float64{450, 90})}
	// A joined word is one stroke, and what scratches out its middle covers less than all of it.
	word := ink.Ink{path([2]float64{-300, 60}, [2]float64{-250, 20}, [2]float64{-150, 90}, [2]float64{-50, 20}, [2]float64{50, 80}, [2]float64{150, 20}, [2]float64{300, 90}, [2]float64{400, 20})}
	flat := path([2]float64{0, 50}, [2]float64{160, 52}, [2]float64{0, 54}, [2]float64{160, 56}, [2]float64{0, 58}, [2]float64{160, 60})
	dot := func(x, y float64) ink.Stroke { return ink.Stroke{{X: x, Y: y}} }
	zigzag := path([2]float64{0, 10}, [2]float64{160, 30}, [2]float64{0, 45}, [2]float64{160, 60}, [2]float64{0, 75}, [2]float64{160, 95})
	for name, c := range map[string]struct {
		stroke ink.Stroke
		before ink.Ink
		want   line.Gesture
		struck []int
	}{
		"scratch":                   {zigzag, letters, line.ScratchOut, []int{0, 1}},
		"scratch through a word":    {zigzag, word, line.ScratchOut, []int{0}},
		"scratch beside a word":     {zigzag, ink.Ink{letters[0], path([2]float64{150, 50}, [2]float64{400, 20})}, line.ScratchOut, []int{0}},
		"flat scratch of an i":      {flat, ink.Ink{path([2]float64{80, 20}, [2]float64{82, 90}), dot(90, -10), path([2]float64{250, 20}, [2]float64{252, 90}), dot(260, -10), dot(100, 90)}, line.ScratchOut, []int{0, 1}},
		"flat scratch":              {flat, letters, line.ScratchOut, []int{0, 1}},
		"flat over their heads":     {flat, ink.Ink{path([2]float64{10, 57}, [2]float64{60, 157}), path([2]float64{100, 57}, [2]float64{150, 157})}, line.NoGesture, nil},
		"zigzag on empty paper":     {zigzag, nil, line.NoGesture, nil},
		"zigzag beside":             {zigzag, letters[2:], line.NoGesture, nil},
		"left":                      {path([2]float64{900, 50}, [2]float64{600, 60}), letters, line.StrokeLeft, nil},
		"right":                     {path([2]float64{600, 50}, [2]float64{900, 45}), letters, line.StrokeRight, nil},
		"a dash":                    {path([2]float64{600, 50}, [2]float64{680, 50}), letters, line.NoGesture, nil},
		"crossing what is there":    {path([2]float64{0, 30}, [2]float64{300, 30}), letters, line.NoGesture, nil},
		"one over another's head":   {path([2]float64{0, -20}, [2]float64{300, -20}), letters, line.NoGesture, nil},
		"a stroke of a tall letter": {path([2]float64{600, 0}, [2]float64{850, 190}), letters, line.NoGesture, nil},
		"there and back":            {path([2]float64{600, 50}, [2]float64{900, 50}, [2]float64{620, 52}), letters, line.NoGesture, nil},
		"a dot":                     {ink.Stroke{{X: 600, Y: 50}}, letters, line.NoGesture, nil},
		"nothing":                   {nil, letters, line.NoGesture, nil},
	} {
		got, struck := line.GestureOf(c.stroke, c.before, height, line.LongStroke*height)
		if got != c.want || !slices.Equal(struck, c.struck) && c.want == line.ScratchOut {
			t.Errorf("%s: gesture %d of strokes %v, want %d of %v", name, got, struck, c.want, c.struck)
		}
	}
}

// What goes back and forth through the middle of printed letters strikes them out.
func TestWordsAreScratchedOut(t *testing.T) {
	words, taken, strokes, struck := 0, 0, 0, 0
	for _, s := range readInk(t, "words", "words.jsonl.gz") {
		x0, y0, x1, y1, _ := s.Ink.Bounds()
		if len(s.Ink) < len([]rune(s.Label)) { // joined
			continue
		}
		middle, height := (y0+y1)/2, y1-y0
		var there [][2]float64
		for i := range 7 {
			there = append(there, [2]float64{[]float64{x0, x1}[i%2], middle + height*0.05*float64(i-3)})
		}
		words++
		strokes += len(s.Ink)
		if g, all := line.GestureOf(path(there...), s.Ink, height, line.LongStroke*height); g == line.ScratchOut {
			taken++
			struck += len(all)
		}
	}
	t.Logf("something of %d of %d words is scratched out, %d of their %d strokes", taken, words, struck, strokes)
	if taken*100 < 95*words {
		t.Errorf("%d of %d words are scratched out", taken, words)
	}
}

// What people write is no gesture: of all strokes of words at most one in ten thousand is taken for one.
func TestWritingIsNoGesture(t *testing.T) {
	strokes, taken := 0, map[line.Gesture]int{}
	for _, s := range readInk(t, "words", "words.jsonl.gz") {
		_, y0, _, y1, _ := s.Ink.Bounds()
		for i := range s.Ink {
			strokes++
			if g, _ := line.GestureOf(s.Ink[i], s.Ink[:i], y1-y0, line.LongStroke*(y1-y0)); g != line.NoGesture {
				taken[g]++
			}
		}
	}
	t.Logf("%d strokes, taken for gestures %v", strokes, taken)
	if n := taken[line.ScratchOut] + taken[line.StrokeLeft] + taken[line.StrokeRight]; strokes < 10000 || n*10000 > strokes {
		t.Errorf("of %d strokes %d are taken for gestures: %v", strokes, n, taken)
	}
}
