package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/app/notebook"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/samples"
)

// filled makes a folder with so many samples of each label.
func filled(t *testing.T, counts map[string]int) string {
	t.Helper()
	dir := t.TempDir()
	store, err := samples.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	for _, label := range sortedLabels(counts) {
		for range counts[label] {
			i++
			x := float64(i)
			k := ink.Ink{{{X: 0, Y: x}, {X: 30 + x, Y: 50}, {X: 10, Y: 90 + x}}}
			s := samples.Sample{Label: label, Ink: k, Session: "s", Time: time.Unix(int64(1e9+i), 0)}
			if _, err := store.Add(s); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func sortedLabels(m map[string]int) []string {
	var all []string
	for l := range m {
		all = append(all, l)
	}
	for i := range all {
		for j := range i {
			if all[i] < all[j] {
				all[i], all[j] = all[j], all[i]
			}
		}
	}
	return all
}

// inGallery opens the Samples page on a folder and waits until its samples are shown.
func inGallery(t *testing.T, dir string, n int) *testStage {
	t.Helper()
	s := withBook(t, &fakeEngine{}, dir)
	s.openPage(1)
	s.shows(n)
	s.win.Canvas().Capture()
	return s
}

func (s *testStage) shows(n int) {
	s.t.Helper()
	s.until(fmt.Sprint(n, " samples"), func() bool { return len(s.samples.gallery.shown) == n && !s.samples.reading })
}

// cell presses the pointer on the i-th drawing of the gallery.
func (s *testStage) cell(i int, m fyne.KeyModifier) {
	s.t.Helper()
	c := newInkCell(s.samples.grid.down)
	c.index = i
	c.MouseDown(&desktop.MouseEvent{Button: desktop.MouseButtonPrimary, Modifier: m})
	c.MouseUp(nil)
}

func TestGalleryRelabelsDeletesAndTakesBack(t *testing.T) {
	s := inGallery(t, filled(t, map[string]int{"a": 6, "b": 3}), 9)
	p := s.samples
	if p.classes.list.Length() != 3 || !strings.Contains(p.classes.legend.text, "fewer than 5") {
		t.Errorf("%d rows, legend %q", p.classes.list.Length(), p.classes.legend.text)
	}
	// newest first: the three b come before the six a
	s.cell(0, 0)
	s.cell(1, fyne.KeyModifierShortcutDefault)
	if p.details.title.text != "2 selected" || !p.details.remove.Visible() {
		t.Errorf("details: %q", p.details.title.text)
	}
	s.win.Canvas().Focused().TypedRune('c')
	if p.details.entry.Text != "c" {
		t.Fatalf("a typed character went elsewhere; the entry holds %q", p.details.entry.Text)
	}
	p.details.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.says("2 relabelled as c")
	s.until("new labels", func() bool { return p.gallery.class("c") != nil })
	if n := s.book.Memory.Len(); n != 9 || strings.Join(s.book.Memory.Labels(), "") != "abc" {
		t.Errorf("remembered: %d of %v", n, s.book.Memory.Labels())
	}
	s.undo()
	s.says("Undone")
	s.until("labels before", func() bool { return p.gallery.class("c") == nil && p.gallery.class("b").Samples == 3 })
	s.redo()
	s.until("labels again", func() bool { return p.gallery.class("c") != nil })

	s.cell(0, 0)
	s.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyDelete})
	s.says("1 deleted")
	s.shows(8)
	test.Tap(s.toast.undo)
	s.shows(9)
	if n := s.book.Memory.Len(); n != 9 {
		t.Errorf("%d are remembered after Undo", n)
	}
	s.selectAll()
	if p.details.title.text != "9 selected" {
		t.Errorf("Ctrl+A: %q", p.details.title.text)
	}
	s.clear() // Del with the focus elsewhere
	s.shows(0)
	if !p.empty.content.Visible() || !p.empty.buttons.Visible() {
		t.Error("the empty gallery does not say what to do")
	}
	s.undo()
	s.shows(9)
}

func TestTheMarksAreExplained(t *testing.T) {
	s := inGallery(t, filled(t, map[string]int{"a": 6}), 6)
	d := s.samples.details
	for i, m := range d.legend {
		if !m.Visible() || m.words.text == "" || areaOf(m).pos.Y+m.height(m.Size().Width) > areaOf(d.content).pos.Y+d.content.Size().Height {
			t.Errorf("mark %d: visible %v, %q at %v", i, m.Visible(), m.words.text, m.Position())
		}
	}
	s.cell(0, 0)
	if d.legend[0].Visible() {
		t.Error("the marks are still explained beside a drawing")
	}
}

func TestSessionsOfOursAreToldByTheirTime(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	if got, want := sessionWords(samples.NewSession(at)), "session "+day(at); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := sessionWords("import-"+samples.NewSession(at)), "imported "+day(at); got != want {
		t.Errorf("an import is called %q, want %q", got, want)
	}
	if got := sessionWords("Tuesday"); got != "session Tuesday" {
		t.Errorf("%q", got)
	}
}

// The list of classes and the gallery show that they have the focus and where it is; keys choose a class.
func TestFocusOfTheGalleryIsSeen(t *testing.T) {
	s := inGallery(t, filled(t, map[string]int{"a": 3, "b": 2}), 5)
	list, grid := s.samples.classes.list, s.samples.grid
	ringed := func() bool { return list.ring.rect.StrokeWidth > 0 && list.ring.color == "" && list.ring.edge != "" }
	chosen := false // looks like that
	framed := func() (n int) {
		for _, o := range test.LaidOutObjects(grid) {
			if c, ok := o.(*inkCell); ok && c.frame.Visible() {
				n++
				chosen = c.frame.edge == theme.ColorNamePrimary
			}
		}
		return n
	}
	if ringed() || framed() != 0 {
		t.Error("a focus is seen where none is")
	}
	s.win.Canvas().Focus(list)
	for _, c := range []struct {
		key   fyne.KeyName
		label string
		shown int
	}{{fyne.KeyDown, "a", 3}, {fyne.KeyEnd, "b", 2}, {fyne.KeyDown, "b", 2}, {fyne.KeyHome, "", 5}} {
		list.TypedKey(&fyne.KeyEvent{Name: c.key})
		if got := s.samples.gallery.query.label; got != c.label || !ringed() || framed() != 0 {
			t.Errorf("%s: class %q, ring %t, %d cells framed; want %q", c.key, got, ringed(), framed(), c.label)
		}
		s.shows(c.shown)
	}
	s.win.Canvas().Focus(grid)
	if ringed() || framed() != 1 || chosen {
		t.Errorf("the grid has the focus: ring %t, %d cells framed, as if chosen %t", ringed(), framed(), chosen)
	}
	if grid.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight}); framed() != 1 || !chosen {
		t.Error("what is chosen does not look so")
	}
	s.samples.key(fyne.KeyEscape)
	s.win.Canvas().Unfocus()
	if framed() != 0 {
		t.Error("the frame stays")
	}
}

