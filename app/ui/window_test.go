package ui

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/state"
	"inkshade/app/state/device"
	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/pagetest"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
	"inkshade/glcompute/cpu"
	"inkshade/glcompute/message"
	"inkshade/recognizer/samples"
)

// What was found out about a model that does not say how it is fed is told, in the person's
// language.
func TestHowAModelIsFedIsShown(t *testing.T) {
	uitest.InChinese(t)
	e := &uitest.Engine{}
	s := open(t, e)
	s.until("ready", func() bool { return s.Status.Settled() })
	e.Set(func(s *device.Status) {
		s.Model, s.Fed = "/models/mnist.onnx", message.Text("it expects pixels from %s (paper) to %s (ink): %d of %d sample characters right", "0", "255", 97, 100)
	})
	s.until("told", func() bool {
		return s.Toast.Words.Text == "mnist：它的像素应从 0（纸）到 255（墨）：97 / 100 个样例字符正确"
	})
}

// So is what the processor's vectors and threads are called.
func TestTheProcessorIsDescribedInTheLanguage(t *testing.T) {
	uitest.InChinese(t)
	dev, err := cpu.Open()
	if err != nil {
		t.Fatal(err)
	}
	if text := deviceText(device.SideStatus{State: device.Ready, Info: dev.Info()}); !strings.HasSuffix(text, " 个线程") {
		t.Errorf("the dialog says %q", text)
	}
}

func TestCPUAnswersWithAVisibleReasonWhenThereIsNoGPU(t *testing.T) {
	why := "OpenGL 4.3: no EGL display; OpenGL 3.3: no EGL display"
	s := open(t, &uitest.Engine{NoGPU: why})
	uitest.Stroke(s.Paper, uitest.Seven...)
	s.answered("1")
	s.until("settled", func() bool { return s.Status.Settled() })
	s.seen(why)
	text, _ := summary(s.Status)
	if chosen, _ := summary(device.Status{Answering: device.CPU, CPU: s.Status.CPU, GPU: device.SideStatus{State: device.Ready}}); text == chosen {
		t.Errorf("header says %q, as where the CPU was chosen", text)
	}
	s.until("time of the CPU", func() bool { return s.draw.Taken(device.CPU) != nil })
	if !strings.Contains(deviceText(s.Status.GPU), why) {
		t.Errorf("the dialog does not hold the reason: %q", deviceText(s.Status.GPU))
	}
}

func TestChosenDeviceAnswers(t *testing.T) {
	s := open(t, &uitest.Engine{})
	uitest.Stroke(s.Paper, uitest.Seven...)
	s.seen("answered by the GPU")
	s.Worker.Choose(device.ChooseCPU)
	s.seen("answered by the CPU")
	s.until("the choice", func() bool { return s.Status.Choice == device.ChooseCPU })
	for _, item := range s.Win.MainMenu().Items[4].Items {
		if want := item.Label == "CPU"; !item.IsSeparator && item.Checked != want {
			t.Errorf("menu item %q: ticked %v", item.Label, item.Checked)
		}
	}
}

// On top stands who reads a line, too: the processor, where lines are read whole.
func TestWhoReadsALineStandsOnTop(t *testing.T) {
	e := &uitest.Engine{}
	s := open(t, e)
	s.until("settled", func() bool { return s.Status.Settled() })
	e.Set(func(status *device.Status) { status.Words = true })
	for _, want := range []string{"The GPU answers", "The CPU answers", "The GPU answers"} {
		s.until(want, func() bool { return s.header.who.Name == want })
		s.item("Write a Line")
	}
}

// The window is closed once, by whoever comes first: its loop, or what waits for that no longer.
func TestTheWindowIsClosedOnce(t *testing.T) {
	e := &uitest.Engine{}
	s := open(t, e)
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
}

