package train

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"inkshade/recognizer/personal"
)

func TestLabelsOfTheMatrixKeepTheirPlaces(t *testing.T) {
	test.NewTempApp(t)
	labels := append(strings.Split("0123456789", ""), "star", "a very long label of one's own")
	m := newMatrix(func(personal.Cell) {})
	m.show(personal.Confusion{}, labels, 0)
	for _, size := range []fyne.Size{{Width: 240, Height: 240}, {Width: 360, Height: 400}, {Width: 900, Height: 900}} {
		m.Resize(size)
		g := m.geometry()
		for i, name := range m.names {
			room := g.cell
			if i < len(labels) {
				room = g.x
			}
			width := fyne.MeasureText(name.Text, name.TextSize, name.TextStyle).Width
			if width > room-2 && len([]rune(name.Text)) > 2 {
				t.Errorf("%v: %q is %.0f wide and has %.0f", size, name.Text, width, room)
			}
		}
	}
	if m.names[0].Text != "0" || m.names[0].TextSize != matrixText {
		t.Errorf("a short label is shown as %q of size %v", m.names[0].Text, m.names[0].TextSize)
	}
}

func TestFitIntoShrinksAndThenCuts(t *testing.T) {
	test.NewTempApp(t)
	x := canvas.NewText("", nil)
	fitInto(x, "star", 19)
	if x.Text != "star" || x.TextSize >= matrixText || x.TextSize < tinyText {
		t.Errorf("%q of size %v", x.Text, x.TextSize)
	}
	fitInto(x, "a very long label", 30)
	if !strings.HasSuffix(x.Text, "…") || x.TextSize != tinyText {
		t.Errorf("%q of size %v", x.Text, x.TextSize)
	}
}
