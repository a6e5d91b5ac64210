package draw

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"inkshade/app/state/device"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/glcompute/clock"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
)

func TestClickOnACandidateCorrectsAtOnce(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	s.Win.Canvas().Capture()
	s.one()
	s.draw.candidates.rows[2].Tapped(nil)
	s.Says("learned")
	s.answered("2")
	all := s.Stored()
	if len(all) != 1 {
		t.Fatalf("%d samples are stored", len(all))
	}
	got := all[0]
	if got.Label != "2" || !got.Correction || got.Answered.Label != "1" || math.Abs(got.Answered.Probability-0.937) > 1e-9 ||
		got.Session != s.Book.Session || got.Ink.Points() != s.draw.pad.Drawing().Points() || got.DeviceScale != s.draw.pad.Pixels() {
		t.Errorf("stored %+v", got)
	}
	if !s.draw.pad.Done {
		t.Error("the finished drawing does not look so")
	}
	// The next stroke begins another drawing, which is near the one just learned.
	uitest.Stroke(s.draw.pad, uitest.Seven...)
	if n := len(s.draw.pad.History.Now); n != 1 || s.draw.pad.Done {
		t.Fatalf("the paper has %d strokes", n)
	}
	s.Until("answer", func() bool { return s.draw.last.Drawing == s.Worker.Sequence() })
	s.answered("2")
}

// A stroke begins another drawing as soon as the one before was named, however long the disk takes. What cannot be saved can be said again.
func TestTheNextDrawingDoesNotWaitForTheDisk(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	pad, disk := s.draw.pad, make(chan struct{})
	s.one()
	s.State.Do(func() func() { <-disk; return nil })
	s.types('5')
	if !pad.Done {
		t.Error("the drawing that was named does not look so")
	}
	pad.Undo()
	pad.Redo()
	if !pad.Done {
		t.Error("redone, the drawing that was named does not look so")
	}
	uitest.Stroke(pad, uitest.Dash...)
	close(disk)
	s.Until("the sample", func() bool { return !s.State.Pending() && len(s.Stored()) == 1 })
	if len(pad.Drawing()) != 1 || pad.Done || len(s.Stored()[0].Ink) != 1 {
		t.Errorf("%d strokes are on the paper, done: %v", len(pad.Drawing()), pad.Done)
	}
	session := s.Book.Session
	s.Book.Session = strings.Repeat("x", 1000) // is refused
	s.types('6')
	s.Says("must be valid text")
	if pad.Done || len(pad.Drawing()) != 1 || len(s.Stored()) != 1 {
		t.Error("the drawing that could not be saved is done")
	}
	s.Book.Session = session
	s.types('6')
	s.Until("the second sample", func() bool { return pad.Done && len(s.Stored()) == 2 })
}

// The second word about a drawing counts, though the first is not on the disk yet, or never gets there.
func TestTwoWordsBeforeTheDiskIsReady(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	disk := make(chan struct{})
	s.one()
	s.State.Do(func() func() { <-disk; return nil })
	s.types('5')
	s.types('6')
	close(disk)
	s.Until("both", func() bool { return !s.State.Pending() })
	if all := s.Stored(); len(all) != 1 || all[0].Label != "6" || all[0].Answered.Label != "1" || s.draw.lesson == nil || s.draw.lesson.saved.Label != "6" {
		t.Errorf("stored %+v", all)
	}
	s.UndoLast()
	s.Until("the first word again", func() bool { return s.draw.lesson != nil && s.draw.lesson.saved.Label == "5" })
	if all := s.Stored(); len(all) != 1 || all[0].Label != "5" || !s.draw.pad.Done {
		t.Errorf("undone: stored %+v", all)
	}
	s.draw.pad.Clear()
	s.one()
	session := s.Book.Session
	s.State.Do(func() func() { s.Book.Session = strings.Repeat("x", 1000); return nil }) // is refused
	s.types('7')
	s.State.Do(func() func() { s.Book.Session = session; return nil })
	s.types('8')
	s.Until("the second word", func() bool { return !s.State.Pending() && len(s.Stored()) == 2 })
	if all := s.Stored(); all[0].Label != "8" && all[1].Label != "8" {
		t.Errorf("after one that was refused: stored %+v", all)
	}
}

