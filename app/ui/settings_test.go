package ui

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"

	"inkshade/app/collection"
)

// again opens a second window of the same app, as the next start does.
func again(t *testing.T, s *testStage, trace io.Writer) *testStage {
	t.Helper()
	next := &testStage{t: t, queue: make(chan func(), 1024)}
	next.Window = New(s.app, Options{Engine: &fakeEngine{}, Appearance: Light, Trace: trace, post: func(f func()) { next.queue <- f }})
	t.Cleanup(next.close)
	next.win.Canvas().Capture()
	return next
}

func TestSizeAndPageAreRemembered(t *testing.T) {
	s := open(t, &fakeEngine{})
	want := fyne.NewSize(1010, 715)
	s.win.Resize(want)
	s.openPage(2)
	s.until("the size to rest", func() bool { return s.app.Preferences().Float(heightPreference) == float64(want.Height) })
	var trace bytes.Buffer
	next := again(t, s, &trace)
	if got := next.win.Canvas().Size(); got != want {
		t.Errorf("the window opens with %v, was left with %v", got, want)
	}
	if next.front != 2 || !next.header.tabs[2].selected || !next.train.content.Visible() {
		t.Errorf("page %d is in front", next.front)
	}
	if !strings.Contains(trace.String(), "first-frame") {
		t.Errorf("the trace has no first frame: %s", trace.String())
	}
}

func TestASizeTooSmallToWorkInIsNotRestored(t *testing.T) {
	a := test.NewTempApp(t)
	a.Preferences().SetFloat(widthPreference, 20)
	a.Preferences().SetFloat(heightPreference, 5000)
	if got := rememberedSize(a, fyne.Size{}); got != fyne.NewSize(smallest.Width, 5000) {
		t.Errorf("%v", got)
	}
}

func TestTheKeysGoToThePageInFront(t *testing.T) {
	s := inGallery(t, filled(t, map[string]int{"a": 6}), 6)
	s.cell(0, 0) // the gallery has the focus
	s.toast.say("of the gallery")
	s.openPage(3)
	if f := s.win.Canvas().Focused(); f != nil {
		t.Errorf("%T keeps the keys although it is hidden", f)
	}
	if s.toast.Visible() {
		t.Error("what another page said is still there")
	}
}

func TestAKeyThatAWidgetDoesNotUseReachesThePage(t *testing.T) {
	s := open(t, &fakeEngine{})
	stroke(s.draw.pad, seven...)
	s.answered("1")
	c := s.win.Canvas()
	for _, f := range []fyne.Focusable{s.draw.tools.undo, s.draw.choice, s.header.tabs[0]} {
		c.Focus(f)
		f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF1})
		if c.Overlays().Top() == nil {
			t.Fatalf("%T: F1 shows no keys", f)
		}
		s.modal.Hide()
		f.TypedRune('%')
		if s.draw.entry.Text != "%" {
			t.Errorf("%T: a character typed is lost", f)
		}
		s.draw.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	}
}

func TestTabsAreOpenedByKeys(t *testing.T) {
	s := open(t, &fakeEngine{})
	next := s.header.tabs[1]
	s.win.Canvas().Focus(next)
	next.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if s.front != 1 {
		t.Errorf("page %d is in front", s.front)
	}
}

func TestTheToastFollowsTheWindow(t *testing.T) {
	s := open(t, &fakeEngine{})
	stroke(s.draw.pad, seven...)
	s.toast.say("Undone. " + strings.Repeat("Every word of this can be read. ", 9))
	for _, size := range sizes {
		s.win.Resize(size)
		a := areaOf(s.draw.pad)
		p := areaOf(s.toast).pos
		if p.X < a.pos.X || p.X+s.toast.Size().Width > a.pos.X+a.size.Width || p.Y < a.pos.Y || p.Y+s.toast.Size().Height > areaOf(s.draw.pad.view.tip).pos.Y {
			t.Errorf("%v: the toast at %v leaves the paper at %v of size %v, or covers what stands under the drawing", size, p, a.pos, a.size)
		}
		if lines := s.toast.words.wrap(s.toast.words.Size().Width); len(lines) < 2 || strings.Join(lines, " ") != strings.TrimSpace(s.toast.words.text) {
			t.Errorf("%v: the toast is cut: %q", size, lines)
		}
	}
}

