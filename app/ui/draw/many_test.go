package draw

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"golang.org/x/text/encoding/simplifiedchinese"
	"inkshade/app/state/device"
	"inkshade/recognizer/ink"

	"inkshade/app/ui/glyph"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
	"inkshade/recognizer"
)

// hanzi are the 3,755 characters of GB 2312's first level.
func hanzi(t *testing.T) []string {
	t.Helper()
	var labels []string
	for row := byte(0xB0); row < 0xD8; row++ {
		for cell := byte(0xA1); cell < 0xFF; cell++ {
			if c, err := simplifiedchinese.GBK.NewDecoder().Bytes([]byte{row, cell}); err == nil && string(c) < "\ue000" {
				labels = append(labels, string(c))
			}
		}
	}
	if len(labels) != 3755 {
		t.Fatalf("%d characters", len(labels))
	}
	return labels
}

// hanziEngine answers with as many characters as strokes left out.
type hanziEngine struct {
	*uitest.Engine
	labels []string
}

func (e hanziEngine) Recognize(k ink.Ink, traced bool) (recognizer.Answer, device.Side, error) {
	a, side, err := e.Engine.Recognize(k, traced)
	known := a.Candidates
	a.Candidates = nil
	for i, l := range slices.Concat(e.labels[len(k):], e.labels[:len(k)]) {
		a.Candidates = append(a.Candidates, recognizer.Candidate{Label: l, Probability: 0.4 / float64(int(1)<<min(i, 30))})
	}
	if len(known) > 0 && slices.Contains(e.labels, known[0].Label) { // remembered
		a.Candidates = slices.Concat(known[:1], a.Candidates)
	}
	return a, side, err
}

// withHanzi opens a window on a model of 3,755 classes, in which one stroke stands.
func withHanzi(t *testing.T, dir string) *testStage {
	t.Helper()
	e := hanziEngine{&uitest.Engine{}, hanzi(t)}
	s := withBook(t, e, dir)
	e.Set(func(s *device.Status) { s.Model, s.Labels = "chinese", e.labels })
	s.Until("the model", func() bool { return s.draw.isMany })
	s.one()
	return s
}

func (s *testStage) collected(text string) {
	s.T.Helper()
	s.Until("the text "+text, func() bool { return s.draw.many.text.Text == text })
}