func TestGalleryIsDrivenByKeys(t *testing.T) {
	s := inGallery(t, filled(t, map[string]int{"a": 12}), 12)
	s.win.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyRight})
	at := func(want int) {
		t.Helper()
		if g := s.samples.gallery; len(g.selected.ids) != 1 || !g.selected.ids[g.order[want]] {
			t.Errorf("selected %v, want place %d", g.selected.ids, want)
		}
	}
	at(0)
	grid := s.samples.grid
	if s.win.Canvas().Focused() != fyne.Focusable(grid) {
		t.Fatal("the grid has no focus")
	}
	key := func(k fyne.KeyName) { grid.TypedKey(&fyne.KeyEvent{Name: k}) }
	key(fyne.KeyRight)
	at(1)
	key(fyne.KeyEnd)
	at(11)
	key(fyne.KeyUp)
	at(11 - grid.ColumnCount())
	key(fyne.KeyHome)
	at(0)
	key(fyne.KeyF2)
	if s.win.Canvas().Focused() != fyne.Focusable(s.samples.details.entry) {
		t.Error("F2 does not lead to the label")
	}
	s.samples.details.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	key(fyne.KeyEscape)
	if len(s.samples.gallery.selected.ids) != 0 {
		t.Error("Escape leaves the selection")
	}
}

func TestFiltersOfTheGallery(t *testing.T) {
	s := inGallery(t, filled(t, map[string]int{"a": 6, "b": 3}), 9)
	p := s.samples
	p.classes.list.Select(2)
	s.shows(3)
	if p.bar.count.text != "3 of 9" {
		t.Errorf("count %q", p.bar.count.text)
	}
	p.bar.search.SetText("nothing of the kind")
	s.shows(0)
	if p.empty.buttons.Visible() || p.empty.title.text != "Nothing found" {
		t.Errorf("no hit: %q", p.empty.title.text)
	}
	p.bar.search.SetText("")
	p.classes.list.Select(0)
	s.shows(9)
	s.cell(0, 0)
	test.Tap(p.details.hold)
	s.says("1 kept for testing")
	p.bar.kind.SetSelectedIndex(int(heldOut))
	s.shows(1)
	if s.book.Memory.Len() != 8 {
		t.Errorf("%d are remembered, one of 9 is held out", s.book.Memory.Len())
	}
}