// A person reads the About box whole.
func TestNothingOfTheAboutBoxIsCut(t *testing.T) {
	s := open(t, &fakeEngine{})
	s.showAbout()
	read := 0
	for _, o := range test.LaidOutObjects(s.win.Canvas().Overlays().Top()) {
		if text, ok := o.(*canvas.Text); ok && text.Text != "" {
			read++
			if strings.HasSuffix(text.Text, "…") {
				t.Errorf("%q", text.Text)
			}
		}
	}
	if read < 4 {
		t.Errorf("the box has %d texts", read)
	}
}

func TestEveryDialogFitsTheSmallestWindow(t *testing.T) {
	s := open(t, &fakeEngine{noGPU: strings.Repeat("no EGL display; ", 90)}, func(o *Options) { o.Licence = "May be used." })
	s.until("settled", func() bool { return s.header.status.Settled() })
	s.win.Resize(fyne.NewSize(900, 571))
	for name, show := range map[string]func(){"keys": s.showKeys, "help": s.showHelp, "devices": s.showDevices, "about": s.showAbout} {
		show()
		if m := s.modal.MinSize(); m.Width > 900 || m.Height > 571 {
			t.Errorf("%s needs %v", name, m)
		}
		s.modal.Hide()
	}
}

// The settings that version 0.1 kept count in every later version.
func TestPreferencesOfVersion01(t *testing.T) {
	file, err := os.ReadFile("../testdata/v0.1/preferences.json")
	if err != nil {
		t.Fatal(err)
	}
	var kept map[string]any
	if err := json.Unmarshal(file, &kept); err != nil {
		t.Fatal(err)
	}
	s := open(t, &fakeEngine{})
	for key, value := range kept {
		switch value := value.(type) {
		case string:
			s.app.Preferences().SetString(key, value)
		case float64:
			s.app.Preferences().SetFloat(key, value)
		}
	}
	next := &testStage{t: t, queue: make(chan func(), 1024)}
	next.Window = New(s.app, Options{Engine: &fakeEngine{}, post: func(f func()) { next.queue <- f }})
	t.Cleanup(next.close)
	next.win.Canvas().Capture()
	f, err := collection.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	first, err := OpenCollection(s.app, f, "")
	if name := first.Model("digits-mlp"); err != nil || name != "characters-mlp" {
		t.Errorf("the model is %s, error %v", name, err)
	}
	if c := next.classes; c.key != "own" || !c.has("2") || c.has("5") {
		t.Errorf("the classes are %+v", c)
	}
	if got := next.win.Canvas().Size(); got != fyne.NewSize(1100, 760) {
		t.Errorf("the window opens with %v", got)
	}
	if next.front != 2 || next.theme.appearance != Light {
		t.Errorf("page %d is in front, appearance %v", next.front, next.theme.appearance)
	}
}

// The paper for characters has lines to write on where that is switched on, also after the next start; ruled paper always.
func TestLinesToWriteOn(t *testing.T) {
	s := open(t, &fakeEngine{})
	shown := func(p *pad) (n int) {
		for _, l := range p.view.lines {
			if l.Visible() {
				n++
			}
		}
		return n
	}
	if shown(s.draw.pad) != 0 || shown(s.draw.line.pad) != 3 {
		t.Errorf("%d and %d lines at first", shown(s.draw.pad), shown(s.draw.line.pad))
	}
	s.linesItem().Action()
	next := again(t, s, nil)
	for _, w := range []*Window{s.Window, next.Window} {
		base := w.draw.pad.view.lines[2].Position().Y
		if small := w.draw.pad.view.lines[1].Position().Y; shown(w.draw.pad) != 2 || small >= base || base >= w.draw.pad.Size().Height {
			t.Errorf("%d lines, at %g and %g of %g", shown(w.draw.pad), small, base, w.draw.pad.Size().Height)
		}
	}
	if item := next.linesItem(); !item.Checked {
		t.Error("the menu does not say so")
	} else if item.Action(); shown(next.draw.pad) != 0 {
		t.Error("the lines stay")
	}
}

