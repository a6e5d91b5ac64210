package draw

import (
	"bytes"
	"errors"
	"image"
	"image/draw"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inkshade/app/state/device"
	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/models"
	"inkshade/recognizer/line"
)

// upright writes a stroke on the wide paper, x units from its left edge.
func (s *testStage) upright(x float32) {
	p := s.draw.line.pad
	h := p.Size().Height
	uitest.Stroke(p, fyne.NewPos(x, h*0.3), fyne.NewPos(x+4, h*0.5), fyne.NewPos(x, h*0.68))
}

// zigzag writes a stroke unlike the others.
func (s *testStage) zigzag(x float32) {
	p := s.draw.line.pad
	h := p.Size().Height
	uitest.Stroke(p, fyne.NewPos(x, h*0.3), fyne.NewPos(x+12, h*0.65), fyne.NewPos(x+24, h*0.3), fyne.NewPos(x+36, h*0.65))
}

// reads waits until the line is read as text.
func (s *testStage) reads(text string) {
	s.T.Helper()
	s.Until("the line "+text, func() bool {
		l := s.draw.line
		return textOf(l.all) == text && l.drawing == s.Worker.Sequence()
	})
}

// ones opens a window on the samples in a folder, and writes 1111 as a line.
func ones(t *testing.T) *testStage {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	s.draw.setLine(true)
	s.Win.Canvas().Capture()
	for i, l := range s.draw.line.pad.View.Lines {
		if !l.Visible() {
			t.Errorf("line %d to write on is not shown", i)
		}
	}
	for x := range 4 {
		if x == 2 {
			s.zigzag(170)
		} else {
			s.upright(60 + 60*float32(x))
		}
	}
	s.reads("1111")
	return s
}

// press does the command with this key.
func (s *testStage) press(key string) {
	s.T.Helper()
	i := slices.IndexFunc(s.Commands, func(c *page.Command) bool { return c.Keys == key })
	if i < 0 {
		s.T.Fatalf("nothing is done by %s", key)
	}
	s.Run(s.Commands[i])
}

func (s *testStage) key(k fyne.KeyName) { s.Win.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: k}) }

// Of small writing the letters become smaller, and do not drift away from it.
func TestSmallWritingIsReadUnderItsInk(t *testing.T) {
	s := ones(t)
	l := s.draw.line
	s.Win.Resize(uitest.Sizes[0])
	unit, c := l.pad.Unit(), l.all[0]
	var all []line.Character
	for i := range 16 {
		c.Box.MinX = float64(40+22*i) / unit
		c.Box.MaxX = c.Box.MinX + 14/unit
		all = append(all, c)
	}
	l.strip.show(all, -1)
	for i, c := range all {
		cell := l.strip.cells[i]
		if at, ink := cell.Position().X+cell.Size().Width/2, l.pad.At((c.Box.MinX+c.Box.MaxX)/2); math.Abs(float64(at-ink)) > gripWidth {
			t.Errorf("letter %d is at %v, its ink at %v", i, at, ink)
		}
		// A grip leaves half of the letter to be clicked.
		if grip := l.strip.grips[i]; i+1 < len(all) && grip.Size().Width > cell.Size().Width/2 {
			t.Errorf("the grip behind letter %d is %v wide, the letter %v", i, grip.Size().Width, cell.Size().Width)
		}
	}
}

// Each line has a row of its own, and its letters stand under its ink.
func TestSeveralLinesAreReadUnderTheirInk(t *testing.T) {
	s := ones(t)
	l := s.draw.line
	all := slices.Concat(l.all, l.all)
	for i := range all[4:] {
		all[4+i].Line = 1
	}
	l.strip.show(all, -1)
	for i, cell := range l.strip.cells {
		at, above := cell.Position(), l.strip.cells[i%4]
		if at.X != above.Position().X || at.Y != float32(i/4)*above.Size().Height {
			t.Errorf("letter %d is at %v, that of the same ink at %v", i, at, above.Position())
		}
	}
}

