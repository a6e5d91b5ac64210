package panel

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"inkshade/app/panel/keyboard"
	"inkshade/app/state"
	"inkshade/app/state/device"
	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/models"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/samples"
)

// counting reads a letter for each stroke and each of its points; of a single character as many labels are the first as it has
// strokes.
type counting struct {
	worker.Engine // of which the panel asks nothing else

	report chan func(device.Status)
	labels []string
	letter string // that it reads for a point

	mu   sync.Mutex
	used string
	own  *nn.Model    // that is used
	bad  string       // that cannot be used
	said []line.Fixed // of what was read last
}

func (c *counting) Prepare(report func(device.Status)) { c.report <- report }

func (c *counting) RecognizeLine(_ context.Context, k ink.Ink, how line.Options) (*line.Result, device.Side, error) {
	c.mu.Lock()
	c.said = how.Fixed
	c.mu.Unlock()
	r := &line.Result{}
	for i, s := range k {
		for _, label := range strings.Repeat(c.letter, len(s)) + "-" {
			r.Characters = append(r.Characters, line.Character{Label: string(label), Parts: []line.Part{{Stroke: i, Last: len(s) - 1}}})
		}
	}
	return r, device.CPU, nil
}

func (c *counting) Recognize(k ink.Ink, _ bool) (a recognizer.Answer, side device.Side, err error) {
	for i := range c.labels {
		a.Candidates = append(a.Candidates, recognizer.Candidate{Label: c.labels[(len(k)-1+i)%len(c.labels)], Probability: 1 / float64(i+1)})
	}
	return a, device.CPU, nil
}

func (c *counting) Use(name string, m *nn.Model) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if name == c.bad {
		return errors.New("the model is cut short")
	}
	c.used, c.own = name, m
	return nil
}

func (c *counting) Remember(recognizer.Memory) {}

func (c *counting) Close() error { return nil }

// stage is a panel over another program.
type stage struct {
	*Window
	t      *testing.T
	app    fyne.App
	other  *paper
	engine *counting
	ready  func(device.Status)

	mu     sync.Mutex
	posted []func()
}

// post keeps what is to be run on the goroutine of the test.
func (s *stage) post(f func()) {
	s.mu.Lock()
	s.posted = append(s.posted, f)
	s.mu.Unlock()
}

// settle runs what was posted until nothing happens any more.
func (s *stage) settle() {
	for {
		synctest.Wait()
		s.mu.Lock()
		all := s.posted
		s.posted = nil
		s.mu.Unlock()
		if len(all) == 0 {
			return
		}
		for _, f := range all {
			f()
		}
	}
}

// opened does something with a panel in a bubble of synctest, with the settings of an app and the samples of a folder.
func opened(t *testing.T, a fyne.App, dir string, labels []string, do func(s *stage)) {
	setting.PanelTyping.Set(a.Preferences(), setting.TypingTimes[0])
	synctest.Test(t, func(t *testing.T) {
		s := &stage{t: t, app: a, other: &paper{}, engine: &counting{report: make(chan func(device.Status), 1), labels: labels, letter: "i"}}
		book, err := state.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		s.Window = newWindow(a, Options{
			Engine: s.engine, Book: book, Models: models.Names(), Model: models.Names()[0], post: s.post,
			keyboard: func(context.Context, uintptr, keyboard.Permission) (keyboard.Keyboard, error) { return s.other, nil },
		})
		s.connect(0)
		s.ready = <-s.engine.report
		s.ready(device.Status{Answering: device.CPU, Labels: labels})
		s.settle()
		do(s)
		if err := s.close(); err != nil {
			t.Error(err)
		}
		if err := book.Close(); err != nil {
			t.Error(err)
		}
	})
}

func at(x float32) *desktop.MouseEvent {
	return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 80)}, Button: desktop.MouseButtonPrimary}
}

// dots makes dots on the paper.
func (s *stage) dots(all ...float32) {
	for _, x := range all {
		s.paper.MouseDown(at(x))
		s.paper.MouseUp(at(x))
		s.settle()
	}
}