// Of a book that is pasted in place of a label so much is taken as is refused.
func TestALongTextIsPasted(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	s.one()
	paste := func(text string) {
		s.App.Clipboard().SetContent(text)
		s.draw.entry.TypedShortcut(&fyne.ShortcutPaste{Clipboard: s.App.Clipboard()})
	}
	paste("ä é")
	if got := s.draw.entry.Text; got != "ä é" {
		t.Errorf("pasted %q", got)
	}
	paste(" " + strings.Repeat("é ", 100_000))
	if n := utf8.RuneCountInString(s.draw.entry.Text); n != 300 || !utf8.ValidString(s.draw.entry.Text) {
		t.Errorf("%d characters are in the entry", n)
	}
	whole := s.draw.entry.Text
	paste("and more")
	s.draw.entry.TypedRune('x')
	if got := s.draw.entry.Text; got != whole {
		t.Errorf("the entry took more: %q", got)
	}
	s.draw.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.Says("too long")
}

// The first drawing of a symbol that the model lacks says how sure the next is, and only where that is not enough asks for another.
func TestTheFirstDrawingOfASymbol(t *testing.T) {
	e, strange := &uitest.Engine{}, 1.2
	e.Change = func(_ ink.Ink, a *recognizer.Answer) error {
		e.Mu.Lock()
		defer e.Mu.Unlock()
		a.Strangeness = strange
		return nil
	}
	s := withBook(t, e, t.TempDir())
	s.one()
	for _, c := range []struct{ label, says string }{
		{"5", "Saved as “5”, and learned."}, // the model has it
		{"star", "Saved as “star”, and learned. The next one will be known about 9 times in 10."},
	} {
		s.draw.teach(c.label)
		s.Until(c.says, func() bool { return s.Toast.Words.Text == c.says })
	}
	s.draw.pad.Clear()
	e.Mu.Lock()
	strange = 0.1
	e.Mu.Unlock()
	uitest.Stroke(s.draw.pad, uitest.Dash...)
	s.Until("answer", func() bool { return s.draw.last.Drawing == s.Worker.Sequence() })
	s.draw.teach("minus")
	s.Says("The next one would be known about 7 times in 10: draw it once more.")
	s.draw.pad.Clear()
	uitest.Stroke(s.draw.pad, uitest.Dash...)
	uitest.Stroke(s.draw.pad, uitest.Seven...)
	s.Until("answer", func() bool { return s.draw.last.Drawing == s.Worker.Sequence() })
	s.draw.teach("minus")
	s.Until("the second", func() bool {
		text := s.Toast.Words.Text
		return strings.HasPrefix(text, s.draw.learned("minus", s.draw.last.Answer.Strangeness)) && !strings.Contains(text, "10")
	})
}

// A new symbol that was surely answered as a class may take drawings of that; one that was unknown, or is in the model, does not.
func TestASymbolLikeAKnownClass(t *testing.T) {
	e := &uitest.Engine{Change: func(k ink.Ink, a *recognizer.Answer) error {
		a.Unknown = len(k) == 2
		return nil
	}}
	s := withBook(t, e, t.TempDir())
	for strokes, label := range []string{"5", "bird", "heart", "5"} {
		s.draw.pad.Clear()
		for range max(strokes, 1) {
			uitest.Stroke(s.draw.pad, uitest.Seven...)
		}
		s.Until("answer", func() bool { return s.draw.last.Drawing == s.Worker.Sequence() })
		was := s.draw.last.Answer.Candidates[0].Label
		s.draw.teach(label)
		s.Says("Saved as “" + label + "”, and learned.")
		if got, want := label != was && strings.Contains(s.Toast.Words.Text, "“"+was+"”"), label == "bird"; got != want {
			t.Errorf("of %s, which was %s, is said %q", label, was, s.Toast.Words.Text)
		}
	}
}

func TestConfirmedAnswerIsNoCorrection(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	s.one()
	s.draw.candidates.rows[0].Tapped(nil)
	s.Says("Saved as “1”.")
	if all := s.Stored(); len(all) != 1 || all[0].Correction || all[0].Label != "1" {
		t.Errorf("stored %+v", all)
	}
	s.draw.candidates.rows[0].Tapped(nil)
	s.Says("already")
	if n := len(s.Stored()); n != 1 {
		t.Errorf("%d samples after the same word again", n)
	}
}