func TestLineIsReadUnderItsInk(t *testing.T) {
	s := ones(t)
	l := s.draw.line
	if got := l.text.text.Text; got != "1111" {
		t.Errorf("the card says %q", got)
	}
	for i, x := range []float32{62, 122, 182, 242} {
		if c := l.strip.cells[i]; c.Position().X > x || c.Position().X+c.Size().Width < x || c.glyph.Text != "1" {
			t.Errorf("character %d, %q, is at %v, its ink at %v", i, c.glyph.Text, c.Position().X, x)
		}
	}
	s.draw.times.table.Show()
	s.Until("both times", func() bool {
		return s.draw.times.lines[device.CPU].measured() && s.draw.times.lines[device.GPU].measured()
	})
	of := func(hypotheses int) string {
		s.draw.times.hypotheses = hypotheses
		words, _ := s.draw.times.comparison()
		return words
	}
	if note, several, one, drawing := s.draw.times.note.Text, of(s.draw.times.hypotheses), of(1), of(0); note != several || one == several || one != drawing {
		t.Errorf("of the times is said %q, of those of one character %q, of a drawing's %q", note, one, drawing)
	}
	l.copy.Tapped(nil)
	if got := s.App.Clipboard().Content(); got != "1111" {
		t.Errorf("copied %q", got)
	}
	// It is remembered, and the character's paper is another.
	if !setting.LineMode.Get(s.App.Preferences()) {
		t.Error("the mode is not remembered")
	}
	s.press("Ctrl+T")
	if s.draw.answer.glyph.Text != "" || !s.draw.pad.Visible() || l.pad.Visible() {
		t.Error("the line is still there")
	}
	s.draw.setLine(true)
	s.reads("1111")
}

func TestCorrectionOnALineIsLearned(t *testing.T) {
	s := ones(t)
	l := s.draw.line
	test.Tap(l.strip.cells[2])
	if s.draw.candidates.rows[2].Candidate == nil {
		t.Fatal("no candidates are shown")
	}
	label := s.draw.candidates.rows[2].Candidate.Label
	s.press("Alt+3")
	s.reads("11" + label + "1")
	all := s.Stored()
	if len(all) != 1 || all[0].Label != label || !all[0].Correction || all[0].Answered.Label != "1" || len(all[0].Ink) != 1 || all[0].Context {
		t.Fatalf("stored %+v", all)
	}
	if c := l.all[2]; !c.Fixed || sureness(c) == sureness(l.all[0]) {
		t.Errorf("the corrected character is %+v", c)
	}
	// Typed over, it is another; Enter on one that is right confirms it.
	s.types('4')
	s.reads("1141")
	s.key(fyne.KeyLeft)
	s.key(fyne.KeyReturn)
	s.Until("confirmed", func() bool { return len(s.Stored()) == 2 })
	if all := s.Stored(); all[0].Label+all[1].Label != "41" || all[1].Correction {
		t.Errorf("stored %+v", all)
	}
	// Undo and redo go over lessons and strokes in their order.
	s.Until("settled", func() bool { return !s.State.Pending() })
	s.Undo()
	s.Until("taken back", func() bool { return len(s.Stored()) == 1 })
	s.Undo()
	s.reads("11" + label + "1")
	s.Undo()
	s.reads("1111")
	if n := len(s.Stored()); n != 0 {
		t.Fatalf("%d samples after undo", n)
	}
	s.Undo()
	s.reads("111")
	s.Redo()
	s.reads("1111")
	s.Redo()
	s.reads("11" + label + "1")
	if all := s.Stored(); len(all) != 1 || all[0].Label != label {
		t.Errorf("stored after redo %+v", all)
	}
}

// What was said last can be taken back, or said again, when more was written or all is gone.
func TestLessonOutOfOrder(t *testing.T) {
	s := ones(t)
	l := s.draw.line
	l.choose(2)
	s.types('4')
	s.reads("1141")
	s.upright(300)
	s.reads("11411")
	s.Toast.TakeBack()
	s.Until("taken back", func() bool { return len(s.Stored()) == 0 })
	s.reads("11111")
	s.Undo() // the stroke, or that which was taken back
	s.reads("1111")
	s.Clear()
	s.upright(60)
	s.upright(110)
	s.zigzag(170)
	s.reads("111")
	l.choose(2)
	s.types('5')
	s.reads("115")
	s.Clear()
	s.Undo()
	s.reads("115")
}

// What was read of ink that is gone meanwhile is not cut.
func TestStaleReadingIsLeftAlone(t *testing.T) {
	s := ones(t)
	l := s.draw.line
	l.choose(3)
	s.Undo()
	for _, do := range []func(){l.splitChosen, l.joinChosen, func() { l.divide(2, 0) }, func() { l.shift(9) }, func() { l.teach("7") }} {
		do() // before the next reading is there
	}
	s.reads("111")
	if n := len(l.pad.History.Fixed); n != 0 {
		t.Errorf("%d things are said of the ink", n)
	}
}

