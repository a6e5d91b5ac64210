package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"

	"inkshade/app/state"
	"inkshade/app/state/device"
	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/settings"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
	"inkshade/glcompute"
	"inkshade/recognizer/bench"
	"inkshade/recognizer/ink"
)

// again opens a second window of the same app, as the next start does.
func again(t *testing.T, s *testStage, trace io.Writer) *testStage {
	t.Helper()
	next := &testStage{t: t, queue: make(chan func(), 1024)}
	next.Window = New(s.App, Options{Engine: &uitest.Engine{}, Appearance: widget.Light, Trace: trace, post: func(f func()) { next.queue <- f }})
	t.Cleanup(next.close)
	next.Win.Canvas().Capture()
	return next
}

func TestSizeAndPageAreRemembered(t *testing.T) {
	s := open(t, &uitest.Engine{})
	want := fyne.NewSize(1010, 715)
	s.Win.Resize(want)
	s.OpenPage(2)
	s.until("the size to rest", func() bool { return setting.Height.Get(s.App.Preferences()) == float64(want.Height) })
	var trace bytes.Buffer
	next := again(t, s, &trace)
	if got := next.Win.Canvas().Size(); got != want {
		t.Errorf("the window opens with %v, was left with %v", got, want)
	}
	if next.Front != 2 || !next.header.tabs[2].Selected || !next.InFront().Content.Visible() {
		t.Errorf("page %d is in front", next.Front)
	}
	if !strings.Contains(trace.String(), "first-frame") {
		t.Errorf("the trace has no first frame: %s", trace.String())
	}
}

func TestASizeTooSmallToWorkInIsNotRestored(t *testing.T) {
	a := test.NewTempApp(t)
	setting.Width.Set(a.Preferences(), 20)
	setting.Height.Set(a.Preferences(), 5000)
	if got := rememberedSize(a, fyne.Size{}); got != fyne.NewSize(widget.Smallest.Width, 5000) {
		t.Errorf("%v", got)
	}
}

// Larger texts make no larger window: what has no room in it is scrolled to.
func TestLargerTextsAreScrolled(t *testing.T) {
	a := test.NewTempApp(t)
	setting.TextSize.Set(a.Preferences(), 1.5)
	t.Setenv("FYNE_SCALE", "1.5")
	s := openOn(t, a, &uitest.Engine{})
	if got := s.Win.Canvas().Size(); got.Width > 1280/1.5+1 || got.Height > 800/1.5+1 {
		t.Errorf("the window opens with %v", got)
	}
	scroll, ok := s.Win.Content().(*container.Scroll)
	if !ok || scroll.MinSize().Width > 1280/1.5 || scroll.MinSize().Height > 800/1.5 {
		t.Fatalf("the window is a %T of at least %v", s.Win.Content(), s.Win.Content().MinSize())
	}
	if whole := scroll.Content.Size(); whole.Width < widget.Smallest.Width || whole.Height < widget.Smallest.Height {
		t.Errorf("its content has %v", whole)
	}
}

// What a dialog has no room for is scrolled to, above its button; and another page is seen from its top.
func TestLargerTextsLeaveDialogsWithinTheWindow(t *testing.T) {
	a := test.NewTempApp(t)
	setting.TextSize.Set(a.Preferences(), 1.5)
	t.Setenv("FYNE_SCALE", "1.5")
	s := openOn(t, a, &uitest.Engine{})
	s.Win.Resize(fyne.NewSize(600, 400))
	for name, show := range map[string]func(){"keys": s.showKeys, "settings": s.Command("settings").Do} {
		show()
		box := s.Win.Canvas().Overlays().Top()
		scroll := shownOf(box, func(*container.Scroll) bool { return true })[0]
		button := shownOf(box, func(b *widget.Press) bool { return b.Text == "Close" })[0]
		area, under := widget.AreaOf(scroll), widget.AreaOf(button)
		if area.Pos.Y+area.Size.Height > under.Pos.Y || under.Pos.Y+under.Size.Height > 400 || area.Pos.X+area.Size.Width > 600 {
			t.Errorf("%s: the content has %v, the button %v", name, area, under)
		}
		if scroll.Content.Size().Height <= area.Size.Height {
			t.Errorf("%s: nothing is scrolled", name)
		}
	}
	scroll := s.Win.Content().(*container.Scroll)
	scroll.ScrollToBottom()
	if s.OpenPage(1); scroll.Offset.Y != 0 {
		t.Errorf("another page begins at %v", scroll.Offset)
	}
}