func TestTypedCharacterIsTheLabel(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	s.Win.Canvas().OnTypedRune()('5')
	if n := len(s.Stored()); n != 0 || s.Toast.Visible() {
		t.Errorf("%d samples without a drawing", n)
	}
	s.one()
	// A letter that the model knows may be the first of a word: only Enter teaches.
	s.Win.Canvas().OnTypedRune()('5')
	if n := len(s.Stored()); n != 0 || s.draw.entry.Text != "5" {
		t.Fatalf("%d samples before Enter, %q in the entry", n, s.draw.entry.Text)
	}
	s.draw.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.Says("Saved as “5”")
	s.Win.Canvas().OnTypedRune()('Ω')
	if s.draw.entry.Text != "Ω" || s.Win.Canvas().Focused() != fyne.Focusable(s.draw.entry) {
		t.Fatalf("the entry holds %q", s.draw.entry.Text)
	}
	s.draw.entry.TypedRune('2')
	s.draw.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.Says("Saved as “Ω2”")
	s.answered("Ω2")
	// The second word about one drawing takes the place of the first.
	if all := s.Stored(); len(all) != 1 || all[0].Label != "Ω2" || all[0].Answered.Label != "1" || !all[0].Correction {
		t.Errorf("stored %+v", all)
	}
	if s.Win.Canvas().Focused() != nil || s.draw.entry.Text != "" {
		t.Error("the entry keeps the keys")
	}
	// Now the class is known.
	s.one()
	s.draw.entry.TypedRune('x')
	s.draw.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if s.draw.entry.Text != "" || len(s.Stored()) != 1 {
		t.Error("Escape did not leave the entry")
	}
}

// All candidates can be picked, and one far below is asked about. Where the answer is unknown none has a probability.
// What was typed goes with the drawing that it was about.
func TestWhatWasTypedGoesWithTheDrawing(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	for what, changes := range map[string]func(){
		"cleared": s.draw.clear, "undone": s.draw.undo, "another paper": func() { s.draw.setLine(true); s.draw.setLine(false) },
		"the next drawing": func() { s.draw.pad.SetDone(true); s.one() },
	} {
		s.draw.clear()
		s.one()
		s.Win.Canvas().OnTypedRune()('q')
		if changes(); s.draw.entry.Text != "" {
			t.Errorf("%s: %q is left", what, s.draw.entry.Text)
		}
	}
}

// Escape lays a tool down, and Delete without a selection leaves the paper as it is.
func TestKeysOfTools(t *testing.T) {
	s := open(t, &uitest.Engine{})
	s.one()
	s.press("Ctrl+Shift+M")
	s.key(fyne.KeyDelete)
	if len(s.draw.pad.Drawing()) != 1 || s.draw.pad.Cursor() == desktop.CrosshairCursor {
		t.Error("the paper was cleared, or the pointer does not tell of the tool")
	}
	s.key(fyne.KeyEscape)
	if len(s.draw.pad.Drawing()) != 1 || s.draw.pad.Tool != widget.Draws {
		t.Errorf("after Escape %d strokes, tool %d", len(s.draw.pad.Drawing()), s.draw.pad.Tool)
	}
	s.OpenPage(1)
	s.press("Ctrl+D")
	if s.Front != 0 || s.draw.pad.Tool != widget.Erases {
		t.Errorf("from another page page %d comes to the front, with tool %d", s.Front, s.draw.pad.Tool)
	}
}

func TestCandidatesFarBelow(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	s.one()
	rows := s.draw.candidates.rows
	all := []recognizer.Candidate{{Label: "1", Probability: 0.99}, {Label: "7", Probability: 0.0096}, {Label: "!", Probability: 0.0004}, {Label: "#"}}
	s.draw.candidates.show(all, true)
	if rows[0].Name.Text != "1" || rows[0].Value.Text != "" || rows[0].Bar.Visible() {
		t.Errorf("of an unknown drawing %q is shown with %q", rows[0].Name.Text, rows[0].Value.Text)
	}
	s.draw.candidates.show(all, false)
	if rows[3].Name.Text != "#" || rows[3].Value.Text != "< 0.1 %" || !rows[3].Bar.Visible() || rows[4].Candidate != nil || rows[4].Bar.Visible() {
		t.Fatalf("the last rows are %q, %q and a bar without a name: %v", rows[3].Name.Text, rows[3].Value.Text, rows[4].Bar.Visible())
	}
	for _, answer := range []string{"No", "Yes, learn “7”"} {
		rows[1].Tapped(nil)
		if n := len(s.Stored()); n != 0 || s.Win.Canvas().Overlays().Top() == nil {
			t.Fatalf("%d samples before the answer", n)
		}
		s.Button(answer)
	}
	s.Says("Saved as “7”")
}