func (s *stage) typed(want string) {
	s.t.Helper()
	s.settle()
	if got := s.other.content(); got != want {
		s.t.Errorf("typed %q, want %q", got, want)
	}
}

// The panel looks as the window was chosen to look.
func TestPanelHasTheChosenLook(t *testing.T) {
	for _, want := range []widget.Appearance{widget.Light, widget.Dark} {
		a := test.NewTempApp(t)
		setting.Appearance.Set(a.Preferences(), string(want))
		opened(t, a, t.TempDir(), nil, func(s *stage) {
			if got := a.Settings().Theme().(*widget.HouseTheme).Appearance; got != want {
				t.Errorf("%s was chosen, the panel is %s", want, got)
			}
		})
	}
}

// A device that becomes ready while the pen is down has nothing typed: half a stroke looks like another character.
func TestHalfAStrokeIsNotTyped(t *testing.T) {
	opened(t, test.NewTempApp(t), t.TempDir(), nil, func(s *stage) {
		s.paper.MouseDown(at(100))
		s.paper.MouseMoved(at(110))
		s.ready(device.Status{Answering: device.CPU})
		s.typed("")
		s.paper.MouseMoved(at(120))
		s.paper.MouseUp(at(120))
		s.typed("iii-")
		if s.other.keys != 4 {
			t.Errorf("%d keys", s.other.keys)
		}
	})
}

// Space right after the last stroke types that stroke, too, though it is still being read.
func TestWhatIsStillBeingReadIsNotLost(t *testing.T) {
	opened(t, test.NewTempApp(t), t.TempDir(), nil, func(s *stage) {
		s.dots(100)
		s.paper.MouseDown(at(200))
		s.paper.MouseUp(at(200))
		s.finish(" ")
		s.typed("i-i- ")
		if len(s.paper.Drawing()) > 0 {
			t.Error("the paper is not empty")
		}
	})
}

// A panel that is closed before the pause is over types what was written, the last stroke too, but for what waits for Enter.
func TestClosingTypesWhatIsOnThePaper(t *testing.T) {
	for i, want := range []string{"i-i-", "i-i-", ""} {
		opened(t, test.NewTempApp(t), t.TempDir(), nil, func(s *stage) {
			s.typing.SetSelectedIndex(i)
			closed := false
			s.win.SetOnClosed(func() { closed = true })
			s.dots(100)
			s.paper.MouseDown(at(200))
			s.paper.MouseUp(at(200))
			s.leave()
			s.typed(want)
			if !closed {
				t.Errorf("%s: the panel is open", setting.TypingTimes[i])
			}
		})
	}
}

// How it is typed can be chosen when it was read already.
func TestAChoiceCountsForWhatWasRead(t *testing.T) {
	opened(t, test.NewTempApp(t), t.TempDir(), many(`\alpha`), func(s *stage) {
		s.typing.SetSelectedIndex(2)
		s.dots(50)
		s.typed("")
		s.typing.SetSelectedIndex(0)
		s.typed(`\alpha `)
		s.typing.SetSelectedIndex(1)
		s.signs.SetSelectedIndex(1)
		time.Sleep(widget.PenRests + time.Millisecond)
		s.typed("α")
	})
	opened(t, test.NewTempApp(t), t.TempDir(), nil, func(s *stage) {
		s.typing.SetSelectedIndex(2)
		s.dots(50)
		setting.PanelPause.Set(s.app.Preferences(), 3)
		s.typing.SetSelectedIndex(1)
		time.Sleep(2900 * time.Millisecond)
		s.typed("")
		time.Sleep(101 * time.Millisecond)
		s.typed("i-")
		setting.PanelPause.Set(s.app.Preferences(), 0.4)
		s.engine.letter = "1"
		s.language.SetSelectedIndex(3)
		s.settle()
		time.Sleep(401 * time.Millisecond)
		s.typed("1-")
	})
}

