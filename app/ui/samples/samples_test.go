package samples

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/state"
	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/pagetest"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/dataset/datatest"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/samples"
)

// testStage is the Samples page in a window, beside one that is empty.
type testStage struct {
	*pagetest.Stage
	samples *Page
}

func open(t *testing.T) *testStage {
	t.Helper()
	s := &testStage{Stage: pagetest.Open(t, &uitest.Engine{})}
	s.samples = New(s.Frame)
	s.Show(s.samples.Tab(), &page.Page{Key: "empty", Content: container.NewWithoutLayout()})
	return s
}

// inGallery opens the Samples page on a folder and waits until its samples are shown.
func inGallery(t *testing.T, dir string, n int) *testStage {
	t.Helper()
	s := open(t)
	s.OpenBook(dir)
	s.shows(n)
	s.Win.Canvas().Capture()
	return s
}

func (s *testStage) shows(n int) {
	s.T.Helper()
	s.Until(fmt.Sprint(n, " samples"), func() bool { return len(s.samples.gallery.shown) == n && !s.samples.reading })
}

// cell presses the pointer on the i-th drawing of the gallery.
func (s *testStage) cell(i int, m fyne.KeyModifier) {
	s.T.Helper()
	c := newInkCell(s.samples.grid.down)
	c.index = i
	c.MouseDown(&desktop.MouseEvent{Button: desktop.MouseButtonPrimary, Modifier: m})
	c.MouseUp(nil)
}

// A class can have a text that is typed into other programs for it.
func TestAClassHasATextToType(t *testing.T) {
	s := inGallery(t, pagetest.Filled(t, map[string]int{"heart": 2}), 2)
	s.samples.AskTyped()
	s.Says("Choose a class")
	s.samples.ask(func(q *query) { q.label = "heart" })
	s.samples.AskTyped()
	entry := s.Win.Canvas().Focused().(*widget.Entry)
	test.Type(entry, "love")
	entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	typed := func(heart, valentine string) {
		t.Helper()
		s.Until("texts to type", func() bool {
			return s.samples.typedFor("heart") == heart && s.samples.typedFor("valentine") == valentine
		})
	}
	typed("love", "")
	// It goes with the drawings when all of them get another label, and comes back with them.
	s.cell(0, 0)
	if got := s.samples.details.facts[0].Text; !strings.Contains(got, "love") {
		t.Errorf("of a drawing is said %q", got)
	}
	s.samples.relabel("valentine")
	s.Says("1 relabelled")
	typed("love", "")
	s.samples.ask(func(q *query) { q.label = "" })
	s.Until("both labels", func() bool { return s.samples.gallery.class("valentine") != nil && !s.samples.reading })
	s.SelectAll()
	s.samples.relabel("valentine")
	typed("", "love")
	s.Undo()
	typed("love", "")
	s.Redo()
	typed("", "love")
}

func TestGalleryRelabelsDeletesAndTakesBack(t *testing.T) {
	s := inGallery(t, pagetest.Filled(t, map[string]int{"a": 6, "b": 3}), 9)
	p := s.samples
	if p.classes.list.Length() != 3 || !strings.Contains(p.classes.legend.Text, strconv.Itoa(state.Fewest)) {
		t.Errorf("%d rows, legend %q", p.classes.list.Length(), p.classes.legend.Text)
	}
	// newest first: the three b come before the six a
	s.cell(0, 0)
	s.cell(1, fyne.KeyModifierShortcutDefault)
	if p.details.title.Text != "2 selected" || !p.details.remove.Visible() {
		t.Errorf("details: %q", p.details.title.Text)
	}
	s.Win.Canvas().Focused().TypedRune('c')
	if p.details.entry.Text != "c" {
		t.Fatalf("a typed character went elsewhere; the entry holds %q", p.details.entry.Text)
	}
	p.details.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.Says("2 relabelled as c")
	s.Until("new labels", func() bool { return p.gallery.class("c") != nil })
	if n := s.Book.Memory.Len(); n != 9 || strings.Join(s.Book.Memory.Labels(), "") != "abc" {
		t.Errorf("remembered: %d of %v", n, s.Book.Memory.Labels())
	}
	s.Undo()
	s.Says("Undone")
	s.Until("labels before", func() bool { return p.gallery.class("c") == nil && p.gallery.class("b").Samples == 3 })
	s.Redo()
	s.Until("labels again", func() bool { return p.gallery.class("c") != nil })

	s.cell(0, 0)
	s.Win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyDelete})
	s.Says("1 deleted")
	s.shows(8)
	test.Tap(s.Toast.Undo)
	s.shows(9)
	if n := s.Book.Memory.Len(); n != 9 {
		t.Errorf("%d are remembered after Undo", n)
	}
	s.SelectAll()
	if p.details.title.Text != "9 selected" {
		t.Errorf("Ctrl+A: %q", p.details.title.Text)
	}
	s.Clear() // Del with the focus elsewhere
	s.shows(0)
	if !p.empty.content.Visible() || !p.empty.buttons.Visible() {
		t.Error("the empty gallery does not say what to do")
	}
	s.Undo()
	s.shows(9)
}

