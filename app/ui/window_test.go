package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"inkshade/app/notebook"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/samples"
)

func TestDrawingIsAnswered(t *testing.T) {
	e := &fakeEngine{}
	s := open(t, e)
	stroke(s.draw.pad, seven...)
	s.answered("1")
	for i, want := range []string{"1", "0", "2", "3", "4"} {
		c := s.draw.candidates.rows[i].candidate
		if c == nil || c.Label != want {
			t.Errorf("row %d shows %v, want %s", i, c, want)
		}
	}
	if got := s.draw.answer.sure.text; got != "93.7 %" {
		t.Errorf("probability %q, want 93.7 %%", got)
	}
	if s.draw.answer.seen.image == nil {
		t.Error("the picture that the network saw is missing")
	}
	stroke(s.draw.pad, dash...)
	s.answered("2")
	s.draw.pad.undo()
	s.answered("1")
	s.draw.pad.redo()
	s.answered("2")
	s.draw.pad.clear()
	if s.draw.answer.glyph.text != "" || s.draw.candidates.rows[0].candidate != nil {
		t.Error("after clear the answer still stands there")
	}
	s.draw.pad.undo()
	s.answered("2")
}

// What was found out about a model that does not say how it is fed is told, in the person's
// language.
func TestHowAModelIsFedIsShown(t *testing.T) {
	inChinese(t)
	e := &fakeEngine{}
	s := open(t, e)
	s.until("ready", func() bool { return s.header.status.Settled() })
	e.set(func(s *Status) {
		s.Model, s.Fed = "/models/mnist.onnx", "it expects pixels from 0 (paper) to 255 (ink): 97 of 100 sample characters right"
	})
	s.until("told", func() bool {
		return s.toast.words.text == "mnist: 它的像素应从 0（纸）到 255（墨）：97 / 100 个样例字符正确"
	})
}

// The answer to the finished drawing stands there when the pen-up has been handled: it is in
// the same frame.
func TestAnswerIsThereWhenThePenLifts(t *testing.T) {
	s := open(t, &fakeEngine{})
	s.until("ready", func() bool { return s.header.status.Settled() })
	s.answerWait = time.Minute // the answer is waited for, not the clock
	for range 20 {
		stroke(s.draw.pad, seven...)
		if s.draw.answer.seen.drawing != s.worker.sequence() {
			t.Fatal("the pen was lifted, and the answer is not there")
		}
		s.draw.pad.clear()
	}
}

func TestAnswerFollowsTheLivePen(t *testing.T) {
	s := open(t, &fakeEngine{})
	s.draw.pad.MouseDown(mouse(150, 150, desktop.MouseButtonPrimary))
	s.answered("1")
	if s.draw.pad.live == nil {
		t.Fatal("the pen should still be down")
	}
}