func TestContradictedSampleIsFlaggedAndRelabelledWithOneClick(t *testing.T) {
	dir := filled(t, map[string]int{"a": 8})
	store, err := samples.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	// A drawing of an a that was labelled z.
	id, err := store.Add(samples.Sample{Label: "z", Ink: ink.Ink{{{X: 0, Y: 4.5}, {X: 34.5, Y: 50}, {X: 10, Y: 94.5}}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	s := inGallery(t, dir, 9)
	p := s.samples
	s.until("the doubt", func() bool { _, ok := p.gallery.doubts[id]; return ok })
	p.bar.kind.SetSelectedIndex(int(suspicious))
	s.shows(1)
	s.cell(0, 0)
	if !p.details.accept.Visible() || !strings.Contains(p.details.doubt.text, "labelled a") {
		t.Fatalf("doubt %q", p.details.doubt.text)
	}
	test.Tap(p.details.accept)
	s.says("relabelled as a")
	s.shows(0)
}

func TestGuidedEntry(t *testing.T) {
	s := inGallery(t, t.TempDir(), 0)
	p, g := s.samples, s.samples.guided
	if !p.empty.content.Visible() {
		t.Error("the empty gallery says nothing")
	}
	g.alone.SetChecked(false)
	g.begin([]string{"a", "star"}, 2)
	s.win.Canvas().Capture()
	asked := func(label, count string) {
		t.Helper()
		if g.glyph.text != label || g.count.text != count {
			t.Fatalf("asked for %q at %q, want %q at %q", g.glyph.text, g.count.text, label, count)
		}
	}
	asked("a", "0 of 4")
	g.accept()
	asked("a", "0 of 4") // nothing was drawn
	stroke(g.pad, seven...)
	s.win.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyReturn})
	asked("star", "1 of 4")
	stroke(g.pad, dash...)
	s.undo() // the stroke, not the sample
	if len(g.pad.drawing()) != 0 {
		t.Error("Ctrl+Z does not reach the paper")
	}
	s.redo()
	test.Tap(g.take)
	asked("a", "2 of 4")
	s.undo() // on an empty paper takes the star back
	asked("star", "1 of 4")
	stroke(g.pad, dash...)
	test.Tap(g.take)
	test.Tap(g.skip)
	asked("star", "3 of 4")
	s.win.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape})
	s.says("2 saved")
	s.shows(2)
	if !p.browse.Visible() || g.content.Visible() {
		t.Error("the gallery did not come back")
	}
	all := s.stored()
	if len(all) != 2 || all[0].Label != "a" || all[1].Label != "star" || all[0].Session == "" || all[0].Session == s.book.Session ||
		all[0].Session != all[1].Session || all[0].Correction || all[0].Answered.Label != "" {
		t.Errorf("stored %+v", all)
	}
	if s.book.Memory.Len() != 2 {
		t.Errorf("%d are remembered", s.book.Memory.Len())
	}
	s.openPage(0)
	s.undo()
	s.until("none stored", func() bool { return len(s.stored()) == 0 })
	s.redo()
	s.until("both stored", func() bool { return len(s.stored()) == 2 })
}

// Of more samples than the gallery holds the number is right, and each class can be looked at.
func TestMoreSamplesThanTheGalleryHolds(t *testing.T) {
	s := inGallery(t, filled(t, map[string]int{"a": 5, "b": 4}), 9)
	p := s.samples
	p.most = 3
	p.changed()
	s.until("some", func() bool { return p.bar.count.text == "3 of 9" })
	for _, label := range []string{"a", "b"} {
		p.ask(func(q *query) { q.label = label })
		s.until("those of "+label, func() bool { return !p.reading && len(p.gallery.shown) == 3 && p.gallery.shown[0].Label == label })
	}
}