// Undo ends at the start of this paper: what is finished is neither typed again nor unlearned.
func TestUndoBringsBackNothingFinished(t *testing.T) {
	for _, end := range []string{" ", "\n"} {
		opened(t, test.NewTempApp(t), t.TempDir(), many("一", "二", "三"), func(s *stage) {
			s.dots(50)
			s.correct("三")
			s.settle()
			s.finish(end)
			s.undo()
			s.dots(60)
			s.undo()
			s.undo()
			s.dots(60)
			s.finish(end)
			s.typed("三" + end + "一" + end)
			if kept := s.stored(); len(kept) != 1 || len(s.lessons) > 0 {
				t.Errorf("kept %+v", kept)
			}
		})
	}
}

// What is taken off the paper is taken back in the other program too, the first character as any other.
func TestAnEmptiedPaperLeavesNothing(t *testing.T) {
	opened(t, test.NewTempApp(t), t.TempDir(), nil, func(s *stage) {
		for i, pause := range []time.Duration{0, widget.PenRests + time.Millisecond} {
			s.typing.SetSelectedIndex(i)
			s.dots(100)
			time.Sleep(pause)
			s.typed("i-")
			s.undo()
			s.settle()
			time.Sleep(pause)
			s.typed("")
		}
	})
}

// A correction is typed at once after a pause, but not before Enter where that was chosen.
func TestACorrectionWaitsForEnter(t *testing.T) {
	opened(t, test.NewTempApp(t), t.TempDir(), many("一", "二", "三"), func(s *stage) {
		s.typing.SetSelectedIndex(1)
		s.dots(50)
		s.correct("三")
		s.typed("三")
		s.finish(" ")
		s.typing.SetSelectedIndex(2)
		s.dots(50)
		s.correct("二")
		s.typed("三 ")
		s.finish("\n")
		s.typed("三 二\n")
	})
}

// A correction of what something else was typed behind is learned, and the panel says why it is not replaced.
func TestACorrectionThatCannotBeTypedIsTold(t *testing.T) {
	opened(t, test.NewTempApp(t), t.TempDir(), many("一", "二", "三"), func(s *stage) {
		square := float32(700 * s.paper.Unit())
		s.dots(square * 0.5)
		s.typed("一")
		s.other.text, s.other.touched = append(s.other.text, []rune("ab")...), true
		s.correct("三")
		s.settle()
		const told = "Learned, but not replaced"
		if s.typed("一ab"); !s.hint.Visible() || !strings.Contains(s.hint.Text, told) || len(s.stored()) != 1 {
			t.Errorf("the panel says %q", s.hint.Text)
		}
		test.Tap(s.text.Objects[0].(*widget.Button))
		if !s.candidates.Content.Visible() {
			t.Error("it cannot be corrected again")
		}
		s.dots(square*1.5, square*2.5)
		if s.typed("一ab一一"); strings.Contains(s.hint.Text, told) {
			t.Errorf("of other writing the panel says %q", s.hint.Text)
		}
		s.undo()
		s.undo()
		s.undo()
		if s.typed("一ab"); strings.Contains(s.hint.Text, told) {
			t.Errorf("with the correction taken back the panel says %q", s.hint.Text)
		}
	})
}

// many are so many labels that each character has a square.
func many(first ...string) []string {
	for r := 'Ā'; len(first) < worker.ManyLabels; r++ {
		first = append(first, string(r))
	}
	return first
}