func TestKeys(t *testing.T) {
	s := open(t, &uitest.Engine{})
	strokes := func(want int) {
		t.Helper()
		if got := len(s.Paper.History.Now); got != want {
			t.Fatalf("%d strokes, want %d", got, want)
		}
	}
	menu := map[string]*fyne.MenuItem{}
	for _, m := range s.Win.MainMenu().Items {
		for _, i := range m.Items {
			menu[i.Label] = i
		}
	}
	uitest.Stroke(s.Paper, uitest.Seven...)
	uitest.Stroke(s.Paper, uitest.Dash...)
	if _, ok := menu["Undo"].Shortcut.(*fyne.ShortcutUndo); !ok {
		t.Error("Ctrl+Z reaches a menu only as fyne.ShortcutUndo")
	}
	menu["Undo"].Action()
	strokes(1)
	menu["Redo"].Action()
	strokes(2)
	menu["Undo"].Action()
	type shortcuts interface{ TypedShortcut(fyne.Shortcut) }
	s.Win.Canvas().(shortcuts).TypedShortcut(&fyne.ShortcutRedo{}) // Ctrl+Y
	strokes(2)
	for _, key := range []fyne.KeyName{fyne.KeyDelete, fyne.KeyEscape, fyne.KeyBackspace} {
		s.Win.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: key})
		strokes(0)
		menu["Undo"].Action()
		strokes(2)
	}
	s.answered("2")
	menu["Copy Answer"].Action()
	if got := s.App.Clipboard().Content(); got != "2" {
		t.Errorf("clipboard holds %q", got)
	}
}

// No key does two things, and what it does is told.
func TestEveryKeyIsOfOneCommand(t *testing.T) {
	s := open(t, &uitest.Engine{})
	by := map[string]string{}
	for _, c := range s.Commands {
		for key := range strings.SplitSeq(c.Keys, ", ") {
			if other, taken := by[key]; taken && key != "" {
				t.Errorf("%s does both %q and %q", key, other, c.ID)
			}
			by[key] = c.ID
		}
	}
	for _, key := range []string{"Ctrl+Shift+E", "Ctrl+Shift+Z", "Ctrl+Y", "Alt+5", "F10", "Ctrl+,", "Ctrl+."} {
		if by[key] == "" {
			t.Errorf("nothing is done by %s", key)
		}
	}
	s.Key(&fyne.KeyEvent{Name: fyne.KeyF1})
	told := map[string]bool{}
	for _, l := range shownOf(s.Win.Canvas().Overlays().Top(), func(*widget.Label) bool { return true }) {
		held := ""
		for key := range strings.SplitSeq(l.Text, ", ") {
			if at := strings.LastIndex(key, "+") + 1; at > 0 {
				held = key[:at]
			}
			told[key], told[held+key] = true, true
		}
	}
	delete(by, "")
	for key, name := range by {
		if key = page.KeyName(key); !told[key] {
			t.Errorf("the keys have no %s of %q", key, name)
		}
	}
}

// The toolkit does what a key stands for by the menu that shows it: a command with a name stands in one.
func TestEveryKeyIsInAMenu(t *testing.T) {
	s := open(t, &uitest.Engine{})
	names := map[string]bool{}
	for _, m := range s.Win.MainMenu().Items {
		for _, i := range m.Items {
			names[i.Label] = true
		}
	}
	for _, c := range s.Commands {
		if c.Keys != "" && c.Name != "" && !names[widget.Readable(c.Name)] {
			t.Errorf("%s does nothing: no menu has %q", c.Keys, c.Name)
		}
	}
}

// All keys stand in the least window, in every language.
func TestKeysFitTheWindow(t *testing.T) {
	for _, l := range language.All {
		t.Run(l.Code, func(t *testing.T) {
			a := test.NewTempApp(t)
			setting.Language.Set(a.Preferences(), l.Code)
			s := openOn(t, a, &uitest.Engine{})
			if got, want := s.Command("line").Hint(), map[string]string{"de": "Strg+T"}[l.Code]; got != cmp.Or(want, "Ctrl+T") {
				t.Errorf("a line is written by %s", got)
			}
			named := map[string]string{"de": "Umschalt+Entf, Enter, Esc", "es": "Mayús+Supr, Enter, Esc", "fr": "Maj+Suppr, Entrée, Échap", "zh-Hans": "Shift+Del, 回车, Esc"}
			if got, want := page.KeyName("Shift+Del, Enter, Esc"), cmp.Or(named[l.Code], "Shift+Del, Enter, Esc"); got != want {
				t.Errorf("keys are named %s, want %s", got, want)
			}
			s.Win.Resize(fyne.NewSize(900, 571))
			s.showKeys()
			for _, text := range shownOf(s.Win.Canvas().Overlays().Top(), func(l *widget.Label) bool { return strings.Contains(l.Text, "\u00a0,") }) {
				t.Errorf("a name in %q ends in a space", text.Text)
			}
			scroll := shownOf(s.Win.Canvas().Overlays().Top(), func(*container.Scroll) bool { return true })[0]
			if shown, all := scroll.Size(), scroll.Content.MinSize(); shown.Width < all.Width || shown.Height < all.Height {
				t.Errorf("the keys need %v and have %v", all, shown)
			}
		})
	}
}