// As long as nobody knows whether there are samples, the page does not say that there are none.
func TestSamplesAreReadBeforeThereAreNone(t *testing.T) {
	gate := make(chan struct{})
	s := open(t, &fakeEngine{}, func(o *Options) {
		o.Open = func() (*notebook.Notebook, error) {
			<-gate
			return notebook.Open(t.TempDir())
		}
	})
	s.openPage(1)
	e := s.samples.empty
	if e.title.text != "Reading…" || e.buttons.Visible() {
		t.Errorf("it says %q", e.title.text)
	}
	close(gate)
	s.until("that there are none", func() bool { return e.title.text == "No samples yet" && e.buttons.Visible() })
}

// What marks a class of few samples is neither a character, as a plus beside 十 would be, nor something to press.
func TestAClassOfFewSamplesIsMarkedByADot(t *testing.T) {
	open(t, &fakeEngine{})
	r := newClassRow()
	r.show("十", 1, true)
	icons := slices.ContainsFunc(test.LaidOutObjects(r), func(o fyne.CanvasObject) bool { _, ok := o.(*widget.Icon); return ok })
	if icons || r.dot.Hidden {
		t.Error("it is marked by an icon")
	}
}

// A symbol with a long name is asked for by its whole name, and nothing under it moves.
func TestGuidedEntryShowsLongLabelsWhole(t *testing.T) {
	s := withBook(t, &fakeEngine{}, t.TempDir())
	s.openPage(1)
	g := s.samples.guided
	for _, size := range sizes {
		s.win.Resize(size)
		g.begin([]string{"7", "circle-with-a-long-name"}, 1)
		short, below := g.glyph.size, g.round.Position()
		g.goOn()
		if g.glyph.text != "circle-with-a-long-name" || !g.glyph.whole(g.glyph.Size().Width) {
			t.Errorf("%v: of %q is shown %q", size, g.glyph.text, g.glyph.wrap(g.glyph.Size().Width))
		}
		if g.round.Position() != below {
			t.Errorf("%v: what is under it goes from %v to %v", size, below, g.round.Position())
		}
		if g.goBack(); g.glyph.size != short {
			t.Errorf("%v: a short label of size %v is now of %v", size, short, g.glyph.size)
		}
		g.finish()
	}
}

func TestGuidedEntryGoesOnWhenThePenRests(t *testing.T) {
	s := inGallery(t, t.TempDir(), 0)
	g := s.samples.guided
	g.rest = time.Millisecond
	g.begin([]string{"a"}, 1)
	stroke(g.pad, seven...)
	s.shows(1) // and the series is at its end
	if !s.samples.browse.Visible() {
		t.Error("the gallery did not come back after the last one")
	}
}

func TestNothingOfTheSamplesPageIsClipped(t *testing.T) {
	s := inGallery(t, filled(t, map[string]int{"a": 30, "b": 3}), 33)
	p := s.samples
	s.cell(0, 0)
	for _, size := range sizes {
		s.win.Resize(size)
		for name, o := range map[string]fyne.CanvasObject{
			"bar": p.bar.content, "classes": p.cards[0], "grid": p.cards[1], "details": p.cards[2],
		} {
			at, b := o.Position(), o.Size()
			if at.X < 0 || at.Y < 0 || at.X+b.Width > p.browse.Size().Width+0.5 || at.Y+b.Height > p.browse.Size().Height+0.5 {
				t.Errorf("%v: %s at %v of size %v leaves %v", size, name, at, b, p.browse.Size())
			}
		}
		if n := p.grid.ColumnCount(); n < 4 {
			t.Errorf("%v: only %d columns", size, n)
		}
		d := p.details
		bottom := func(o fyne.CanvasObject) float32 { return areaOf(o).pos.Y + o.Size().Height }
		above := []fyne.CanvasObject{d.view, d.title, d.doubt, d.accept}
		for _, f := range d.facts {
			above = append(above, f)
		}
		for _, o := range above {
			if o.Visible() && bottom(o) > areaOf(d.entry).pos.Y {
				t.Errorf("%v: %T ends at %v under the entry at %v", size, o, bottom(o), areaOf(d.entry).pos.Y)
			}
		}
		for _, o := range []fyne.CanvasObject{d.entry, d.hold, d.remove} {
			if bottom(o) > bottom(d.content)+0.5 {
				t.Errorf("%v: %T ends at %v of %v", size, o, bottom(o), bottom(d.content))
			}
		}
		if b := p.bar; areaOf(b.count).pos.X+b.count.width(b.count.text) > areaOf(b.write).pos.X {
			t.Errorf("%v: the count runs into the buttons", size)
		}
	}
}