// New work ends redo: no stroke comes back onto a drawing that was saved without it, and no correction of ink that is gone.
func TestNewWorkEndsRedo(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	s.one()
	uitest.Stroke(s.draw.pad, uitest.Dash...)
	s.Undo()
	s.answered("1")
	s.types('5')
	s.Says("learned")
	if s.Redo(); len(s.draw.pad.History.Now) != 1 {
		t.Error("a stroke came back onto a drawing that is saved")
	}
	s.Undo()
	s.Says("Undone")
	s.Redo()
	s.Until("the correction again", func() bool { return len(s.Stored()) == 1 })
	s.Undo()
	s.Until("the correction undone", func() bool { return len(s.Stored()) == 0 && !s.State.Pending() })
	uitest.Stroke(s.draw.pad, uitest.Dash...)
	s.Redo()
	s.Says("nothing to redo")
	if n := len(s.Stored()); n != 0 {
		t.Errorf("%d corrections came back", n)
	}
}

func TestCorrectionIsTakenBack(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	s.one()
	s.types('5')
	s.Says("learned")
	s.types('6')
	s.Says("6”, and learned")
	test.Tap(s.Toast.Undo)
	s.Says("Undone")
	if all := s.Stored(); len(all) != 1 || all[0].Label != "5" {
		t.Errorf("after Undo: %+v", all)
	}
	s.answered("5")
	s.types('7')
	s.Says("7”, and learned")
	s.Undo() // Ctrl+Z
	s.Says("Undone")
	if len(s.draw.pad.History.Now) != 1 || s.draw.lesson == nil || s.draw.lesson.saved.Label != "5" {
		t.Error("undo of a lesson touched the drawing, or the lesson before")
	}
	s.Undo()
	s.Until("the first lesson to be taken back", func() bool { return s.draw.lesson == nil })
	s.Undo()
	if len(s.draw.pad.History.Now) != 0 || len(s.Stored()) != 0 {
		t.Error("Ctrl+Z does not reach the paper any more")
	}
	if s.Toast.Visible() {
		t.Errorf("with the stroke undone it says %q", s.Toast.Words.Text)
	}
}

func TestClassesThatMayBeAnswered(t *testing.T) {
	e := &uitest.Engine{}
	s := withBook(t, e, t.TempDir())
	s.Collection.Models = []string{"digits-mlp"}
	items := func() map[string]*fyne.MenuItem {
		m := map[string]*fyne.MenuItem{}
		for _, i := range s.draw.ChoiceItems() {
			m[i.Label] = i
		}
		return m
	}
	all, digits, capitals := page.ClassSets()[0].Name, page.ClassSets()[1].Name, page.ClassSets()[2].Name
	if i := items(); !i[all].Checked || !i[language.ModelName("digits-mlp")].Checked || !i[capitals].Disabled || i[digits].Disabled {
		t.Errorf("the items do not show what there is: %+v", i)
	}
	items()[digits].Action()
	allowed := func() func(string) bool { e.Mu.Lock(); defer e.Mu.Unlock(); return e.Allowed }
	s.Until("restriction", func() bool { return allowed() != nil })
	for label, want := range map[string]bool{"7": true, "A": false, "a": false, "+": false, "star": true, "永": true} {
		if got := allowed()(label); got != want {
			t.Errorf("Digits: %q allowed %v", label, got)
		}
	}
	if !strings.Contains(s.draw.choice.Words.Text, digits) || s.App.Preferences().String(page.ClassesChoice) != "digits" {
		t.Errorf("the choice reads %q", s.draw.choice.Words.Text)
	}
	s.one()
	s.types('+')
	s.Says("switched off")
}

// A set that the model in use has nothing of stays chosen, and counts again with the next model or what was trained of this one.
func TestTheChosenSetOutlastsAModelThatHasNothingOfIt(t *testing.T) {
	e := &uitest.Engine{}
	s := withBook(t, e, t.TempDir())
	answers := func(labels, set string) {
		t.Helper()
		e.Set(func(s *device.Status) { s.Labels = strings.Split(labels, "") })
		s.Until("the set "+set, func() bool { return s.draw.classes.Key == set })
	}
	answers("0123abc", "all")
	s.draw.restrict(page.ClassSets()[3])
	answers("0123", "all")
	answers("0123abc", "small")
	if got := s.App.Preferences().String(page.ClassesChoice); got != "small" {
		t.Errorf("stored is %q", got)
	}
}