func TestSplitJoinAndBorder(t *testing.T) {
	s := ones(t)
	l := s.draw.line
	parts := func() (n []int) {
		for _, c := range l.all {
			n = append(n, len(c.Parts))
		}
		return n
	}
	l.choose(1)
	l.join.Tapped(nil)
	s.Until("joined", func() bool { return len(l.all) == 3 })
	if got := parts(); got[1] != 2 || !l.all[1].Unknown || textOf(l.all) != "1?1" {
		t.Errorf("parts %v, text %q", got, textOf(l.all))
	}
	l.split.Tapped(nil)
	s.reads("1111")
	s.Undo()
	s.reads("1?1")
	s.Undo()
	s.reads("1111")
	// A grip that is dragged beyond a character joins it with its neighbour.
	g := l.strip.grips[0]
	for range 8 {
		g.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(10, 0)})
	}
	if !l.pad.View.Cut.Visible() {
		t.Error("nothing shows where the ink is cut")
	}
	g.DragEnd()
	s.Until("joined", func() bool { return len(l.all) == 3 })
	s.Undo()
	s.reads("1111")
	// A stroke is cut in two, and cut elsewhere.
	s.Clear()
	s.zigzag(60)
	s.reads("1")
	l.choose(0)
	s.press("Ctrl+K")
	s.Until("cut", func() bool { return len(l.all) == 2 })
	before := l.all[0].Box.MaxX
	s.press("Alt+→")
	s.Until("moved", func() bool { return l.all[0].Box.MaxX > before })
}

func TestLinePaperScrolls(t *testing.T) {
	s := ones(t)
	p := s.draw.line.pad
	farthest := func() { p.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -1e6)}) }
	// With room for another word nothing is hidden.
	if farthest(); p.Scroll != 0 {
		t.Errorf("a line with room behind it is scrolled to %v", p.Scroll)
	}
	s.upright(p.Size().Width * 0.8)
	if farthest(); p.Scroll == 0 || p.At(p.History.Now[4][0].X) < p.Size().Width*0.6 {
		t.Errorf("scrolled to %v, the ink ends at %v of %v", p.Scroll, p.At(p.History.Now[4][0].X), p.Size().Width)
	}
	s.Undo()
	s.Until("scrolled back", func() bool { return p.Scroll == 0 })
	s.upright(p.Size().Width - 40)
	s.Until("scrolled", func() bool { return p.Scroll > 0 })
	right := p.History.Now[4][0].X
	if p.At(right) < p.Size().Width*0.6 {
		t.Errorf("of %v the ink fills %v", p.Size().Width, p.At(right))
	}
	s.upright(p.Size().Width - 40)
	if last := p.History.Now[5][0].X; last < right+100 {
		t.Errorf("after scrolling the ink is at %v, before it was at %v", last, right)
	}
	p.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 1e6)})
	if p.Scroll != 0 {
		t.Errorf("scrolled to %v", p.Scroll)
	}
	s.Clear()
	if p.Scroll != 0 {
		t.Error("empty paper is scrolled")
	}
}

func TestAnotherModelIsOffered(t *testing.T) {
	s := withBook(t, &uitest.Engine{Change: unsure, Suggested: "characters-cnn"}, t.TempDir())
	uitest.Stroke(s.draw.pad, fyne.NewPos(120, 100), fyne.NewPos(122, 220))
	s.answered("1")
	uitest.Stroke(s.draw.pad, fyne.NewPos(100, 150), fyne.NewPos(140, 150))
	s.Until("offered", s.draw.offer.Visible)
	words, name, drawing := s.draw.answer.by.Text, s.draw.offer.Name, s.draw.last.Drawing
	s.draw.showOffer(worker.Offer{Drawing: drawing, Model: models.Named("chinese")})
	if other := s.draw.answer.by.Text; !strings.Contains(name, language.ModelName("characters-cnn")) || words == other {
		t.Errorf("said %q and offered %q; of a Chinese character it says %q", words, name, other)
	}
	s.draw.showOffer(worker.Offer{Drawing: drawing, Model: "characters-cnn"})
	s.draw.offer.Tapped(nil)
	s.Until("the other model", func() bool { return s.Status.Model == "characters-cnn" && !s.draw.offer.Visible() })
}

