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
			shown := name.Content.Objects[0].(*canvas.Text)
			width := fyne.MeasureText(shown.Text, shown.TextSize, shown.TextStyle).Width
			if width > room-2 && len([]rune(shown.Text)) > 2 {
				t.Errorf("%v: %q is %.0f wide and has %.0f", size, shown.Text, width, room)
			}
		}
	}
	if m.names[0].Text != "0" || m.names[0].TextSize != matrixText {
		t.Errorf("a short label is shown as %q of size %v", m.names[0].Text, m.names[0].TextSize)
	}
	if long := m.names[len(labels)-1]; long.Content.Objects[0].(*canvas.Text).Text == long.Text || long.TextSize >= matrixText {
		t.Errorf("a long label is shown whole, of size %v", long.TextSize)
	}
}