func TestAKeyThatAWidgetDoesNotUseReachesThePage(t *testing.T) {
	s := open(t, &uitest.Engine{})
	uitest.Stroke(s.Paper, uitest.Seven...)
	s.answered("1")
	c := s.Win.Canvas()
	buttons := shownOf(s.InFront().Content, func(b *widget.Button) bool { return !b.Disabled() })
	if len(buttons) < 3 {
		t.Fatalf("%d buttons", len(buttons))
	}
	for _, f := range append(buttons, s.header.tabs[0]) {
		c.Focus(f)
		f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF1})
		if c.Overlays().Top() == nil {
			t.Fatalf("%T: F1 shows no keys", f)
		}
		s.Modal.Hide()
		f.TypedRune('%')
		entry, ok := c.Focused().(*widget.Entry)
		if !ok || entry.Text != "%" {
			t.Fatalf("%T: a character typed is lost", f)
		}
		entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	}
}

func TestTabsAreOpenedByKeys(t *testing.T) {
	s := open(t, &uitest.Engine{})
	next := s.header.tabs[1]
	s.Win.Canvas().Focus(next)
	next.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if s.Front != 1 {
		t.Errorf("page %d is in front", s.Front)
	}
}

func TestTheToastFollowsTheWindow(t *testing.T) {
	s := open(t, &uitest.Engine{})
	uitest.Stroke(s.Paper, uitest.Seven...)
	s.Toast.Say("Undone. " + strings.Repeat("Every word of this can be read. ", 9))
	for _, size := range uitest.Sizes {
		s.Win.Resize(size)
		a := widget.AreaOf(s.Paper)
		p := widget.AreaOf(s.Toast).Pos
		if p.X < a.Pos.X || p.X+s.Toast.Size().Width > a.Pos.X+a.Size.Width || p.Y < a.Pos.Y || p.Y+s.Toast.Size().Height > widget.AreaOf(s.Paper.View.Tip).Pos.Y {
			t.Errorf("%v: the toast at %v leaves the paper at %v of size %v, or covers what stands under the drawing", size, p, a.Pos, a.Size)
		}
		if lines := s.Toast.Words.Wrap(s.Toast.Words.Size().Width); len(lines) < 2 || strings.Join(lines, " ") != strings.TrimSpace(s.Toast.Words.Text) {
			t.Errorf("%v: the toast is cut: %q", size, lines)
		}
	}
}