// The choice says who reads a line: the model for words, where it can.
func TestLineNamesTheModelThatReads(t *testing.T) {
	e := &uitest.Engine{}
	s := withBook(t, e, t.TempDir())
	reads := func(want string) {
		t.Helper()
		s.Until(want, func() bool { return s.draw.choice.Name == language.ModelName(want)+" · "+page.ClassSets()[0].Name })
	}
	answers := func(side device.Side) (note string) {
		t.Helper()
		for _, l := range s.draw.times.lines {
			if role := l.badge.Words[1].Text; (role != "") != (l.side == side) {
				t.Errorf("the %s is said to be %q, where the %s answers", l.side, role, side)
			}
		}
		return s.draw.times.note.Text
	}
	reads("digits-mlp")
	both := answers(device.GPU)
	e.Set(func(s *device.Status) { s.Words = true })
	s.draw.setLine(true)
	reads(models.Words)
	whole := answers(device.CPU)
	s.draw.line.language.Change(2)
	if tip := s.draw.line.pad.View.Tip.Text; tip != "" {
		t.Errorf("the tip says %q", tip)
	}
	s.draw.times.lines[device.GPU].taken = &worker.Times{Err: device.ErrWords}
	s.draw.line.language.Change(3) // digits
	reads("digits-mlp")
	if again := answers(device.GPU); both == "" || whole == both || again != both {
		t.Errorf("of the times of both devices is said %q and %q, of whole words %q", both, again, whole)
	}
	s.draw.setLine(false)
	reads("digits-mlp")
}

// Who has said what a drawing is is not asked whether it is something else.
func TestNothingIsOfferedOfWhatIsSaved(t *testing.T) {
	s := withBook(t, &uitest.Engine{Change: unsure}, t.TempDir())
	for x := range 3 {
		uitest.Stroke(s.draw.pad, fyne.NewPos(120+60*float32(x), 100), fyne.NewPos(122+60*float32(x), 220))
	}
	s.Until("offered", s.draw.offer.Visible)
	s.draw.teach("fence")
	s.Says("Saved as “fence”")
	s.Until("no offer", func() bool { return !s.draw.offer.Visible() })
	s.draw.showOffer(worker.Offer{Drawing: s.draw.last.Drawing, Characters: 3})
	if s.draw.last.Drawing != s.Worker.Sequence() || s.draw.offer.Visible() {
		t.Error("it is offered again")
	}
}

func TestSeveralCharactersAreOffered(t *testing.T) {
	s := withBook(t, &uitest.Engine{Change: unsure}, t.TempDir())
	p := s.draw.pad
	for x := range 3 {
		uitest.Stroke(p, fyne.NewPos(120+60*float32(x), 100), fyne.NewPos(122+60*float32(x), 220))
	}
	s.Until("offered", s.draw.offer.Visible)
	if got := s.draw.answer.by.Text; !strings.Contains(got, "111") {
		t.Errorf("said %q", got)
	}
	s.draw.showOffer(worker.Offer{Drawing: s.draw.last.Drawing, Characters: 3}) // of which no text is likely
	if got := s.draw.answer.by.Text; !strings.Contains(got, "3") {
		t.Errorf("said %q", got)
	}
	for _, size := range uitest.Sizes {
		s.Win.Resize(size)
		s.Toast.Say("To read a part of the picture only, crop it: Ctrl+Shift+R.")
		offer, over := widget.AreaOf(s.draw.offer), widget.AreaOf(s.Toast)
		if offer.Pos.Y+offer.Size.Height > over.Pos.Y {
			t.Errorf("%v: the toast at %v lies over the offer at %v", size, over, offer)
		}
	}
	s.draw.offer.Tapped(nil)
	s.reads("111")
	if over, right := widget.AreaOf(s.Toast), s.Toast.Over(); over.Pos.X < right.Pos.X || over.Pos.Y+over.Size.Height > right.Pos.Y+right.Size.Height {
		t.Errorf("the toast at %v does not follow to %v", over, right)
	}
	for i, kept := range []string{1: "numbers", 3: "digits"} {
		if kept == "" {
			continue
		}
		s.draw.line.language.Change(i)
		if got := setting.LineOf.Get(s.App.Preferences()); got != kept {
			t.Errorf("remembered %q", got)
		}
		s.reads("111")
	}
	ofDigits := s.draw.line.pad.View.Tip.Text
	s.press("Ctrl+Shift+W")
	s.reads("111")
	if tip := s.draw.line.pad.View.Tip.Text; tip == "" || tip == ofDigits {
		t.Errorf("of English and a model of digits is said %q", tip)
	}
}

// Without samples a line can be corrected all the same.
func TestLineWithoutSamples(t *testing.T) {
	s := open(t, &uitest.Engine{})
	s.draw.setLine(true)
	s.Win.Canvas().Capture()
	s.upright(60)
	s.upright(120)
	s.reads("11")
	s.draw.line.choose(1)
	s.types('x')
	s.reads("1x")
	s.Undo()
	s.reads("11")
}