func TestSquaresHaveACharacterEach(t *testing.T) {
	dir := t.TempDir()
	opened(t, test.NewTempApp(t), dir, many("一", "二", "三"), func(s *stage) {
		square := float32(700 * s.paper.Unit())
		s.dots(square*0.3, square*0.6, square*1.5)
		s.typed("二一")
		if !s.candidates.Content.Visible() || s.candidates.Cells[0].Glyph.Text != "一" || s.language.Visible() {
			t.Error("the last character has no candidates")
		}
		s.typedRune('2') // of the last character
		s.typed("二二")
		s.dots(square * 0.4)
		s.typed("三二")
		s.chosen = &s.result.Characters[0].Parts[0]
		s.show()
		test.Tap(s.candidates.Cells[1])
		label := s.result.Characters[0].Candidates[1].Label
		s.typed(label + "二")
		s.undo()
		s.typed("三二")
		s.backspace()
		s.typed("三")
		s.finish("\n")
		s.typed("三\n")
		kept := s.stored()
		if len(kept) != 1 || kept[0].Label != "二" || !kept[0].Correction || kept[0].Answered.Label != "一" || kept[0].DeviceScale <= 0 {
			t.Errorf("kept %+v", kept)
		}
	})
}

// After undo the last character has the candidates, and is seen, though another was chosen or the paper is scrolled past it.
func TestUndoChoosesNothingThatIsGone(t *testing.T) {
	opened(t, test.NewTempApp(t), t.TempDir(), many("一", "二", "三"), func(s *stage) {
		square := float32(700 * s.paper.Unit())
		s.dots(square*0.5, square*1.4, square*1.6)
		s.chosen = &line.Part{Stroke: 2}
		s.undo()
		s.settle()
		if s.typed("一一"); s.index() != 1 || !s.candidates.Content.Visible() {
			t.Errorf("character %d has the candidates", s.index())
		}
		s.chosen = &line.Part{Stroke: 1}
		s.show()
		s.undo()
		if s.typed("一"); s.index() != 0 || !s.candidates.Content.Visible() || !s.paper.View.Mark.Visible() {
			t.Errorf("character %d has the candidates", s.index())
		}
		for range 6 {
			s.paper.MakeRoom()
			_, _, right, _, _ := s.paper.Drawing().Bounds()
			s.dots(s.paper.At(right + 700))
		}
		for range 6 {
			s.undo()
			s.settle()
		}
		if s.typed("一"); !s.paper.View.Mark.Visible() || s.paper.Scroll != 0 {
			t.Errorf("the character is out of sight: the paper is scrolled by %v", s.paper.Scroll)
		}
	})
}

// The long strokes fit beside the writing where the panel is as large as it opens.
func TestSquaresHaveRoomForLongStrokes(t *testing.T) {
	opened(t, test.NewTempApp(t), t.TempDir(), many("一", "二"), func(s *stage) {
		square := float32(700 * s.paper.Unit())
		stroke := func(from, to float32) {
			s.paper.MouseMoved(at(from * square))
			s.paper.MouseDown(at(from * square))
			s.paper.MouseMoved(at(to * square))
			s.paper.MouseUp(at(to * square))
			s.settle()
		}
		s.dots(square*0.5, square*1.5)
		stroke(2, 3.1)
		s.typed("一一一")
		s.backspace()
		s.settle()
		stroke(3.4, 2)
		s.typed("一")
		stroke(2, 3.4)
		s.typed("一 ")
	})
}

// What to do is said of what stands there: on empty paper no character can be clicked.
func TestTheHintFitsThePaper(t *testing.T) {
	opened(t, test.NewTempApp(t), t.TempDir(), nil, func(s *stage) {
		s.settle()
		empty := s.hint.Text
		s.dots(100)
		if s.hint.Text == "" || s.hint.Text == empty {
			t.Errorf("of writing it says %q, of empty paper %q", s.hint.Text, empty)
		}
		s.finish("\n")
		if s.settle(); s.hint.Text != empty {
			t.Errorf("of empty paper it says %q, before it said %q", s.hint.Text, empty)
		}
	})
}