func TestTheMarksAreExplained(t *testing.T) {
	s := inGallery(t, pagetest.Filled(t, map[string]int{"a": 6}), 6)
	d := s.samples.details
	for i, m := range d.legend {
		if !m.Visible() || m.words.Text == "" || widget.AreaOf(m).Pos.Y+m.Height(m.Size().Width) > widget.AreaOf(d.content).Pos.Y+d.content.Size().Height {
			t.Errorf("mark %d: visible %v, %q at %v", i, m.Visible(), m.words.Text, m.Position())
		}
	}
	s.cell(0, 0)
	if d.legend[0].Visible() {
		t.Error("the marks are still explained beside a drawing")
	}
}

func TestSessionsOfOursAreToldByTheirTime(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	if got, want := sessionWords(samples.NewSession(at)), "session "+language.Day(at); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := sessionWords("import-"+samples.NewSession(at)), "imported "+language.Day(at); got != want {
		t.Errorf("an import is called %q, want %q", got, want)
	}
	if got := sessionWords("Tuesday"); !strings.Contains(got, "Tuesday") {
		t.Errorf("%q", got)
	}
}

// The list of classes and the gallery show that they have the focus and where it is; keys choose a class.
func TestFocusOfTheGalleryIsSeen(t *testing.T) {
	s := inGallery(t, pagetest.Filled(t, map[string]int{"a": 3, "b": 2}), 5)
	list, grid := s.samples.classes.list, s.samples.grid
	ringed := func() bool { return list.Ring.Rect.StrokeWidth > 0 && list.Ring.Color == "" && list.Ring.Edge != "" }
	chosen := false // looks like that
	framed := func() (n int) {
		for _, o := range test.LaidOutObjects(grid) {
			if c, ok := o.(*inkCell); ok && c.frame.Visible() {
				n++
				chosen = c.frame.Edge == theme.ColorNamePrimary
			}
		}
		return n
	}
	if ringed() || framed() != 0 {
		t.Error("a focus is seen where none is")
	}
	s.Win.Canvas().Focus(list)
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
	s.Win.Canvas().Focus(grid)
	if ringed() || framed() != 1 || chosen {
		t.Errorf("the grid has the focus: ring %t, %d cells framed, as if chosen %t", ringed(), framed(), chosen)
	}
	if grid.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight}); framed() != 1 || !chosen {
		t.Error("what is chosen does not look so")
	}
	s.samples.key(fyne.KeyEscape)
	s.Win.Canvas().Unfocus()
	if framed() != 0 {
		t.Error("the frame stays")
	}
}