func TestTimesOfBothDevicesAppear(t *testing.T) {
	e := &fakeEngine{softGPU: true}
	s := open(t, e)
	stroke(s.draw.pad, seven...)
	v := s.draw.times
	s.until("both times", func() bool { return v.lines[CPU].measured() && v.lines[GPU].measured() })
	if got := v.lines[CPU].total.text; got != "155 µs" {
		t.Errorf("CPU total %q", got)
	}
	var cells []string
	for _, c := range v.lines[GPU].cells {
		cells = append(cells, c.text)
	}
	if got := strings.Join(cells, " "); got != "93 131 402 187" {
		t.Errorf("GPU stages %q", got)
	}
	if !strings.Contains(v.note.text, "CPU is 5.2 times") {
		t.Errorf("comparison %q", v.note.text)
	}
	if v.lines[GPU].badge.words[0].text != "software renderer" || v.lines[GPU].badge.words[1].text == "" || v.lines[CPU].badge.words[1].text != "" {
		t.Errorf("badges: GPU %q %q, CPU %q", v.lines[GPU].badge.words[0].text, v.lines[GPU].badge.words[1].text, v.lines[CPU].badge.words[1].text)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.timed[CPU] != repeats || e.timed[GPU] != repeats {
		t.Errorf("timed %v, want %d each", e.timed, repeats)
	}
}

func TestCPUAnswersWithAVisibleReasonWhenThereIsNoGPU(t *testing.T) {
	why := "OpenGL 4.3: no EGL display; OpenGL 3.3: no EGL display"
	s := open(t, &fakeEngine{noGPU: why})
	stroke(s.draw.pad, seven...)
	s.answered("1")
	s.until("settled", func() bool { return s.header.status.Settled() })
	if got := s.draw.times.note.text; !strings.Contains(got, why) {
		t.Errorf("the reason is not shown: %q", got)
	}
	if text, _ := summary(s.header.status); !strings.Contains(text, "because the GPU cannot") {
		t.Errorf("header says %q", text)
	}
	s.until("time of the CPU", s.draw.times.lines[CPU].measured)
	if !strings.Contains(deviceText(s.header.status.GPU), why) {
		t.Errorf("the dialog does not hold the reason: %q", deviceText(s.header.status.GPU))
	}
}

func TestCPUAnswersWhileTheGPUIsPrepared(t *testing.T) {
	gate := make(chan struct{})
	s := open(t, &fakeEngine{gate: gate})
	stroke(s.draw.pad, seven...)
	s.answered("1")
	if !strings.Contains(s.draw.answer.by.text, "CPU") {
		t.Errorf("answered by: %q", s.draw.answer.by.text)
	}
	if text, _ := summary(s.header.status); !strings.HasPrefix(text, "Preparing GPU") {
		t.Errorf("header says %q", text)
	}
	close(gate)
	s.until("GPU answers the same drawing", func() bool { return strings.Contains(s.draw.answer.by.text, "GPU") })
}

func TestChosenDeviceAnswers(t *testing.T) {
	s := open(t, &fakeEngine{})
	stroke(s.draw.pad, seven...)
	s.until("GPU answers", func() bool { return strings.Contains(s.draw.answer.by.text, "GPU") })
	s.worker.choose(ChooseCPU)
	s.until("CPU answers", func() bool {
		return s.header.status.Choice == ChooseCPU && strings.Contains(s.draw.answer.by.text, "CPU")
	})
	for _, item := range s.win.MainMenu().Items[4].Items {
		if want := item.Label == "CPU"; !item.IsSeparator && item.Checked != want {
			t.Errorf("menu item %q: ticked %v", item.Label, item.Checked)
		}
	}
}

func TestFailedRecognitionIsSaid(t *testing.T) {
	s := open(t, &fakeEngine{broken: errors.New("the model wants 64 inputs")})
	stroke(s.draw.pad, seven...)
	s.answered("!")
	if !strings.Contains(s.draw.answer.by.text, "the model wants 64 inputs") {
		t.Errorf("reason shown: %q", s.draw.answer.by.text)
	}
}

// Eleven drawings that arrive while one is being answered cost one more answer, not eleven.
func TestNewestDrawingWins(t *testing.T) {
	e := &fakeEngine{stall: make(chan struct{}), asking: make(chan struct{}, 64)}
	s := open(t, e)
	s.until("ready", func() bool { return s.header.status.Settled() })
	stroke(s.draw.pad, dash...)
	<-e.asking
	for range 11 {
		stroke(s.draw.pad, dash...)
	}
	e.stall <- struct{}{}
	<-e.asking
	e.stall <- struct{}{}
	s.answered("2")
	e.mu.Lock()
	defer e.mu.Unlock()
	if n := len(e.asked); n != 2 || len(e.asked[1]) != 12 {
		t.Errorf("%d recognitions, the last of %d strokes; want 2, the last of 12", n, len(e.asked[n-1]))
	}
}

// While the pen is moved the next answer waits for as long as the last one took; when it lifts, none does.
func TestAnswersRestWhileThePenIsDown(t *testing.T) {
	w := newWorker(&fakeEngine{}, func(func()) {}, time.Hour, workerEvents{})
	w.ready = true
	drawing := task{ink: ink.Ink{{{X: 1}}}}
	w.submit(drawing, true)
	job, _ := w.next()
	if job == nil {
		t.Fatal("the first drawing is not answered")
	}
	if job(); w.newest.took <= 0 || w.rested.IsZero() {
		t.Errorf("an answer of %v is followed by a rest until %v", w.newest.took, w.rested)
	}
	w.rested = time.Now().Add(frames)
	w.submit(drawing, true)
	if job, wait := w.next(); job != nil || wait <= 0 || wait > frames {
		t.Errorf("while the pen is down the wait is %v", wait)
	}
	w.submit(drawing, false)
	if job, _ := w.next(); job == nil {
		t.Error("the lifted pen waits")
	}
}

func TestKeys(t *testing.T) {
	s := open(t, &fakeEngine{})
	strokes := func(want int) {
		t.Helper()
		if got := len(s.draw.pad.history.now); got != want {
			t.Fatalf("%d strokes, want %d", got, want)
		}
	}
	menu := map[string]*fyne.MenuItem{}
	for _, m := range s.win.MainMenu().Items {
		for _, i := range m.Items {
			menu[i.Label] = i
		}
	}
	stroke(s.draw.pad, seven...)
	stroke(s.draw.pad, dash...)
	if _, ok := menu["Undo"].Shortcut.(*fyne.ShortcutUndo); !ok {
		t.Error("Ctrl+Z reaches a menu only as fyne.ShortcutUndo")
	}
	menu["Undo"].Action()
	strokes(1)
	menu["Redo"].Action()
	strokes(2)
	menu["Undo"].Action()
	type shortcuts interface{ TypedShortcut(fyne.Shortcut) }
	s.win.Canvas().(shortcuts).TypedShortcut(&fyne.ShortcutRedo{}) // Ctrl+Y
	strokes(2)
	for _, key := range []fyne.KeyName{fyne.KeyDelete, fyne.KeyEscape, fyne.KeyBackspace} {
		s.win.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: key})
		strokes(0)
		menu["Undo"].Action()
		strokes(2)
	}
	s.answered("2")
	menu["Copy Answer"].Action()
	if got := s.app.Clipboard().Content(); got != "2" {
		t.Errorf("clipboard holds %q", got)
	}
}