func TestKeysSpareTheDrawingWhileADialogIsOpen(t *testing.T) {
	s := open(t, &uitest.Engine{})
	uitest.Stroke(s.Paper, uitest.Seven...)
	for name, show := range map[string]func(){"keys": s.showKeys, "help": s.showHelp, "devices": s.showDevices, "about": s.showAbout} {
		show()
		overlays := s.Win.Canvas().Overlays()
		if overlays.Top() == nil {
			t.Fatalf("%s: no dialog", name)
		}
		press := s.Win.Canvas().OnTypedKey()
		press(&fyne.KeyEvent{Name: fyne.KeyDelete})
		press(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if overlays.Top() != nil {
			t.Errorf("%s: Escape did not close the dialog", name)
		}
		if len(s.Paper.History.Now) != 1 {
			t.Fatalf("%s: the drawing was cleared", name)
		}
	}
}

// The entry of a dialog has the focus, and with it every key.
func TestEscapeClosesADialogThatIsTypedInto(t *testing.T) {
	s := open(t, &uitest.Engine{}, func(o *Options) {
		o.Open = func() (*state.Collection, error) { return state.Open(t.TempDir()) }
	})
	s.until("the samples are open", func() bool { return s.Book != nil })
	for name, show := range map[string]func(){
		"own set": func() { s.item("Own Set…") }, "write samples": s.samples.Write,
		"save": func() { s.ChooseTarget("Save picture", "inkshade.png", nil) },
	} {
		show()
		entry, ok := s.Win.Canvas().Focused().(*widget.Entry)
		if !ok {
			t.Fatalf("%s: %T has the focus", name, s.Win.Canvas().Focused())
		}
		if test.Type(entry, "7"); entry.Text != "7" {
			t.Errorf("%s: typed beside what stood there, it is %q", name, entry.Text)
		}
		entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if s.Win.Canvas().Overlays().Top() != nil {
			t.Errorf("%s: Escape did not close the dialog", name)
		}
	}
}

// So has any other control that was clicked.
func TestEscapeClosesADialogWhateverHasTheFocus(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, pagetest.Filled(t, map[string]int{"7": 3}))
	s.OpenPage(1)
	s.seen("Samples: 3")
	path := pagetest.ModelFile(t, "mine.onnx", "")
	for name, show := range map[string]func(){
		"settings": func() { s.item("Settings…") }, "write samples": s.samples.Write, "export": s.samples.Export,
		"input": func() { s.models.Take(path) }, "keys": s.showKeys,
	} {
		show()
		overlays, controls := s.Win.Canvas().Overlays(), 0
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
			s.Modal.Show()
		}
		if controls == 0 {
			t.Errorf("%s has no controls", name)
		}
		s.Modal.Hide()
	}
}

// So is a job that lasts.
func TestEscapeCancelsAJob(t *testing.T) {
	s := open(t, &uitest.Engine{})
	s.Job("Job", "Working…", "Failed", "Cancelled.", func(ctx context.Context, _ func(done, all int)) error {
		<-ctx.Done()
		return ctx.Err()
	}, func() { t.Error("it went on") })
	s.until("the dialog", func() bool { return s.Win.Canvas().Overlays().Top() != nil })
	s.Key(&fyne.KeyEvent{Name: fyne.KeyEscape})
	s.says("Cancelled.")
}