func TestGalleryIsDrivenByKeys(t *testing.T) {
	s := inGallery(t, pagetest.Filled(t, map[string]int{"a": 12}), 12)
	s.Key(&fyne.KeyEvent{Name: fyne.KeyRight})
	at := func(want int) {
		t.Helper()
		if g := s.samples.gallery; len(g.selected) != 1 || !g.selected[g.shown[want].ID] {
			t.Errorf("selected %v, want place %d", g.selected, want)
		}
	}
	at(0)
	grid := s.samples.grid
	if s.Win.Canvas().Focused() != fyne.Focusable(grid) {
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
	if s.Win.Canvas().Focused() != fyne.Focusable(s.samples.details.entry) {
		t.Error("F2 does not lead to the label")
	}
	s.samples.details.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	key(fyne.KeyEscape)
	if len(s.samples.gallery.selected) != 0 {
		t.Error("Escape leaves the selection")
	}
}

func TestFiltersOfTheGallery(t *testing.T) {
	s := inGallery(t, pagetest.Filled(t, map[string]int{"a": 6, "b": 3}), 9)
	p := s.samples
	p.classes.list.Select(2)
	s.shows(3)
	if p.count.Text != "3 of 9" {
		t.Errorf("count %q", p.count.Text)
	}
	s.App.Clipboard().SetContent(strings.Repeat("é ", 100_000))
	p.search.TypedShortcut(&fyne.ShortcutPaste{Clipboard: s.App.Clipboard()})
	if n := utf8.RuneCountInString(p.search.Text); n != 300 {
		t.Errorf("%d characters of a book are searched for", n)
	}
	p.search.SetText("nothing of the kind")
	s.shows(0)
	found := p.empty.title.Text
	if p.empty.show(false, false, false); p.empty.title.Text == found {
		t.Errorf("of no hit it says %q, as where there are no samples", found)
	}
	if p.empty.show(false, true, false); p.empty.title.Text != found || p.empty.buttons.Visible() {
		t.Errorf("no hit: %q", found)
	}
	p.search.SetText("")
	p.classes.list.Select(0)
	s.shows(9)
	s.cell(0, 0)
	test.Tap(p.details.hold)
	s.Says("1 kept for testing")
	p.kind.SetSelectedIndex(int(heldOut))
	s.shows(1)
	if s.Book.Memory.Len() != 8 {
		t.Errorf("%d are remembered, one of 9 is held out", s.Book.Memory.Len())
	}
}

func TestContradictedSampleIsFlaggedAndRelabelledWithOneClick(t *testing.T) {
	dir := pagetest.Filled(t, map[string]int{"a": 8})
	store, err := samples.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	// A drawing of an a that was labelled z.
	doubtful, err := store.Add(samples.Sample{Label: "z", Ink: ink.Ink{{{X: 0, Y: 4.5}, {X: 34.5, Y: 50}, {X: 10, Y: 94.5}}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	s := inGallery(t, dir, 9)
	p := s.samples
	s.Until("the doubt", func() bool { _, ok := p.gallery.doubts[doubtful.ID]; return ok })
	p.kind.SetSelectedIndex(int(suspicious))
	s.shows(1)
	s.cell(0, 0)
	if !p.details.accept.Visible() || !p.details.doubt.Visible() || p.details.likely != "a" {
		t.Fatalf("doubt %q", p.details.doubt.Text)
	}
	test.Tap(p.details.confirm)
	s.Says("The label z is right.")
	s.shows(0)
	if got := s.Collection.Chosen; len(got) != 1 || got[rightKey(&doubtful)] != "z" {
		t.Errorf("kept is %v", got)
	}
	s.Undo()
	s.shows(1)
	s.cell(0, 0)
	test.Tap(p.details.accept)
	s.Says("relabelled as a")
	s.shows(0)
}

// Drawings of two shapes that were saved by turns stand apart where similar ones are side by side, also in what was read anew.
func TestSimilarSideBySide(t *testing.T) {
	store, err := samples.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	shapes := []string{"L", "O"}
	rng := rand.New(rand.NewPCG(1, 1))
	add := func() {
		for _, l := range shapes {
			if _, err := store.Add(samples.Sample{Label: l, Ink: datatest.Draw(l, rng)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 4 {
		add()
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	s := inGallery(t, store.Dir(), 8)
	p := s.samples
	order := func() (all string) {
		for _, x := range p.gallery.shown {
			all += x.Label
		}
		return all
	}
	if got := order(); got != "OLOLOLOL" || p.order.Name != arrangement(false) {
		t.Fatalf("%s: %s", p.order.Name, got)
	}
	p.arrangements()[1].Action()
	if p.order.Name != arrangement(true) || !p.arrangements()[1].Checked || p.arrangements()[0].Checked {
		t.Errorf("chosen is %q", p.order.Name)
	}
	s.Until("the shapes apart", func() bool { return order() == "OOOOLLLL" })
	p.classes.list.Select(1)
	s.shows(4)
	p.classes.list.Select(0)
	s.shows(8)
	if got := order(); got != "OOOOLLLL" {
		t.Errorf("after another class: %s", got)
	}
	p.arrangements()[0].Action()
	if got := order(); got != "OLOLOLOL" {
		t.Errorf("newest first: %s", got)
	}
}

func TestGuidedEntry(t *testing.T) {
	s := inGallery(t, t.TempDir(), 0)
	p, g := s.samples, s.samples.guided
	if !p.empty.content.Visible() {
		t.Error("the empty gallery says nothing")
	}
	g.alone.SetChecked(false)
	g.begin([]string{"a", "star"}, 2)
	s.Win.Canvas().Capture()
	asked := func(label, count string) {
		t.Helper()
		if g.glyph.Text != label || g.count.Text != count {
			t.Fatalf("asked for %q at %q, want %q at %q", g.glyph.Text, g.count.Text, label, count)
		}
	}
	asked("a", "0 of 4")
	g.accept()
	asked("a", "0 of 4") // nothing was drawn
	uitest.Stroke(g.pad, uitest.Seven...)
	s.Key(&fyne.KeyEvent{Name: fyne.KeyReturn})
	asked("star", "1 of 4")
	uitest.Picture(t, "guided", s.Win)
	uitest.Stroke(g.pad, uitest.Dash...)
	s.Undo() // the stroke, not the sample
	if len(g.pad.Drawing()) != 0 {
		t.Error("Ctrl+Z does not reach the paper")
	}
	s.Redo()
	test.Tap(g.take)
	asked("a", "2 of 4")
	s.Undo() // on an empty paper takes the star back
	asked("star", "1 of 4")
	uitest.Stroke(g.pad, uitest.Dash...)
	test.Tap(g.take)
	test.Tap(g.skip)
	asked("star", "3 of 4")
	s.Key(&fyne.KeyEvent{Name: fyne.KeyEscape})
	s.Says("2 saved")
	s.shows(2)
	if !p.browse.Visible() || g.content.Visible() {
		t.Error("the gallery did not come back")
	}
	all := s.Stored()
	if len(all) != 2 || all[0].Label != "a" || all[1].Label != "star" || all[0].Session == "" || all[0].Session == s.Book.Session ||
		all[0].Session != all[1].Session || all[0].Correction || all[0].Answered.Label != "" {
		t.Errorf("stored %+v", all)
	}
	if s.Book.Memory.Len() != 2 {
		t.Errorf("%d are remembered", s.Book.Memory.Len())
	}
	s.OpenPage(1)
	s.Undo()
	s.Until("none stored", func() bool { return len(s.Stored()) == 0 })
	s.Redo()
	s.Until("both stored", func() bool { return len(s.Stored()) == 2 })
}

// Of more samples than the gallery holds the number is right, and each class can be looked at.
func TestMoreSamplesThanTheGalleryHolds(t *testing.T) {
	s := inGallery(t, pagetest.Filled(t, map[string]int{"a": 5, "b": 4}), 9)
	p := s.samples
	p.most = 3
	p.changed()
	s.Until("some", func() bool { return p.count.Text == "3 of 9" })
	for _, label := range []string{"a", "b"} {
		p.ask(func(q *query) { q.label = label })
		s.Until("those of "+label, func() bool { return !p.reading && len(p.gallery.shown) == 3 && p.gallery.shown[0].Label == label })
	}
}

// As long as nobody knows whether there are samples, the page does not say that there are none.
func TestSamplesAreReadBeforeThereAreNone(t *testing.T) {
	s := open(t)
	s.Keeps = true
	s.samples.show()
	e := s.samples.empty
	reading := e.title.Text
	if reading == "" || e.buttons.Visible() {
		t.Errorf("it says %q", reading)
	}
	s.OpenBook(t.TempDir())
	s.Until("that there are none", func() bool { return e.title.Text != reading && e.buttons.Visible() })
}

// What marks a class of few samples is neither a character, as a plus beside 十 would be, nor something to press.
func TestAClassOfFewSamplesIsMarkedByADot(t *testing.T) {
	open(t)
	r := newClassRow()
	r.show("十", 1, true)
	icons := slices.ContainsFunc(test.LaidOutObjects(r), func(o fyne.CanvasObject) bool { _, ok := o.(*toolkit.Icon); return ok })
	if icons || r.dot.Hidden {
		t.Error("it is marked by an icon")
	}
}

// A symbol with a long name is asked for by its whole name, and nothing under it moves.
func TestGuidedEntryShowsLongLabelsWhole(t *testing.T) {
	s := inGallery(t, t.TempDir(), 0)
	g := s.samples.guided
	for _, size := range uitest.Sizes {
		s.Win.Resize(size)
		g.begin([]string{"7", "circle-with-a-long-name"}, 1)
		short, below := g.glyph.TextSize, g.round.Position()
		g.goOn()
		if g.glyph.Text != "circle-with-a-long-name" || !g.glyph.Whole(g.glyph.Size().Width) {
			t.Errorf("%v: of %q is shown %q", size, g.glyph.Text, g.glyph.Wrap(g.glyph.Size().Width))
		}
		if g.round.Position() != below {
			t.Errorf("%v: what is under it goes from %v to %v", size, below, g.round.Position())
		}
		if g.goBack(); g.glyph.TextSize != short {
			t.Errorf("%v: a short label of size %v is now of %v", size, short, g.glyph.TextSize)
		}
		g.finish()
	}
}

func TestGuidedEntryGoesOnWhenThePenRests(t *testing.T) {
	s := inGallery(t, t.TempDir(), 0)
	g := s.samples.guided
	g.rest = time.Millisecond
	g.begin([]string{"a"}, 1)
	uitest.Stroke(g.pad, uitest.Seven...)
	s.shows(1) // and the series is at its end
	if !s.samples.browse.Visible() {
		t.Error("the gallery did not come back after the last one")
	}
}

func TestNothingOfTheSamplesPageIsClipped(t *testing.T) {
	s := inGallery(t, pagetest.Filled(t, map[string]int{"a": 30, "b": 3}), 33)
	p := s.samples
	s.cell(0, 0)
	p.details.show(p.gallery.chosen(), func(*samples.Sample) string { return "c" })
	for _, size := range uitest.Sizes {
		s.Win.Resize(size)
		for name, o := range map[string]fyne.CanvasObject{
			"bar": p.bar, "classes": p.cards[0], "grid": p.cards[1], "details": p.cards[2],
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
		bottom := func(o fyne.CanvasObject) float32 { return widget.AreaOf(o).Pos.Y + o.Size().Height }
		above := []fyne.CanvasObject{d.view, d.title, d.doubt, d.accept, d.confirm}
		for _, f := range d.facts {
			above = append(above, f)
		}
		for _, o := range above {
			if o.Visible() && bottom(o) > widget.AreaOf(d.entry).Pos.Y {
				t.Errorf("%v: %T ends at %v under the entry at %v", size, o, bottom(o), widget.AreaOf(d.entry).Pos.Y)
			}
		}
		for _, o := range []fyne.CanvasObject{d.entry, d.hold, d.remove} {
			if bottom(o) > bottom(d.content)+0.5 {
				t.Errorf("%v: %T ends at %v of %v", size, o, bottom(o), bottom(d.content))
			}
		}
		if write := p.bar.Objects[3]; widget.AreaOf(p.count).Pos.X+p.count.Width(p.count.Text) > widget.AreaOf(write).Pos.X {
			t.Errorf("%v: the count runs into the buttons", size)
		}
	}
}

// What was held out is released by undo and held out again by redo, and a grey button says why.
func TestHoldOutIsUndoneAndRedone(t *testing.T) {
	s := inGallery(t, pagetest.Filled(t, map[string]int{"a": 6}), 6)
	s.cell(0, 0)
	test.Tap(s.samples.details.hold)
	held := func(want int) {
		t.Helper()
		s.Until("held out", func() bool {
			n, err := s.Book.Samples().List(samples.Filter{Part: samples.HeldOut})
			return err == nil && len(n) == want && s.Book.Memory.Len() == 6-want
		})
	}
	held(1)
	for range 2 {
		s.Undo()
		held(0)
		s.Redo()
		held(1)
	}
	s.Undo()
	held(0)
	if _, _, err := s.Book.Samples().(*samples.Store).AssignHoldOut(); err != nil {
		t.Fatal(err)
	}
	s.Changed()
	b := s.samples.details.hold
	s.Until("grey", func() bool { s.cell(1, 0); return b.Disabled() })
	b.MouseIn(nil)
	if tip := b.Content.Objects[len(b.Content.Objects)-1]; !tip.Visible() || widget.AreaOf(tip).Pos.X+tip.Size().Width > s.Win.Canvas().Size().Width {
		t.Errorf("why it is grey is not said, or outside, at %v", widget.AreaOf(tip))
	}
}

func TestImportAsksWhoDrewIt(t *testing.T) {
	dir := pagetest.Filled(t, map[string]int{"a": 2})
	s := inGallery(t, dir, 2)
	path := filepath.Join(t.TempDir(), "anna.jsonl")
	if err := os.WriteFile(path, []byte(`{"label":"q","strokes":[[[0,0],[5,9]]]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s.samples.Take(path)
	s.Button("Cancel")
	s.samples.Take(path)
	s.Button("Others did")
	s.shows(3)
	if q := s.samples.gallery.all[0]; q.Writer != "anna" || s.Book.Memory.Len() != 2 {
		t.Errorf("by %q, %d are remembered", q.Writer, s.Book.Memory.Len())
	}
	s.samples.Credit(true)
	s.Says("Choose drawings")
	s.cell(0, 0)
	s.samples.Credit(true)
	s.Says("1 count as drawn by you")
	if n := s.Book.Memory.Len(); n != 3 || s.Stored()[2].Writer != "" {
		t.Errorf("%d are remembered, of %q", n, s.Stored()[2].Writer)
	}
	s.Undo()
	s.Says("Undone")
	if n := s.Book.Memory.Len(); n != 2 || s.Stored()[2].Writer != "anna" {
		t.Errorf("after undo %d are remembered, of %q", n, s.Stored()[2].Writer)
	}
	s.Undo()
	s.shows(2)
	s.samples.Take(path)
	s.Button("I did")
	s.shows(3)
	if q := s.samples.gallery.all[0]; q.Writer != "" || s.Book.Memory.Len() != 3 {
		t.Errorf("by %q, %d are remembered", q.Writer, s.Book.Memory.Len())
	}
}

// Of a model of many classes some are asked for at once.
func TestSomeOfManyClassesAreAskedFor(t *testing.T) {
	s := inGallery(t, t.TempDir(), 0)
	s.Until("devices", func() bool { return s.Status.Settled() })
	s.Status.Labels = nil
	var classes []samples.Class
	var all []samples.Sample
	for i := range 4000 {
		label := string(rune(0x4E00 + i))
		s.Status.Labels = append(s.Status.Labels, label)
		classes = append(classes, samples.Class{Label: label, Samples: 1})
		all = append(all, samples.Sample{ID: int64(i + 1), Label: label, Ink: uitest.SevenInk})
	}
	s.samples.gallery.set(all, classes)
	s.samples.show()
	s.Win.Canvas().Capture()
	if n := len(test.LaidOutObjects(s.samples.content)); n > 2600 {
		t.Errorf("the page has %d objects", n)
	}
	for _, x := range s.samples.presets()[:2] { // what the model knows, and the classes with few samples
		if strings.Count(x.labels, " ") != mostAsked-1 {
			t.Errorf("of %s %q are asked for at once", x.name, x.labels)
		}
	}
	s.samples.ask(func(q *query) { q.label = all[0].Label })
	if x := s.samples.presets()[0]; !strings.Contains(x.name, all[0].Label) || x.labels != all[0].Label {
		t.Errorf("of the chosen class %+v is proposed", x)
	}
	s.samples.Write()
	entry := s.Win.Canvas().Focused().(*widget.Entry)
	entry.SetText(" ")
	entry.OnSubmitted(entry.Text)
	if s.samples.guided.content.Visible() || s.Win.Canvas().Overlays().Top() == nil {
		t.Error("nothing is asked for, and the dialog is gone")
	}
}

// A name is asked for whole where a space stands behind it, as behind that of the chosen class; what is asked for is seen before.
func TestANameIsAskedForWhole(t *testing.T) {
	s := inGallery(t, pagetest.Filled(t, map[string]int{"house": 1}), 1)
	s.samples.ask(func(q *query) { q.label = "house" })
	s.samples.Write()
	labels := s.Win.Canvas().Focused().(*widget.Entry)
	said := func(what, want string) {
		t.Helper()
		for _, o := range test.LaidOutObjects(s.Win.Canvas().Overlays().Top()) {
			switch o := o.(type) {
			case *widget.DropDown:
				if o.Options[0] == "More of house" && o.Selected != what {
					t.Errorf("%q is chosen", o.Selected)
				}
			case *widget.Label:
				if strings.HasPrefix(o.Text, "Asked for") && o.Text != want {
					t.Errorf("of %q is said %q", labels.Text, o.Text)
				}
			}
		}
	}
	said("More of house", "Asked for: house")
	labels.SetText("tree")
	said("", "Asked for: t r e. A space behind a name keeps it whole.")
	labels.SetText("tree ")
	said("", "Asked for: tree")
	labels.OnSubmitted(labels.Text)
	if g := s.samples.guided; g.glyph.Text != "tree" || g.count.Text != "0 of 5" {
		t.Errorf("asked for %q at %q", g.glyph.Text, g.count.Text)
	}
}

// The pause after which the next character is asked for is that of the settings.
func TestThePauseOfGuidedEntryIsThatOfTheSettings(t *testing.T) {
	s := open(t)
	setting.GuidedPause.Set(s.App.Preferences(), 0.6)
	s.Each(func(p *page.Page) func() { return p.Set })
	if got := s.samples.guided.rest; got != 600*time.Millisecond {
		t.Errorf("it is %v", got)
	}
}

func TestTheKeysGoToThePageInFront(t *testing.T) {
	s := inGallery(t, pagetest.Filled(t, map[string]int{"a": 6}), 6)
	s.cell(0, 0) // the gallery has the focus
	s.Toast.Say("of the gallery")
	s.OpenPage(1)
	if f := s.Win.Canvas().Focused(); f != nil {
		t.Errorf("%T keeps the keys although it is hidden", f)
	}
	if s.Toast.Visible() {
		t.Error("what another page said is still there")
	}
}

// Which samples are shown is read whole, whatever is chosen.
func TestTheKindOfSamplesIsWhole(t *testing.T) {
	kind := open(t).samples.kind
	for _, o := range kind.Options {
		if words := fyne.MeasureText(o, theme.TextSize(), fyne.TextStyle{}).Width + theme.IconInlineSize() + 4*theme.InnerPadding(); words > kind.MinSize().Width {
			t.Errorf("%q needs %v, has %v", o, words, kind.MinSize().Width)
		}
	}
}

// In the smallest window the buttons beside a chosen sample say what they do, in every language.
func TestWhatIsDoneWithASampleIsSaid(t *testing.T) {
	t.Cleanup(func() { language.Use("en") })
	s := inGallery(t, pagetest.Filled(t, map[string]int{"a": 6}), 6)
	s.cell(0, 0)
	s.Win.Resize(uitest.Sizes[0])
	d := s.samples.details
	for _, l := range language.All {
		language.Use(l.Code)
		s.App.Settings().SetTheme(widget.NewTheme(widget.Light)) // with its fonts
		d.remove.Rename(nil, language.Tr("Delete"))
		for _, held := range []bool{false, true} {
			d.chosen[0].HoldOut = held
			d.offerHold()
			for _, b := range []*widget.Button{d.hold, d.remove} {
				if b.MinSize().Width > b.Size().Width {
					t.Errorf("%s: %q needs %v, has %v", l.Name, b.Name, b.MinSize().Width, b.Size().Width)
				}
			}
		}
	}
}