func TestCandidatesOfManyClassesArePickedAndCollected(t *testing.T) {
	s := withHanzi(t, t.TempDir())
	cells := s.draw.many.grid.Cells
	if len(cells) != 10 || cells[0].Glyph.Text != "阿" || cells[0].Reading.Text != "ā" || cells[0].Share.Text != "40.0 %" || cells[9].Number.Text != "0" {
		t.Fatalf("%d cells, the first says %q %q %q", len(cells), cells[0].Glyph.Text, cells[0].Reading.Text, cells[0].Share.Text)
	}
	if s.draw.candidates.content.Visible() {
		t.Error("the bars are there beside the grid")
	}
	s.Typed('0')
	tenth := cells[9].Candidate.Label
	s.collected(tenth)
	s.Says("Saved as “" + tenth)
	// Said again of the same drawing, the second word counts.
	second := cells[1].Candidate.Label
	test.Tap(cells[1])
	s.collected(second)
	s.Says("Saved as “" + second)
	if all := s.Stored(); len(all) != 1 || all[0].Label != second || !all[0].Correction {
		t.Errorf("stored %+v", all)
	}
	// The next stroke begins another character, which is what is copied until Enter confirms it.
	s.one()
	first := s.draw.last.Answer.Candidates[0].Label
	s.draw.copyAnswer()
	if got := s.App.Clipboard().Content(); got != first {
		t.Errorf("copied %q where %q is shown", got, first)
	}
	s.Says("Copied: " + first)
	s.Key(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.collected(second + first)
	s.Until("the drawing is saved", func() bool { return s.draw.pad.Done })
	s.draw.copyAnswer()
	if got := s.App.Clipboard().Content(); got != second+first {
		t.Errorf("copied %q", got)
	}
	// The drawing is done: Backspace takes a character back, and the answer is what is copied then.
	s.Key(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	s.collected(second)
	test.Tap(s.draw.many.copy)
	if got := s.App.Clipboard().Content(); got != second {
		t.Errorf("copied %q", got)
	}
	s.Key(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	s.draw.copyAnswer()
	if got := s.App.Clipboard().Content(); got != s.draw.last.Answer.Candidates[0].Label {
		t.Errorf("without a text it copied %q", got)
	}
}

// Undoing a lesson takes its character off the line too, back to what was said before of the same drawing.
func TestUndoTakesBackWhatWasCollected(t *testing.T) {
	s := withHanzi(t, t.TempDir())
	s.one()
	first, second := s.draw.last.Answer.Candidates[0].Label, s.draw.last.Answer.Candidates[1].Label
	s.Typed('1')
	s.collected(first)
	s.Typed('2')
	s.collected(second)
	s.one()
	s.Typed('1')
	third := s.draw.last.Answer.Candidates[0].Label
	s.collected(second + third)
	for _, left := range []string{second, first, ""} {
		s.UndoLast()
		s.collected(left)
	}
	for _, again := range []string{first, second, second + third} {
		s.RedoLast()
		s.collected(again)
	}
}

func TestMoreCandidatesTakeTheRoomBesideThePaper(t *testing.T) {
	s := withHanzi(t, t.TempDir())
	key := func(k fyne.KeyName) { s.Key(&fyne.KeyEvent{Name: k}) }
	seen := func() (n int) {
		for _, c := range s.draw.many.grid.Cells {
			if c.Visible() && c.Candidate != nil {
				n++
			}
		}
		return n
	}
	for _, size := range []fyne.Size{{Width: 1280, Height: 771}, widget.Smallest} {
		s.Win.Resize(size)
		key(fyne.KeyPageDown)
		if seen() != 100 || s.draw.cards[0].Visible() || s.draw.cards[2].Visible() {
			t.Fatalf("more shows %d candidates", seen())
		}
		last := s.draw.many.grid.Cells[99]
		if b, card := widget.AreaOf(last), widget.AreaOf(s.draw.cards[1]); b.Pos.Y+b.Size.Height > card.Pos.Y+card.Size.Height || b.Pos.X+b.Size.Width > card.Pos.X+card.Size.Width {
			t.Errorf("%v: the last candidate is at %v, its card %v", size, b, card)
		}
		for _, c := range s.draw.many.grid.Cells {
			if c.Reading.Width(c.Reading.Text) > c.Reading.Size().Width {
				t.Errorf("%v: %q has %v", size, c.Reading.Text, c.Reading.Size())
			}
		}
		key(fyne.KeyEscape)
		if seen() != 10 || !s.draw.cards[0].Visible() || len(s.draw.pad.Drawing()) == 0 {
			t.Fatalf("%d candidates after Escape", seen())
		}
	}
	test.Tap(s.draw.many.more)
	label := s.draw.many.grid.Cells[57].Candidate.Label
	test.Tap(s.draw.many.grid.Cells[57]) // no question, though hardly anything speaks for it
	s.collected(label)
	test.Tap(s.draw.many.more)
	uitest.Stroke(s.draw.pad, uitest.Dash...)
	if seen() > 10 || !s.draw.cards[2].Visible() {
		t.Errorf("%d candidates while drawing", seen())
	}
	s.draw.setLine(true)
	if s.draw.many.content.Visible() || !s.draw.candidates.content.Visible() {
		t.Error("a line has the grid of single characters")
	}
	s.draw.setLine(false)
	if !s.draw.many.content.Visible() {
		t.Error("the grid did not come back")
	}
}

func TestPinyinCorrects(t *testing.T) {
	s := withHanzi(t, t.TempDir())
	s.Typed('z')
	if s.draw.entry.Text != "z" {
		t.Fatalf("the entry has %q", s.draw.entry.Text)
	}
	test.Type(s.draw.entry, "hong1")
	cells := s.draw.many.grid.Cells
	for _, c := range cells[:4] {
		if c.Reading.Text != "zhōng" {
			t.Errorf("%q is read %q", c.Glyph.Text, c.Reading.Text)
		}
	}
	i := slices.IndexFunc(cells, func(c *glyph.Cell) bool { return c.Glyph.Text == "中" })
	if i < 0 {
		t.Fatal("中 is not offered")
	}
	test.Tap(cells[i])
	s.collected("中")
	s.Says("Saved as “中”")
	if s.draw.entry.Text != "" || cells[0].Reading.Text == "zhōng" {
		t.Errorf("the entry still has %q, the first candidate is read %q", s.draw.entry.Text, cells[0].Reading.Text)
	}
	// Enter takes the first one that is read so; what is no pinyin is taken as it stands.
	for typed, want := range map[string]string{"nv": "女", "国": "国", "X": "X"} {
		s.draw.entry.SetText(typed)
		s.draw.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		s.collected(want)
		s.Says("Saved as “" + want)
	}
}

// A name that is pinyin too can be given as it stands; from then on it is the first that it stands for.
func TestANameThatIsPinyin(t *testing.T) {
	s := withHanzi(t, t.TempDir())
	s.draw.entry.SetText("sun")
	cells := s.draw.many.grid.Cells
	i := slices.IndexFunc(cells, func(c *glyph.Cell) bool { return c.Glyph.Text == "sun" })
	if i < 1 || cells[i].Reading.Text == "" || cells[i].Share.Text != "" || cells[i+1].Candidate != nil && i != glyph.First-1 {
		t.Fatalf("sun is offered at %d", i)
	}
	test.Tap(cells[i])
	s.keeps("sun")
	for _, line := range []bool{false, true} {
		s.draw.setLine(line)
		if line {
			s.upright(60)
			s.upright(120)
			s.reads("11")
			s.draw.line.choose(1)
		} else {
			s.Clear()
			s.one()
		}
		s.draw.entry.SetText("sun")
		if c := cells[0]; !line && (c.Glyph.Text != "sun" || c.Reading.Text != "") {
			t.Errorf("first %q, %q is offered", c.Glyph.Text, c.Reading.Text)
		}
		s.says("sun")
		s.keeps(slices.Repeat([]string{"sun"}, map[bool]int{false: 2, true: 3}[line])...)
	}
}

// On a line pinyin is that of the chosen character, as it is for a single one.
func TestPinyinCorrectsALine(t *testing.T) {
	s := withHanzi(t, t.TempDir())
	l := s.draw.line
	s.draw.setLine(true)
	if tip := l.pad.View.Hint.Text; tip != "" {
		t.Errorf("the empty paper says %q", tip)
	}
	s.upright(60)
	s.reads("1")
	l.choose(0)
	s.draw.entry.SetText("guo")
	if c := s.draw.candidates.rows[0].Candidate; c == nil || c.Label != "锅" {
		t.Errorf("%+v is offered first", c)
	}
	if s.draw.entry.SetText(""); s.draw.candidates.rows[0].Candidate.Label != "1" {
		t.Error("what was read is not shown again")
	}
	s.says("guo")
	s.reads("锅")
	s.keeps("锅")
}

// A model of many classes has other words than English ones.
func TestAModelOfManyReadsWhatItCanInEnglish(t *testing.T) {
	s := withHanzi(t, t.TempDir())
	s.draw.setLine(true)
	s.upright(60)
	s.reads("1")
	before := s.draw.line.pad.View.Tip.Text
	s.draw.line.setLanguage(2)
	s.reads("1")
	if tip := s.draw.line.pad.View.Tip.Text; tip == "" || tip != before {
		t.Errorf("in English it says %q, before %q", tip, before)
	}
}

// Thousands of classes make no thousands of objects.
func TestThousandsOfCandidatesMakeFewObjects(t *testing.T) {
	s := withHanzi(t, t.TempDir())
	s.Win.Canvas().Capture()
	if n := len(test.LaidOutObjects(s.draw.content)); n > 2500 {
		t.Errorf("the page has %d objects", n)
	}
}
