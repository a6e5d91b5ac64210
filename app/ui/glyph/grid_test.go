package glyph

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inkshade/app/ui/widget"
	"inkshade/recognizer"
	"inkshade/recognizer/line"
)

// The list of a character of a line begins with what was read, also where its ink alone looks like something else, or like nothing.
func TestTheListBeginsWithWhatWasRead(t *testing.T) {
	c := line.Character{Label: "d", Confidence: 0.7, Candidates: []line.Candidate{{Label: "a", Probability: 0.6}, {Label: "d", Probability: 0.2}, {Label: "o", Probability: 0.2}}}
	unsure := c
	unsure.Confidence = 0.2
	for want, c := range map[string]line.Character{"d 0.70, a 0.23, o 0.08, ": c, "d 0.20, a 0.20, o 0.20, ": unsure, "d 0.70, ": {Label: "d", Confidence: 0.7}} {
		got := ""
		for _, x := range Listed(c) {
			got += fmt.Sprintf("%s %.2f, ", x.Label, x.Probability)
		}
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A command or a package that has no room in a small cell is said by a tip.
func TestATipSaysALongCommand(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(widget.NewTheme(widget.Light))
	g := NewGrid(func(recognizer.Candidate) {})
	w := test.NewTempWindow(t, g.Content)
	w.Resize(fyne.NewSize(400, 600))
	g.Show([]recognizer.Candidate{{Label: `\rightarrow`}, {Label: `\eta`}, {Label: `\mathfrak{A}`}, {Label: `\mathfrak{B}`}}, false)
	for _, g.More = range []bool{false, true} {
		g.SetMore(g.More)
		for i, said := range []bool{g.More, false} {
			c := g.Cells[i]
			if c.MouseIn(nil); c.Tip.Content.Visible() != said {
				t.Errorf("more %v: a tip of %s is %v, its command of size %v", g.More, c.Candidate.Label, !said, c.Reading.TextSize)
			}
			c.MouseOut()
		}
	}
	a, b := g.Cells[2], g.Cells[3]
	a.MouseIn(nil)
	if !slices.ContainsFunc(test.LaidOutObjects(a.Tip.Content), func(o fyne.CanvasObject) bool {
		words, ok := o.(*widget.Label)
		return ok && words.Visible() && words.Text == `\mathfrak{A} (amssymb)`
	}) {
		t.Error("no tip says the command and the package")
	}
	shown := func(c *Cell) string { return c.Reading.Wrap(c.Reading.Size().Width)[0] }
	if x, y := shown(a), shown(b); x == y || !strings.HasSuffix(x, "{A}") {
		t.Errorf("two letters are %q and %q", x, y)
	}
}