// The language is that of all texts, the toolkit's too, on a system of any language.
func TestLanguageIsChosen(t *testing.T) {
	for _, c := range []struct{ system, chosen, ours, theirs string }{
		{"de_DE", "", "Undo", "Show Hidden Files"},
		{"de_DE", "zh-Hans", "撤消", "显示隐藏的文件"},
		{"zh_CN", "", "撤消", "显示隐藏的文件"},
		{"zh_CN", "en", "Undo", "Show Hidden Files"},
		{"zh_CN", "nonsense", "撤消", "显示隐藏的文件"},
	} {
		inSystem(t, c.system)
		a := test.NewTempApp(t)
		a.Preferences().SetString(wordsPreference, c.chosen)
		speak(a)
		if ours, theirs := tr("Undo"), lang.L("Show Hidden Files"); ours != c.ours || theirs != c.theirs {
			t.Errorf("%+v: %q and %q", c, ours, theirs)
		}
	}
}

// What is chosen of language and size of text is there at the next start.
func TestLanguageAndSizeAreForTheNextStart(t *testing.T) {
	t.Setenv("FYNE_SCALE", "")
	s := open(t, &fakeEngine{})
	s.showSettings()
	var selects []*dropDown
	for _, o := range test.LaidOutObjects(s.win.Canvas().Overlays().Top()) {
		if o, ok := o.(*dropDown); ok {
			selects = append(selects, o)
		}
	}
	selects[0].SetSelectedIndex(2)
	selects[1].SetSelectedIndex(1)
	if tr("Undo") != "Undo" || os.Getenv("FYNE_SCALE") != "" {
		t.Error("the window of now has changed")
	}
	t.Cleanup(func() { setupLang("en") })
	speak(s.app)
	enlarge(s.app)
	if tr("Undo") != "撤消" || os.Getenv("FYNE_SCALE") != "1.2" {
		t.Errorf("%q, scale %q", tr("Undo"), os.Getenv("FYNE_SCALE"))
	}
}

// Pen, pause and who answers take effect at once and are remembered.
func TestSettingsAreRemembered(t *testing.T) {
	s := open(t, &fakeEngine{})
	s.until("settled", func() bool { return s.header.status.Settled() })
	s.showSettings()
	var sliders []*slide
	var device *dropDown
	for _, o := range test.LaidOutObjects(s.win.Canvas().Overlays().Top()) {
		switch o := o.(type) {
		case *slide:
			sliders = append(sliders, o)
		case *dropDown:
			device = o
		}
	}
	before := s.draw.pad.nib()
	sliders[0].SetValue(2)
	sliders[1].SetValue(0.6)
	device.SetSelectedIndex(1)
	s.until("the CPU", func() bool { return s.header.status.Choice == ChooseCPU })
	if got := s.draw.pad.nib(); got != 2*before || s.samples.guided.rest != 600*time.Millisecond {
		t.Errorf("the pen went from %v to %v, the pause is %v", before, got, s.samples.guided.rest)
	}
	if got := ChosenDevice(s.app); got != ChooseCPU {
		t.Errorf("remembered is %q", got)
	}
	s.draw.pad.width, s.samples.guided.rest = 1, 0
	s.applySettings() // as the next start does
	if s.draw.pad.width != 2 || s.samples.guided.rest != 600*time.Millisecond {
		t.Error("pen and pause are forgotten")
	}
	again := open(t, &fakeEngine{}, func(o *Options) { o.Choice = ChooseFaster })
	again.until("the faster one", func() bool { return again.header.status.Choice == ChooseFaster })
}