func TestNothingOfALineIsClipped(t *testing.T) {
	s := ones(t)
	d, l := s.draw, s.draw.line
	l.choose(1)
	for _, size := range uitest.Sizes {
		s.Win.Resize(size)
		page, below := d.content.Size(), float32(0)
		for i, o := range []fyne.CanvasObject{l.pad, l.strip, d.tools, l.card, d.cards[1], d.cards[2]} {
			p, b, m := o.Position(), o.Size(), o.MinSize()
			if p.X < 0 || p.X+b.Width > page.Width+0.5 || p.Y+b.Height > page.Height+0.5 || m.Width > b.Width+0.5 || i > 0 && m.Height > b.Height+0.5 {
				t.Errorf("at %v object %d at %v has %v, needs %v of %v", size, i, p, b, m, page)
			}
			if i < 4 && p.Y < below {
				t.Errorf("at %v object %d lies over the one above", size, i)
			}
			below = p.Y + b.Height
		}
		if l.pad.Size().Height < 150 {
			t.Errorf("at %v the paper is %v high", size, l.pad.Size().Height)
		}
		if right := l.language.Position().X; right < d.choice.Position().X+d.choice.Size().Width {
			t.Errorf("at %v the language hides the model", size)
		}
	}
}

// A text is cut only where it does not fit even at the least size.
func TestTheTextOfALineIsShownWhole(t *testing.T) {
	v := ones(t).draw.line.text
	for _, text := range []string{"s?o ?emporature transport?ti? profEssional", "12 738 50", "extraordinarily W", "transportationofprofessionals"} {
		v.text.Set(text)
		for width := float32(220); width <= 500; width += 7 {
			v.content.Resize(fyne.NewSize(width, 200))
			lines := v.text.Wrap(width)
			if strings.HasSuffix(lines[len(lines)-1], "…") && v.text.TextSize > 20 {
				t.Errorf("%v wide and of size %v: %q", width, v.text.TextSize, lines)
			}
			if v.text.TextSize > 20 && v.text.Height(width) > v.text.Size().Height {
				t.Errorf("%v wide: %q of size %v is higher than %v", width, lines, v.text.TextSize, v.text.Size())
			}
		}
	}
}

// What the network was not asked for anew is not said to be its answer.
// What stands there while a reading takes long is told to be of less ink.
func TestASlowReadingIsTold(t *testing.T) {
	s := ones(t)
	s.draw.line.ask(false)
	sequence, before := s.Worker.Sequence(), s.draw.line.text.by.Text
	s.draw.line.text.waits()
	waiting := s.draw.line.text.by.Text
	if v := s.draw.line.text; v.text.Text != "1111" || waiting == "" || waiting == before || v.sure.Text != "" {
		t.Errorf("it says %q, %q, %q", v.text.Text, v.sure.Text, v.by.Text)
	}
	s.Until("the reading", func() bool { return s.draw.line.drawing == sequence })
	if v := s.draw.line.text; v.by.Text == "" || v.by.Text == waiting {
		t.Errorf("then it says %q", v.by.Text)
	}
}

func TestALineSaysWhoReadIt(t *testing.T) {
	v := ones(t).draw.line.text
	for asked, want := range []string{"read again in 48\u00a0µs", "answered by the GPU in 48\u00a0µs"} {
		v.show(worker.Reply{By: device.GPU, Took: 48 * time.Microsecond, Line: &line.Result{Alternatives: make([]line.Alternative, 1), Asked: asked}})
		if v.by.Text != want {
			t.Errorf("%d asked: %q, want %q", asked, v.by.Text, want)
		}
	}
}

// A picture of a line comes onto the wide paper, on its baseline.
func TestPictureOfALine(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	s.draw.setLine(true)
	s.Win.Canvas().Capture()
	p := image.NewGray(image.Rect(0, 0, 300, 80))
	draw.Draw(p, p.Rect, image.White, image.Point{}, draw.Src)
	for bar := range 4 {
		draw.Draw(p, image.Rect(40+60*bar, 10, 44+60*bar, 70), image.Black, image.Point{}, draw.Src)
	}
	path := filepath.Join(t.TempDir(), "line.png")
	var file bytes.Buffer
	if err := errors.Join(png.Encode(&file, p), os.WriteFile(path, file.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
	s.draw.ReadPicture(path)
	s.reads("1111")
	for _, c := range s.draw.line.all {
		if math.Abs(c.Box.MinY-widget.Ruling[0]) > 20 || math.Abs(c.Box.MaxY-widget.Ruling[2]) > 20 {
			t.Errorf("a character lies at %+v", c.Box)
		}
	}
}