func TestOwnSetOfClasses(t *testing.T) {
	for text, want := range map[string]string{"0 1 + -": "0,1,+,-", "0123": "0,1,2,3", " star  moon star": "star,moon", "": "", " ": "", "star": "s,t,a,r", "star ": "star"} {
		if got := strings.Join(page.SplitLabels(text), ","); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	var many strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&many, "s%d ", i)
	}
	begin := clock.Now()
	large := page.OwnSet(many.String())
	for range 10_000 {
		large.Allows("none of them")
	}
	if took := clock.Since(begin); !large.Allows("s199999") || took > 5*time.Second {
		t.Errorf("200,000 labels take %v", took)
	}
	set := page.OwnSet("0 1 star")
	if !set.Allows("star") || set.Allows("2") || set.Allows("moon") {
		t.Error("an own set holds what was not chosen")
	}
	if !set.Useful([]string{"0"}) || set.Useful([]string{"a"}) {
		t.Error("useful")
	}
}

func TestLongLabelsHaveRoom(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	s.one()
	before := s.draw.answer.glyph.TextSize
	s.draw.teach("asterisk")
	s.answered("asterisk")
	g := s.draw.answer.glyph
	if got := g.Wrap(g.Size().Width); len(got) != 1 || got[0] != "asterisk" || g.TextSize >= before {
		t.Errorf("the answer reads %q at size %v", got, g.TextSize)
	}
	if w := s.draw.candidates.rows[0].labelWidth; w < fyne.MeasureText("asterisk", candidateText, fyne.TextStyle{Bold: true}).Width {
		t.Errorf("the candidate has a width of %v", w)
	}
	s.draw.pad.Clear()
	s.one()
	uitest.Stroke(s.draw.pad, uitest.Dash...)
	uitest.Stroke(s.draw.pad, uitest.Dash...)
	s.Until("a short answer", func() bool { return len(g.Text) == 1 })
	if g.TextSize != before {
		t.Errorf("a short answer has size %v, want %v", g.TextSize, before)
	}
}

// A long name is read in several lines, of whole words.
func TestLongNamesAreRead(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	s.one()
	for _, size := range []fyne.Size{{Width: 1280, Height: 771}, widget.Smallest} {
		s.Win.Resize(size)
		for _, name := range []string{"a longer name of mine", "the sign of my grandmother that she wrote on every letter a"} {
			s.draw.teach(name)
			s.answered(name)
			g := s.draw.answer.glyph
			if lines := g.Wrap(g.Size().Width); strings.Join(lines, " ") != name || g.TextSize < 14 || g.Height(g.Size().Width) > g.Size().Height {
				t.Errorf("%v: the answer reads %q at size %v", size, lines, g.TextSize)
			}
		}
	}
}

// Where the list cuts a name, a tip says it.
func TestATipSaysALongName(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	s.one()
	s.draw.teach("a longer name of mine")
	s.answered("a longer name of mine")
	for i, said := range []bool{true, false} {
		row := s.draw.candidates.rows[i]
		if row.MouseIn(nil); row.Tip.Content.Visible() != said {
			t.Errorf("of %q a tip is %v", row.Name.Text, !said)
		}
		if row.MouseOut(); row.Tip.Content.Visible() {
			t.Error("the tip stays")
		}
	}
}

// How an answer is corrected stands under the drawing, and only where that can be done.
func TestTheWindowSaysHowToCorrect(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	if !s.draw.entry.Disabled() {
		t.Error("the entry asks what an empty paper is")
	}
	uitest.Stroke(s.draw.pad, uitest.Seven...)
	s.answered("1")
	s.Until("the tip", func() bool { return strings.Contains(s.draw.pad.View.Tip.Text, "Wrong?") })
	if s.draw.entry.Disabled() {
		t.Error("the entry takes nothing")
	}
	unknown := s.draw.last
	unknown.Answer.Unknown = true
	s.draw.showAnswer(unknown)
	if strings.Contains(s.draw.pad.View.Tip.Text, "Wrong?") || s.draw.candidates.rows[0].strong {
		t.Errorf("of an unknown drawing it says %q, first candidate stressed %v", s.draw.pad.View.Tip.Text, s.draw.candidates.rows[0].strong)
	}
	keepsNothing := open(t, &uitest.Engine{})
	uitest.Stroke(keepsNothing.draw.pad, uitest.Seven...)
	keepsNothing.answered("1")
	if tip := keepsNothing.draw.pad.View.Tip.Text; tip != "" {
		t.Errorf("without a store it says %q", tip)
	}
}