// A job is lost with the window, which asks first; Escape takes the question back, and not the job.
func TestTheWindowAsksBeforeAJobIsLost(t *testing.T) {
	s := open(t, &uitest.Engine{})
	left, done := 0, make(chan struct{})
	s.leave(func() { left++ })
	s.Job("Job", "Working…", "Failed", "Cancelled.", func(ctx context.Context, _ func(done, all int)) error {
		select {
		case <-ctx.Done():
		case <-done:
		}
		return ctx.Err()
	}, func() { left++ })
	s.until("the dialog", func() bool { return s.Win.Canvas().Overlays().Top() != nil })
	job := s.Win.Canvas().Overlays().Top()
	s.leave(func() { left++ })
	s.Key(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if left != 1 || s.Win.Canvas().Overlays().Top() != job {
		t.Fatalf("left %d times, or the question stays", left)
	}
	s.leave(func() { left++ })
	pagetest.Button(s.Win, "Close the window").Tapped(nil)
	if left != 2 {
		t.Error("the window stays")
	}
	close(done)
	s.until("the end of the job", func() bool { return left == 3 })
}

// Enter gives the stressed answer of a question, or the one that has the focus, once, and closes what only tells something.
func TestEnterGivesTheStressedAnswer(t *testing.T) {
	s := open(t, &uitest.Engine{})
	enter := func() { s.Key(&fyne.KeyEvent{Name: fyne.KeyReturn}) }
	var given []samples.Whose
	s.AskWhose(func(whose samples.Whose) { given = append(given, whose) })
	enter()
	s.AskWhose(func(whose samples.Whose) { given = append(given, whose) })
	s.Win.Canvas().FocusNext()
	s.Win.Canvas().FocusNext() // of three answers the second
	s.Win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.DropDown(s.header.who, s.draw.ChoiceItems())
	enter()
	if !slices.Equal(given, []samples.Whose{samples.Mine, samples.Others}) {
		t.Errorf("given was %v", given)
	}
	s.Win.Canvas().Unfocus() // as a press on a grey line of the menu does
	s.Key(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if s.Win.Canvas().Overlays().Top() != nil {
		t.Error("Escape does not close a menu without the focus")
	}
	s.showKeys()
	enter()
	if s.Win.Canvas().Overlays().Top() != nil {
		t.Error("the keys are still shown")
	}
}

// A question comes in place of the one that is open, and Enter alone confirms nothing that is asked twice.
func TestOneDialogIsOpen(t *testing.T) {
	s := open(t, &uitest.Engine{})
	s.models.Choose()
	s.models.Choose()
	if open := s.Win.Canvas().Overlays().List(); len(open) != 1 {
		t.Errorf("%d dialogs are open", len(open))
	}
	s.Confirm("Sure?", "It is gone then.", "Yes", "No", func() { t.Error("Enter confirms") })
	s.Key(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if s.Win.Canvas().Overlays().Top() != nil {
		t.Error("Enter did not close the question")
	}
}

// A text has a dialog of its height: a sentence stands in no empty room, and a long text is not read through a slit.
func TestTextsHaveRoomAsTheyNeed(t *testing.T) {
	s := open(t, &uitest.Engine{})
	height := func(text string) float32 {
		s.ShowText("Text", text)
		top := s.Win.Canvas().Overlays().Top().(*toolkit.PopUp)
		return top.Content.Size().Height
	}
	if one, two, many := height("A sentence."), height("A line.\nAnother."), height(strings.Repeat("line\n", 100)); one > 170 || two <= one || many < 400 || many > 450 {
		t.Errorf("one line has %g, two have %g, many have %g", one, two, many)
	}
}

func TestAnotherPageClosesTheDialog(t *testing.T) {
	s := open(t, &uitest.Engine{})
	s.showKeys()
	s.OpenPage(1)
	if s.Win.Canvas().Overlays().Top() != nil {
		t.Error("the dialog stands over another page than it was opened on")
	}
}

func TestPagesAreSwitchedByTabAndMenu(t *testing.T) {
	opened := 0
	s := open(t, &uitest.Engine{})
	other := s.Pages[len(s.Pages)-1]
	other.Opened = func() { opened++ }
	front := func(draw bool) {
		t.Helper()
		if s.Pages[0].Content.Visible() != draw || other.Content.Visible() == draw {
			t.Errorf("Draw visible %v, the other page %v", s.Pages[0].Content.Visible(), other.Content.Visible())
		}
		last := len(s.header.tabs) - 1
		if s.header.tabs[0].Selected != draw || s.header.tabs[last].Selected == draw {
			t.Error("the tab in front is not marked")
		}
	}
	front(true)
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.header.tabs[len(s.header.tabs)-1]).AddXY(10, 10)
	test.TapCanvas(s.Win.Canvas(), at)
	front(false)
	if opened != 1 {
		t.Errorf("the page was told %d times that it is in front", opened)
	}
	s.Win.MainMenu().Items[2].Items[0].Action()
	front(true)
}

func TestTraceTellsPenUpAndAnswer(t *testing.T) {
	var out bytes.Buffer
	s := open(t, &uitest.Engine{}, func(o *Options) { o.Trace = &out })
	s.Win.Canvas().Capture()
	uitest.Stroke(s.Paper, uitest.Seven...)
	s.until("the finished drawing's answer", func() bool {
		seen := shownOf(s.InFront().Content, func(t *widget.Thumbnail) bool { return t.Drawing == s.Worker.Sequence() })
		return len(seen) > 0
	})
	s.Win.Canvas().Capture()
	s.close()
	var events []string
	var up, shown page.Event
	for dec := json.NewDecoder(&out); dec.More(); {
		var e page.Event
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