// A person reads the About box whole.
func TestNothingOfTheAboutBoxIsCut(t *testing.T) {
	s := open(t, &uitest.Engine{})
	s.showAbout()
	read := 0
	for _, o := range test.LaidOutObjects(s.Win.Canvas().Overlays().Top()) {
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
	s := open(t, &uitest.Engine{NoGPU: strings.Repeat("no EGL display; ", 90)}, func(o *Options) { o.Licence = "May be used." })
	s.until("settled", func() bool { return s.Status.Settled() })
	s.Win.Resize(fyne.NewSize(900, 571))
	for name, show := range map[string]func(){"keys": s.showKeys, "help": s.showHelp, "devices": s.showDevices, "about": s.showAbout} {
		show()
		if m := s.Modal.MinSize(); m.Width > 900 || m.Height > 571 {
			t.Errorf("%s needs %v", name, m)
		}
		s.Modal.Hide()
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
	s := open(t, &uitest.Engine{})
	for key, value := range kept {
		switch value := value.(type) {
		case string:
			s.App.Preferences().SetString(key, value)
		case float64:
			s.App.Preferences().SetFloat(key, value)
		}
	}
	next := &testStage{t: t, queue: make(chan func(), 1024)}
	e := &uitest.Engine{}
	next.Window = New(s.App, Options{Engine: e, post: func(f func()) { next.queue <- f }})
	t.Cleanup(next.close)
	next.Win.Canvas().Capture()
	f, err := state.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	first, err := page.OpenCollection(s.App, f, "")
	if name := first.Model("digits-mlp"); err != nil || name != "characters-mlp" {
		t.Errorf("the model is %s, error %v", name, err)
	}
	next.until("the classes", func() bool {
		e.Mu.Lock()
		defer e.Mu.Unlock()
		return e.Allowed != nil && e.Allowed("2") && !e.Allowed("5")
	})
	if got := next.Win.Canvas().Size(); got != fyne.NewSize(1100, 760) {
		t.Errorf("the window opens with %v", got)
	}
	if next.Front != 2 || next.Theme.Appearance != widget.Light {
		t.Errorf("page %d is in front, appearance %v", next.Front, next.Theme.Appearance)
	}
}

// The paper for characters has lines to write on where that is switched on, also after the next start; ruled paper always.
func TestLinesToWriteOn(t *testing.T) {
	s := open(t, &uitest.Engine{})
	shown := func(p *widget.Pad) (n int) {
		for _, l := range p.View.Lines {
			if l.Visible() {
				n++
			}
		}
		return n
	}
	if n := shown(s.Paper); n != 0 {
		t.Errorf("%d lines at first", n)
	}
	s.item("Lines to Write On")
	next := again(t, s, nil)
	for _, w := range []*Window{s.Window, next.Window} {
		base := w.Paper.View.Lines[2].Position().Y
		if small := w.Paper.View.Lines[1].Position().Y; shown(w.Paper) != 2 || small >= base || base >= w.Paper.Size().Height {
			t.Errorf("%d lines, at %g and %g of %g", shown(w.Paper), small, base, w.Paper.Size().Height)
		}
	}
	if item := next.Item(next.Command("ruled")); !item.Checked {
		t.Error("the menu does not say so")
	} else if item.Action(); shown(next.Paper) != 0 {
		t.Error("the lines stay")
	}
}

// The language is that of all texts, the toolkit's too, on a system of any language.
func TestLanguageIsChosen(t *testing.T) {
	for _, c := range []struct{ system, chosen, ours, theirs string }{
		{"de_DE", "", "Rückgängig", "Alle auswählen"},
		{"de_AT", "", "Rückgängig", "Alle auswählen"},
		{"pt_BR", "", "Undo", "Select all"},
		{"sv_SE", "", "Undo", "Select all"},
		{"de_DE", "zh-Hans", "撤销", "全选"},
		{"zh_CN", "", "撤销", "全选"},
		{"zh_CN", "en", "Undo", "Select all"},
		{"zh_CN", "nonsense", "撤销", "全选"},
	} {
		uitest.InSystem(t, c.system)
		a := test.NewTempApp(t)
		setting.Language.Set(a.Preferences(), c.chosen)
		language.Speak(a)
		if ours, theirs := language.Tr("Undo"), lang.L("Select all"); ours != c.ours || theirs != c.theirs {
			t.Errorf("%+v: %q and %q", c, ours, theirs)
		}
	}
}

// The size of text is taken at once, in a window that scrolls what has no room, and so is the language; what was drawn stays.
func TestSizeOfTextAndLanguageAreForNow(t *testing.T) {
	t.Setenv("FYNE_SCALE", "")
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	s.one()
	s.types("5")
	s.says("learned")
	s.draw.Papers()[1].SetInk(uitest.SevenInk)
	s.Open("samples")
	s.item("Settings…")
	selects := func() []*widget.DropDown {
		return shownOf(s.Win.Canvas().Overlays().Top(), func(*widget.DropDown) bool { return true })
	}
	selects()[2].SetSelectedIndex(1)
	if _, scrolled := s.Win.Content().(*container.Scroll); !scrolled || os.Getenv("FYNE_SCALE") != "1.2" {
		t.Errorf("scale %q, scrolled %v", os.Getenv("FYNE_SCALE"), scrolled)
	}
	selects()[2].SetSelectedIndex(0)
	if _, scrolled := s.Win.Content().(*container.Scroll); scrolled || os.Getenv("FYNE_SCALE") != "" {
		t.Errorf("of the usual size: scale %q, scrolled %v", os.Getenv("FYNE_SCALE"), scrolled)
	}
	for _, c := range [][2]string{{"中文", "撤销"}, {"English", "Undo"}} {
		before := s.header
		selects()[0].SetSelected(c[0])
		s.until("all is made anew", func() bool { return s.header != before && s.Win.Canvas().Overlays().Top() != nil })
		if got := s.Win.MainMenu().Items[1].Items[0].Label; got != c[1] {
			t.Errorf("the menu says %q in %s", got, c[0])
		}
	}
	s.Modal.Hide()
	if s.InFront().Key != "samples" || len(s.Paper.Drawing()) != 1 || len(s.draw.Papers()[1].Drawing()) != len(uitest.SevenInk) {
		t.Error("another page is in front, or ink is gone")
	}
	s.shows(1)
	s.OpenPage(0)
	s.Clear()
	s.one()
	s.answered("5")
}

// In another language a drawing is as large as before, where it was, with what can be undone and whether it is finished; what is being
// measured ends, because its page is gone, and what was measured is seen.
func TestAnotherLanguageDisturbsNothing(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	s.one()
	s.types("5")
	s.says("learned")
	lines := s.draw.Papers()[1]
	lines.SetInk(uitest.SevenInk)
	lines.SetInk(ink.Ink{{{X: 40, Y: 700}, {X: 90, Y: 720}}})
	lines.ScrollTo(300)
	before := [2]ink.Ink{s.Paper.Drawing(), lines.Drawing()}
	ended := make(chan struct{})
	s.latency.Measure = func(ctx context.Context, _ bench.Options, _ func(bench.Event)) (*bench.Report, error) {
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	}
	s.latency.Report.Readings = []bench.Reading{{Size: 1}}
	s.Open("latency")
	s.InFront().Actions.Key(fyne.KeyReturn)
	choose := func(language string) {
		header := s.header
		s.item(map[string]string{"English": "Settings…", "中文": "设置…"}[language])
		shownOf(s.Win.Canvas().Overlays().Top(), func(*widget.DropDown) bool { return true })[0].SetSelected(map[string]string{"English": "中文", "中文": "English"}[language])
		s.OpenPage(0) // before that is stored
		s.until("all is made anew", func() bool { return s.header != header })
	}
	choose("English")
	<-ended
	for i, pad := range s.draw.Papers() {
		if !widget.SameInk(pad.Drawing(), before[i]) || pad.Scroll != [2]float64{0, lines.Scroll}[i] || pad.Done != (i == 0) {
			t.Errorf("on paper %d is %v, scrolled to %v, finished %v", i, pad.Drawing(), pad.Scroll, pad.Done)
		}
		if pad.Undo(); widget.SameInk(pad.Drawing(), before[i]) {
			t.Errorf("on paper %d nothing is undone", i)
		}
	}
	if len(s.latency.Report.Readings) != 1 {
		t.Error("what was measured is gone")
	}
	if s.Win.Canvas().Overlays().Top() != nil {
		t.Error("the settings lie over the page that was opened")
	}
}

// Pen, pause and who answers take effect at once and are remembered.
func TestSettingsAreRemembered(t *testing.T) {
	s := open(t, &uitest.Engine{})
	s.until("settled", func() bool { return s.Status.Settled() })
	s.item("Settings…")
	var sliders []*widget.Slide
	var who *widget.DropDown
	for _, o := range test.LaidOutObjects(s.Win.Canvas().Overlays().Top()) {
		switch o := o.(type) {
		case *widget.Slide:
			sliders = append(sliders, o)
		case *widget.DropDown:
			who = o
		}
	}
	before := s.Paper.Nib()
	sliders[0].SetValue(2)
	sliders[1].SetValue(1.4)
	sliders[2].SetValue(0.6)
	sliders[3].SetValue(2.2)
	who.SetSelectedIndex(1)
	s.until("the CPU", func() bool { return s.Status.Choice == device.ChooseCPU })
	if got := s.Paper.Nib(); got != 2*before || math.Round(10*setting.GuidedPause.Get(s.App.Preferences())) != 6 || math.Round(10*setting.DrawPause.Get(s.App.Preferences())) != 14 || math.Round(10*setting.PanelPause.Get(s.App.Preferences())) != 22 {
		t.Errorf("the pen went from %v to %v, or a pause is another", before, got)
	}
	if got := settings.ChosenDevice(s.App); got != device.ChooseCPU {
		t.Errorf("remembered is %q", got)
	}
	s.Paper.Width = 1
	s.Each(func(p *page.Page) func() { return p.Set }) // as the next start does
	if s.Paper.Width != 2 {
		t.Error("the pen is forgotten")
	}
	again := open(t, &uitest.Engine{}, func(o *Options) { o.Choice = device.ChooseFaster })
	again.until("the faster one", func() bool { return again.Status.Choice == device.ChooseFaster })
}

// In the smallest window the header says whole who answers, in no language so small that it is hardly read.
func TestWhoAnswersIsSaidWhole(t *testing.T) {
	t.Cleanup(func() { language.Use("en") })
	for _, l := range language.All {
		language.Use(l.Code)
		a := test.NewTempApp(t)
		a.Settings().SetTheme(widget.NewTheme(widget.Light)) // with its fonts
		var pages []*page.Page
		for _, name := range []string{"Draw", "Samples", "Train", "Models", "Latency"} {
			pages = append(pages, &page.Page{Name: language.Tr(name)})
		}
		panel := (&page.Command{}).Tool(nil, language.Tr("Write Anywhere"))
		h := newHeader(pages, nil, panel, nil)
		h.Resize(fyne.NewSize(widget.Smallest.Width, widget.HeaderHeight(0)))
		for _, s := range []device.Status{
			{Answering: device.CPU, GPU: device.SideStatus{State: device.Preparing}},
			{Reasons: []error{errors.New("why")}},
			{Answering: device.GPU, GPU: device.SideStatus{Info: glcompute.Info{Software: true}}},
		} {
			h.setStatus(s)
			if words := h.who.Words; !words.Whole(words.Size().Width) || words.TextSize < 11 {
				t.Errorf("%s: of %q is shown %q, of size %v", l.Name, words.Text, words.Wrap(words.Size().Width), words.TextSize)
			}
		}
	}
}
