package widget

import (
	"fmt"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
)

func TestChartsStayInsideAndFewLines(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(Light))
	p := NewCurve("x", ColorMuted, func(v float64) string { return fmt.Sprintf("%.2g", v) })
	p.Sizes = []float64{0, 100000}
	for i := range 100000 {
		p.Series[0].Points = append(p.Series[0].Points, PlotPoint{X: float64(i + 1), Y: 3.2 / float64(i+1)})
	}
	p.Resize(fyne.NewSize(400, 300))
	xs, ys := p.axes()
	if ys.low != 0 || ys.high != 5 {
		t.Errorf("the axis goes from %v to %v, want 5", ys.low, ys.high)
	}
	if n := len(thinned(p.Series[0].Points, xs, 340)); n < 100 || n > 175 {
		t.Errorf("%d points for 340 units", n)
	}
	lines := 0
	for _, o := range p.Content.Objects {
		if l, ok := o.(*canvas.Line); ok {
			lines++
			for _, at := range []fyne.Position{l.Position1, l.Position2} {
				if at.X < 0 || at.X > 400 || at.Y < 0 || at.Y > 300 {
					t.Errorf("a line goes to %v", at)
				}
			}
		}
	}
	if lines < 100 || lines > 200 {
		t.Errorf("%d lines", lines)
	}
}

// The whiskers of the readings stay on the chart, and none is cut at its edges.
func TestWhiskersStayInside(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(Light))
	p := NewPlot()
	p.Sizes = []float64{1, 100}
	p.Series = []PlotSeries{{Color: ColorMuted, Points: []PlotPoint{{X: 1, Y: 10, Low: 0.2, High: 900}, {X: 100, Y: 12, Low: 11, High: 13}}}}
	p.Resize(fyne.NewSize(400, 300))
	for _, o := range p.Content.Objects {
		if l, ok := o.(*canvas.Line); ok && (min(l.Position1.Y, l.Position2.Y) < plotTop || max(l.Position1.Y, l.Position2.Y) > 300) {
			t.Errorf("a line goes from %v to %v", l.Position1, l.Position2)
		}
	}
	if _, ys := p.axes(); ys.at(0.2) <= 0 || ys.at(900) >= 1 {
		t.Errorf("readings from 0.2 to 900 are on an axis from %g to %g", ys.low, ys.high)
	}
}

func TestLogAxis(t *testing.T) {
	a := newLogAxis([]float64{0, 10, 1000}, 1)
	for v, want := range map[float64]float64{10: 0, 100: 0.5, 1000: 1, 1: 0, 1e6: 1, 0: 0} {
		if got := a.at(v); got < want-1e-9 || got > want+1e-9 {
			t.Errorf("%v lies at %v, want %v", v, got, want)
		}
	}
	if got := len(newLogAxis([]float64{1, 1e6}, 1).ticks()); got != 7 {
		t.Errorf("six decades have %d ticks", got)
	}
	if got := newLogAxis([]float64{30, 70}, 1).ticks(); len(got) != 1 || got[0] != 50 {
		t.Errorf("ticks %v", got)
	}
	for most, want := range map[float64][]float64{3.7: {0, 1, 2, 3, 4, 5}, 40: {0, 10, 20, 30, 40, 50}, 1.1: {0, 0.5, 1, 1.5, 2}, 0.9: {0, 0.25, 0.5, 0.75, 1}} {
		if got := newLinearAxis([]float64{most}).ticks(); !slices.Equal(got, want) {
			t.Errorf("ticks to %v: %v", most, got)
		}
	}
	for ns, want := range map[float64]string{500: "500 ns", 1e3: "1 µs", 2e5: "200 µs", 1e7: "10 ms", 2e9: "2 s"} {
		if got := TickTime(ns); got != want {
			t.Errorf("%v: %q, want %q", ns, got, want)
		}
	}
}