// How an answer is corrected is read whole in the smallest window, in every language.
func TestHowToCorrectIsSaidWhole(t *testing.T) {
	t.Cleanup(func() { language.Use("en") })
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	s.Win.Resize(uitest.Sizes[0])
	s.one()
	unknown, tip := s.draw.last, s.draw.pad.View.Tip
	unknown.Answer.Unknown = true
	for _, l := range language.All {
		language.Use(l.Code)
		s.App.Settings().SetTheme(widget.NewTheme(widget.Light)) // with its fonts
		whole := func(r worker.Reply) {
			tip.Set(s.draw.correctionTip(r))
			if !tip.Whole(tip.Size().Width) {
				t.Errorf("%s: of %q is shown %q", l.Name, tip.Text, tip.Wrap(tip.Size().Width))
			}
		}
		s.draw.isMany, s.Status.Labels = false, nil
		whole(s.draw.last)
		whole(unknown)
		s.draw.isMany = true
		whole(s.draw.last)
		s.Status.Labels = []string{`\infty`}
		whole(s.draw.last)
	}
}

// Tab leads to the candidates that there are, each shows it, and Enter teaches.
func TestCandidatesAreReachedByKeys(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	s.one()
	rows, c := s.draw.candidates.rows, s.Win.Canvas()
	reached := map[int]bool{}
	for range 60 {
		c.FocusNext()
		for i, row := range rows {
			if c.Focused() == fyne.Focusable(row) {
				reached[i] = row.Veil.Edge != "" && row.Candidate != nil
			}
		}
	}
	if len(reached) != 5 || !reached[0] || !reached[2] {
		t.Errorf("reached %v", reached)
	}
	c.Focus(rows[2])
	rows[2].TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.Says("Saved as “2”")
	s.draw.candidates.show(nil, false)
	if !rows[2].Disabled() {
		t.Error("an empty row can be reached")
	}
}

// A set of one's own stands in the header, and takes no label that nothing can answer.
func TestOwnSetRefusesUnknownLabels(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	s.Until("the model", func() bool { return len(s.Status.Labels) > 0 })
	if err := s.draw.knownLabels(" "); err == nil || err.Error() != page.SomeLabels(" ").Error() {
		t.Errorf("no label is refused with %v", err)
	}
	if err := s.draw.knownLabels("1 2 heart moon"); err == nil || !strings.Contains(err.Error(), "heart moon") {
		t.Errorf("unknown labels: %v", err)
	}
	s.one()
	s.draw.teach("heart")
	s.Says("Saved as “heart”")
	if err := s.draw.knownLabels("1 2 heart"); err != nil {
		t.Error(err)
	}
	s.Remember(page.OwnChoice, "1 2 heart")
	s.draw.restrict(page.OwnSet("1 2 heart"))
	if got := s.draw.choice.Words.Text; !strings.HasSuffix(got, "1 2 heart") {
		t.Errorf("the header says %q", got)
	}
}

// Where no font has a symbol, the person's drawing of it stands in its place.
func TestASymbolThatNoFontHasIsDrawn(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	symbol := string(rune(0x16A0)) // a rune
	if !widget.Lacking(symbol, fyne.TextStyle{}) {
		t.Skip("a font here has runes")
	}
	defer widget.SetSigns(nil)
	s.one()
	s.draw.teach(symbol)
	s.answered(symbol)
	glyph := s.draw.answer.glyph.Content
	s.Until("a drawing in place of the rune", func() bool {
		picture, ok := widget.Last(glyph.Objects).(*canvas.Raster)
		return ok && picture.Visible() && strings.TrimSpace(glyph.Objects[0].(*canvas.Text).Text) == ""
	})
	s.Until("a drawing in the message", func() bool {
		picture, ok := widget.Last(s.Toast.Words.Content.Objects).(*canvas.Raster)
		return ok && picture.Visible()
	})
	// Where no drawing can stand, its code point does.
	if item := s.Item(&page.Command{Name: "More of " + symbol}); item.Label != "More of U+16A0" {
		t.Errorf("a menu says %q", item.Label)
	}
}