// The hint names the gestures, and is whole in every language where the panel is as narrow as can be.
func TestTheHintIsWhole(t *testing.T) {
	for _, l := range language.All {
		for what, labels := range map[string][]string{"": nil, "character": many("一"), "symbol": many(`\alpha`)} {
			a := test.NewTempApp(t)
			setting.Language.Set(a.Preferences(), l.Code)
			opened(t, a, t.TempDir(), labels, func(s *stage) {
				all := s.win.Content()
				all.Resize(all.MinSize())
				tall := float32(len(s.hint.Wrap(s.hint.Size().Width))) * s.hint.LineHeight()
				if width := s.hint.Size().Width; !s.hint.Whole(width) || tall > s.hint.Size().Height {
					t.Errorf("%s: of %.0f units no more is seen than %q", l.Code, width, s.hint.Wrap(width))
				}
				if text := s.hint.Text; l.Code == "en" && (!strings.Contains(text, what) || !strings.Contains(text, "Scratch out")) {
					t.Errorf("for %q it says %q", what, text)
				}
			})
		}
	}
	language.Use("en")
}

func (s *stage) stored() []samples.Sample {
	s.t.Helper()
	s.settle()
	all, err := s.opts.Book.Samples().List(samples.Filter{})
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

// The second word about a drawing counts, and the first is not kept.
func TestACorrectionIsCorrected(t *testing.T) {
	opened(t, test.NewTempApp(t), t.TempDir(), many("一", "二", "三"), func(s *stage) {
		s.dots(50)
		s.correct("三")
		s.settle()
		s.correct("二")
		s.typed("二")
		if kept := s.stored(); len(kept) != 1 || kept[0].Label != "二" || kept[0].Answered.Label != "一" {
			t.Errorf("kept %+v", kept)
		}
		s.undo()
		s.typed("三")
		if kept := s.stored(); len(kept) != 1 || kept[0].Label != "三" {
			t.Errorf("after undo %+v", kept)
		}
	})
}

// A panel that is closed right after a correction has learned it.
func TestACorrectionIsNotLostWithThePanel(t *testing.T) {
	dir := t.TempDir()
	opened(t, test.NewTempApp(t), dir, many("一", "二", "三"), func(s *stage) {
		s.dots(50)
		s.change(func() error { time.Sleep(time.Second); return nil }) // which the next waits for
		s.correct("三")
	})
	store, err := samples.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if all, err := store.List(samples.Filter{}); err != nil || len(all) != 1 || all[0].Label != "三" {
		t.Errorf("kept %+v, %v", all, err)
	}
}

func TestSymbolsAreTypedAsCommandsOrSigns(t *testing.T) {
	a, dir := test.NewTempApp(t), t.TempDir()
	opened(t, a, dir, many(`\alpha`, `\varoiint`), func(s *stage) {
		square := float32(700 * s.paper.Unit())
		s.dots(square*0.5, square*1.4, square*1.5)
		s.typed(`\alpha \varoiint `)
		s.signs.SetSelectedIndex(1)
		s.typed(`α\varoiint `)
	})
	if !setting.PanelSigns.Get(a.Preferences()) {
		t.Error("the choice is not remembered")
	}
}

// Two packages have a command of that name: it is offered once.
func TestWhatIsTypedAlikeIsOfferedOnce(t *testing.T) {
	opened(t, test.NewTempApp(t), t.TempDir(), many(`\angle (amssymb)`, `\angle (latex2e)`, `\alpha`), func(s *stage) {
		s.dots(50)
		s.typed(`\angle `)
		if got := s.candidates.Cells[1].Candidate; got == nil || got.Label != `\alpha` {
			t.Errorf("the second candidate is %+v", got)
		}
	})
}

// A text that a person gave to a label is typed in its place, from the moment it was given.
func TestALabelIsTypedAsItsText(t *testing.T) {
	dir := t.TempDir()
	opened(t, test.NewTempApp(t), dir, many("heart"), func(s *stage) {
		s.dots(50)
		s.typed("heart")
		folder, err := state.OpenFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := folder.Choose(state.First, map[string]string{state.TypedKey("heart"): "love"}); err != nil {
			t.Fatal(err)
		}
		s.dots(55)
		s.backspace()
		s.dots(50)
		s.typed("love")
	})
}

// Backspace has the rest of the word stay as it was read, and undo takes that back with it.
func TestBackspaceChangesNoOtherCharacter(t *testing.T) {
	opened(t, test.NewTempApp(t), t.TempDir(), nil, func(s *stage) {
		s.dots(50, 100)
		s.backspace()
		s.typed("i-")
		var held string
		for _, f := range s.engine.said {
			held += f.Label
		}
		if held != "-i" {
			t.Errorf("%q is held of what was read", held)
		}
		s.undo()
		if s.typed("i-i-"); len(s.engine.said) > 0 {
			t.Errorf("after undo %+v is held", s.engine.said)
		}
	})
}

// Of a long text the end is seen.
func TestTheEndOfWhatWasReadIsSeen(t *testing.T) {
	opened(t, test.NewTempApp(t), t.TempDir(), nil, func(s *stage) {
		for i := range 30 {
			s.dots(float32(20 + i*10))
		}
		w := s.scroll
		if end := w.Content.Position().X + w.Content.MinSize().Width; w.Content.MinSize().Width <= w.Size().Width || end > w.Size().Width {
			t.Errorf("what was read ends at %g of %g", end, w.Size().Width)
		}
	})
}

func TestAModelIsChosenAndRemembered(t *testing.T) {
	a := test.NewTempApp(t)
	opened(t, a, t.TempDir(), nil, func(s *stage) {
		s.dots(50)
		s.model.SetSelectedIndex(slices.Index(models.Names(), "chinese-cnn"))
		s.typed("i-")
		if len(s.paper.Drawing()) > 0 || s.model.Selected != "Chinese" {
			t.Errorf("after choosing %q there are strokes of the model before", s.model.Selected)
		}
		s.engine.mu.Lock()
		defer s.engine.mu.Unlock()
		if got := setting.PanelModel.Get(a.Preferences()); got != "chinese-cnn" || s.engine.used != got {
			t.Errorf("%s answers, %s is remembered", s.engine.used, got)
		}
	})
}

// What is taught and put in force in another window counts from the next empty paper on.
func TestWhatIsTaughtElsewhereCounts(t *testing.T) {
	dir := t.TempDir()
	opened(t, test.NewTempApp(t), dir, nil, func(s *stage) {
		other, err := samples.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		model, err := recognizer.LoadModel(s.opts.Model)
		var file bytes.Buffer
		if err = errors.Join(err, onnx.Write(&file, model)); err != nil {
			t.Fatal(err)
		}
		s.dots(100)
		if _, err := other.Add(samples.Sample{Label: "7", Ink: ink.Ink{{{X: 1}, {X: 90, Y: 90}}}}); err != nil {
			t.Fatal(err)
		}
		if _, err := other.AddModel(samples.Model{Base: s.opts.Model, ONNX: file.Bytes()}, true); err != nil {
			t.Fatal(err)
		}
		count := func(want int) {
			t.Helper()
			s.settle()
			if got := s.opts.Book.Memory.Len(); got != want || (s.engine.own != nil) != (want > 0) {
				t.Errorf("%d samples are remembered, the trained model is %v", got, s.engine.own)
			}
		}
		s.dots(200)
		count(0)
		s.finish(" ")
		s.dots(100)
		count(1)
		s.engine.own = nil
		s.finish(" ")
		s.dots(100)
		if s.engine.own != nil {
			t.Error("the model is put in use again, though none else is in force")
		}
	})
}

// What cannot be typed now waits, is told, and is typed as soon as that is possible.
func TestTextWaitsForAProgram(t *testing.T) {
	opened(t, test.NewTempApp(t), t.TempDir(), nil, func(s *stage) {
		s.other.fail(keyboard.ErrNoFocus)
		s.dots(50)
		s.finish(" ")
		s.dots(60)
		time.Sleep(2 * soon)
		if s.typed(""); !s.hint.Visible() || !strings.Contains(s.hint.Text, "i- i-") || !strings.Contains(s.hint.Text, "keyboard") {
			t.Errorf("the panel says %q", s.hint.Text)
		}
		s.other.fail(nil)
		time.Sleep(2 * keyboard.WatchEvery)
		if s.typed("i- i-"); strings.Contains(s.hint.Text, "waits") {
			t.Errorf("the panel says %q", s.hint.Text)
		}
	})
}

// Of what waits that is named which is missing.
func TestOnlyWhatIsMissingWaits(t *testing.T) {
	opened(t, test.NewTempApp(t), t.TempDir(), many("一", "二"), func(s *stage) {
		square := float32(700 * s.paper.Unit())
		s.dots(square * 0.5)
		s.typed("一")
		s.other.fail(keyboard.ErrNoFocus)
		s.dots(square*1.3, square*1.6)
		time.Sleep(2 * soon)
		if s.typed("一"); !strings.Contains(s.hint.Text, "“二” waits") {
			t.Errorf("the panel says %q", s.hint.Text)
		}
		s.dots(square * 2.5)
		time.Sleep(2 * soon)
		if s.typed("一"); !strings.Contains(s.hint.Text, "“二一” waits") {
			t.Errorf("after another character the panel says %q", s.hint.Text)
		}
	})
}

// What can never be typed is copied.
func TestTextThatCannotBeTypedIsCopied(t *testing.T) {
	a := test.NewTempApp(t)
	opened(t, a, t.TempDir(), nil, func(s *stage) {
		s.other.fail(keyboard.ErrNone)
		s.dots(50)
		s.settle()
		if got := a.Clipboard().Content(); got != "i-" || !strings.Contains(s.hint.Text, "copied") {
			t.Errorf("copied %q, the panel says %q", got, s.hint.Text)
		}
	})
}

// The chosen character is marked above the paper, and its ink is brought into view.
func TestTheChosenCharacterIsSeen(t *testing.T) {
	opened(t, test.NewTempApp(t), t.TempDir(), nil, func(s *stage) {
		s.dots(100)
		s.result.Characters[0].Box = line.Box{MinX: 0, MaxX: 10}
		s.paper.Scroll = 4000
		s.show()
		test.Tap(s.text.Objects[0].(*widget.Button))
		if first := s.text.Objects[0].(*widget.Button); !first.Selected || s.paper.Scroll != 0 {
			t.Errorf("chosen %v, the paper is scrolled by %v", first.Selected, s.paper.Scroll)
		}
	})
}

// Where nothing can read, a missing model, say, the panel tells why at once.
func TestAMissingModelIsTold(t *testing.T) {
	opened(t, test.NewTempApp(t), t.TempDir(), nil, func(s *stage) {
		none := device.SideStatus{State: device.Unavailable, Reasons: []error{errors.New("there is no such model")}}
		s.ready(device.Status{CPU: none, GPU: none})
		s.settle()
		if got := s.hint.Text; !s.problem || !strings.Contains(got, "here is no such model") {
			t.Errorf("the panel says %q", got)
		}
	})
}

// A model that cannot be used is told, and neither chosen nor remembered: the one before reads.
func TestAModelThatCannotBeUsedIsNotChosen(t *testing.T) {
	a := test.NewTempApp(t)
	opened(t, a, t.TempDir(), nil, func(s *stage) {
		s.engine.bad = "chinese-cnn"
		before := s.model.Selected
		s.model.SetSelectedIndex(slices.Index(models.Names(), s.engine.bad))
		s.settle()
		s.ready(device.Status{Answering: device.GPU})
		s.settle()
		if got := setting.PanelModel.Get(a.Preferences()); s.model.Selected != before || got != s.opts.Models[0] || s.opts.Model != got {
			t.Errorf("%q is chosen, %q remembered", s.model.Selected, got)
		}
		if got := s.hint.Text; !s.problem || !strings.Contains(got, "he model is cut short") {
			t.Errorf("the panel says %q", got)
		}
		s.dots(50)
		s.typed("i-")
	})
}