func TestKeysSpareTheDrawingWhileADialogIsOpen(t *testing.T) {
	s := open(t, &fakeEngine{})
	stroke(s.draw.pad, seven...)
	for name, show := range map[string]func(){"keys": s.showKeys, "help": s.showHelp, "devices": s.showDevices, "about": s.showAbout} {
		show()
		overlays := s.win.Canvas().Overlays()
		if overlays.Top() == nil {
			t.Fatalf("%s: no dialog", name)
		}
		press := s.win.Canvas().OnTypedKey()
		press(&fyne.KeyEvent{Name: fyne.KeyDelete})
		press(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if overlays.Top() != nil {
			t.Errorf("%s: Escape did not close the dialog", name)
		}
		if len(s.draw.pad.history.now) != 1 {
			t.Fatalf("%s: the drawing was cleared", name)
		}
	}
}

// The entry of a dialog has the focus, and with it every key.
func TestEscapeClosesADialogThatIsTypedInto(t *testing.T) {
	s := open(t, &fakeEngine{}, func(o *Options) {
		o.Open = func() (*notebook.Notebook, error) { return notebook.Open(t.TempDir()) }
	})
	s.until("the samples are open", func() bool { return s.book != nil })
	for name, show := range map[string]func(){
		"own set": s.askOwnSet, "write samples": s.samples.chooseGuided,
		"save": func() { s.chooseTarget("Save picture", "inkshade.png", nil) },
	} {
		show()
		entry, ok := s.win.Canvas().Focused().(*labelEntry)
		if !ok {
			t.Fatalf("%s: %T has the focus", name, s.win.Canvas().Focused())
		}
		if test.Type(entry, "7"); entry.Text != "7" {
			t.Errorf("%s: typed beside what stood there, it is %q", name, entry.Text)
		}
		entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if s.win.Canvas().Overlays().Top() != nil {
			t.Errorf("%s: Escape did not close the dialog", name)
		}
	}
}

// So has any other control that was clicked.
func TestEscapeClosesADialogWhateverHasTheFocus(t *testing.T) {
	s := onModels(t, filled(t, map[string]int{"7": 3}))
	s.openPage(1)
	s.shows(3)
	path := foreignFile(t, "mine.onnx")
	for name, show := range map[string]func(){
		"settings": s.showSettings, "write samples": s.samples.chooseGuided, "export": s.samples.chooseExport,
		"input": func() { s.models.openFile(path) }, "keys": s.showKeys,
	} {
		show()
		overlays, controls := s.win.Canvas().Overlays(), 0
		for _, o := range test.LaidOutObjects(overlays.Top()) {
			control, ok := o.(fyne.Focusable)
			if !ok || !o.Visible() {
				continue
			}
			controls++
			control.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
			if overlays.Top() != nil {
				t.Errorf("%s: Escape on a %T did not close the dialog", name, o)
			}
			s.modal.Show()
		}
		if controls == 0 {
			t.Errorf("%s has no controls", name)
		}
		s.modal.Hide()
	}
}

// So is a job that lasts.
func TestEscapeCancelsAJob(t *testing.T) {
	s := open(t, &fakeEngine{})
	s.job("Job", "Working…", "Failed", "Cancelled.", func(ctx context.Context, _ func(done, all int)) error {
		<-ctx.Done()
		return ctx.Err()
	}, func() { t.Error("it went on") })
	s.until("the dialog", func() bool { return s.win.Canvas().Overlays().Top() != nil })
	s.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	s.says("Cancelled.")
}

// Enter gives the stressed answer of a question, or the one that has the focus, once, and closes what only tells something.
func TestEnterGivesTheStressedAnswer(t *testing.T) {
	s := open(t, &fakeEngine{})
	enter := func() { s.typedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}) }
	var given []samples.Whose
	s.askWhose(func(whose samples.Whose) { given = append(given, whose) })
	enter()
	s.askWhose(func(whose samples.Whose) { given = append(given, whose) })
	s.win.Canvas().FocusNext()
	s.win.Canvas().FocusNext() // of three answers the second
	s.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.showChoices()
	enter()
	if !slices.Equal(given, []samples.Whose{samples.Mine, samples.Others}) {
		t.Errorf("given was %v", given)
	}
	s.win.Canvas().Unfocus() // as a press on a grey line of the menu does
	s.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if s.win.Canvas().Overlays().Top() != nil {
		t.Error("Escape does not close a menu without the focus")
	}
	s.showKeys()
	enter()
	if s.win.Canvas().Overlays().Top() != nil {
		t.Error("the keys are still shown")
	}
}

// A question comes in place of the one that is open, and Enter alone confirms nothing that is asked twice.
func TestOneDialogIsOpen(t *testing.T) {
	s := open(t, &fakeEngine{})
	s.chooseModel()
	s.chooseModel()
	if open := s.win.Canvas().Overlays().List(); len(open) != 1 {
		t.Errorf("%d dialogs are open", len(open))
	}
	s.confirm("Sure?", "It is gone then.", "Yes", "No", func() { t.Error("Enter confirms") })
	s.typedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if s.win.Canvas().Overlays().Top() != nil {
		t.Error("Enter did not close the question")
	}
}

// A text has a dialog of its height: a sentence stands in no empty room, and a long text is not read through a slit.
func TestTextsHaveRoomAsTheyNeed(t *testing.T) {
	s := open(t, &fakeEngine{})
	height := func(text string) float32 {
		s.showText("Text", text)
		top := s.win.Canvas().Overlays().Top().(*widget.PopUp)
		return top.Content.Size().Height
	}
	if one, two, many := height("A sentence."), height("A line.\nAnother."), height(strings.Repeat("line\n", 100)); one > 170 || two <= one || many < 400 || many > 450 {
		t.Errorf("one line has %g, two have %g, many have %g", one, two, many)
	}
}

func TestAnotherPageClosesTheDialog(t *testing.T) {
	s := open(t, &fakeEngine{})
	s.showKeys()
	s.openPage(1)
	if s.win.Canvas().Overlays().Top() != nil {
		t.Error("the dialog stands over another page than it was opened on")
	}
}

func TestPagesAreSwitchedByTabAndMenu(t *testing.T) {
	opened := 0
	s := open(t, &fakeEngine{})
	other := &s.pages[len(s.pages)-1]
	other.opened = func() { opened++ }
	front := func(draw bool) {
		t.Helper()
		if s.draw.content.Visible() != draw || other.content.Visible() == draw {
			t.Errorf("Draw visible %v, the other page %v", s.draw.content.Visible(), other.content.Visible())
		}
		last := len(s.header.tabs) - 1
		if s.header.tabs[0].selected != draw || s.header.tabs[last].selected == draw {
			t.Error("the tab in front is not marked")
		}
	}
	front(true)
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.header.tabs[len(s.header.tabs)-1]).AddXY(10, 10)
	test.TapCanvas(s.win.Canvas(), at)
	front(false)
	if opened != 1 {
		t.Errorf("the page was told %d times that it is in front", opened)
	}
	s.win.MainMenu().Items[2].Items[0].Action()
	front(true)
}

func TestTraceTellsPenUpAndAnswer(t *testing.T) {
	var out bytes.Buffer
	s := open(t, &fakeEngine{}, func(o *Options) { o.Trace = &out })
	s.win.Canvas().Capture()
	stroke(s.draw.pad, seven...)
	s.until("the finished drawing's answer", func() bool { return s.draw.answer.seen.drawing == s.worker.sequence() })
	s.win.Canvas().Capture()
	s.close()
	var events []string
	var up, shown Event
	for dec := json.NewDecoder(&out); dec.More(); {
		var e Event
		if err := dec.Decode(&e); err != nil {
			t.Fatal(err)
		}
		events = append(events, e.Event)
		switch e.Event {
		case "pen-up":
			up = e
		case "answer":
			shown = e
		}
	}
	if got := strings.Join(events, " "); !strings.HasPrefix(got, "start first-frame") {
		t.Errorf("events: %s", got)
	}
	if up.Drawing == 0 || shown.Drawing < up.Drawing || shown.Label != "1" || shown.Time < up.Time {
		t.Errorf("pen-up %+v, answer %+v", up, shown)
	}
}
