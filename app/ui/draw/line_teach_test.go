package draw

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/samples"
)

// says types a text and Enter.
func (s *testStage) says(text string) {
	s.draw.entry.SetText(text)
	s.draw.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
}

// keeps waits until these samples are stored, the newest first.
func (s *testStage) keeps(labels ...string) (all []samples.Sample) {
	s.T.Helper()
	s.Until("samples "+strings.Join(labels, ", "), func() bool {
		all = s.Stored()
		var got []string
		for _, x := range all {
			got = append(got, x.Label)
		}
		return !s.State.Pending() && strings.Join(got, ",") == strings.Join(labels, ",")
	})
	return all
}

// A text that is typed is the whole line's where no character is chosen, and where it is plainly not that of the chosen one.
func TestTheTextOfAWholeLine(t *testing.T) {
	s := ones(t)
	l := s.draw.line
	tip, asked := l.pad.View.Tip.Text, s.draw.entry.PlaceHolder
	l.choose(0)
	if ofOne, what := l.pad.View.Tip.Text, s.draw.entry.PlaceHolder; tip == "" || tip == ofOne || asked == "" || asked == what {
		t.Errorf("said %q, asked %q; of one character %q, %q", tip, asked, ofOne, what)
	}
	l.choose(0)
	s.says("13 4x")
	s.reads("13 4x")
	all := s.keeps("13 4x")
	if x := all[0]; x.Answered.Label != "1111" || x.Correction || !x.Context || !widget.SameInk(x.Ink, l.pad.Drawing()) {
		t.Errorf("stored %+v", x)
	}
	if s.Book.Memory.Labels() != nil {
		t.Errorf("remembered as characters: %v", s.Book.Memory.Labels())
	}
	for i, c := range l.all {
		if !c.Fixed {
			t.Errorf("character %d is not said to be %s", i, c.Label)
		}
	}
	// Said anew, the newer counts; what is taken back is read as before.
	l.choose(1)
	s.says("13 45")
	s.reads("13 45")
	s.keeps("13 45")
	s.Undo()
	s.reads("13 4x")
	s.keeps("13 4x")
	s.Undo()
	s.reads("1111")
	s.keeps()
	s.Redo()
	s.reads("13 4x")
	s.keeps("13 4x")
	// A character of it is corrected as ever, and the space stays.
	l.choose(2)
	s.says("7")
	s.reads("13 7x")
	s.keeps("13 4x", "7")
	// So is a word of it, of which the character chosen is one.
	l.choose(3)
	s.says("75")
	s.reads("13 75")
	if x := s.keeps("13 4x", "7", "75")[2]; x.Answered.Label != "7x" || !x.Context {
		t.Errorf("stored %+v", x)
	}
	// More is written behind it.
	s.upright(330)
	s.reads("13 751")
}

// A sentence of more bytes than a class has in its name is kept whole.
func TestALongTextOfALine(t *testing.T) {
	s := ones(t)
	for i := range 24 {
		s.upright(330 + 18*float32(i))
	}
	s.reads(strings.Repeat("1", 28))
	text := strings.Repeat("日本語の文字は", 4)
	s.says(text)
	s.keeps(text)
}

func TestALineIsConfirmed(t *testing.T) {
	s := ones(t)
	s.key(fyne.KeyReturn)
	if x := s.keeps("1111")[0]; x.Answered.Label != "1111" || !x.Context {
		t.Errorf("stored %+v", x)
	}
	s.reads("1111")
	s.key(fyne.KeyReturn)
	s.Until("said", func() bool { return strings.Contains(s.Toast.Words.Text, "already") })
	s.reads("1111")
	// A line of one character is a character.
	s.Clear()
	s.zigzag(60)
	s.reads("1")
	s.key(fyne.KeyReturn)
	if all := s.keeps("1111", "1"); all[1].Context {
		t.Errorf("stored %+v", all[1])
	}
	// What is like nothing known must be said.
	s.Clear()
	s.zigzag(60)
	s.upright(110)
	s.reads("11")
	s.draw.line.choose(0)
	s.draw.line.joinChosen()
	s.reads("?")
	before := s.Toast.Words.Text
	s.draw.line.choose(0)
	s.key(fyne.KeyReturn)
	s.key(fyne.KeyEscape)
	s.key(fyne.KeyReturn)
	if got := s.Toast.Words.Text; got == before || !s.Toast.Visible() {
		t.Errorf("said %q", got)
	}
	s.keeps("1111", "1")
}

// Lines that are confirmed together are one step.
func TestSeveralLinesAreConfirmedInOneStep(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	s.draw.setLine(true)
	s.Win.Canvas().Capture()
	p := s.draw.line.pad
	for y := range 2 {
		for x := range 2 {
			from := fyne.NewPos(60+60*float32(x), p.Size().Height*(0.1+0.5*float32(y)))
			uitest.Stroke(p, from, from.AddXY(4, p.Size().Height*0.15), from.AddXY(0, p.Size().Height*0.3))
		}
	}
	s.reads("11\n11")
	s.draw.line.told(worker.Reply{Line: &line.Result{Characters: s.draw.line.all}}) // as by a reader of whole lines
	s.keeps("11", "11")
	s.Says("11 / 11")
	s.Undo()
	s.keeps()
	s.Redo()
	s.keeps("11", "11")
}

// A letter that is typed for a whole line was meant for one of its characters.
func TestOneLetterIsNotTakenForALine(t *testing.T) {
	s := ones(t)
	s.says("7")
	s.Says("one character")
	s.reads("1111")
	if len(s.Stored()) != 0 {
		t.Errorf("stored %+v", s.Stored())
	}
}

func TestATextThatDoesNotFit(t *testing.T) {
	s := ones(t)
	for text, why := range map[string]string{"11111111111": "does not fit", strings.Repeat("1", 257): "too long"} {
		s.says(text)
		s.Until("refused", func() bool { return strings.Contains(s.Toast.Words.Text, why) })
		s.reads("1111")
		if e := s.draw.entry; e.Text != text || e.SelectedText() != text || s.Win.Canvas().Focused() != fyne.Focusable(e) {
			t.Errorf("%s: %q is left of what was typed, of which %q is selected", why, e.Text, e.SelectedText())
		}
	}
	if len(s.Stored()) != 0 {
		t.Errorf("stored %+v", s.Stored())
	}
}

// Without samples the text holds all the same.
func TestTheTextOfALineWithoutSamples(t *testing.T) {
	s := open(t, &uitest.Engine{})
	s.draw.setLine(true)
	s.upright(60)
	s.upright(120)
	s.reads("11")
	s.says("4 2")
	s.reads("4 2")
	s.Undo()
	s.reads("11")
}

func TestAnotherReadingIsClicked(t *testing.T) {
	s := ones(t)
	v := s.draw.line.text
	if len(v.others.Objects) < 2 || v.or.Text == "" {
		t.Fatalf("%d other readings", len(v.others.Objects)-1)
	}
	b := v.others.Objects[1].(*widget.Button)
	text, _, _ := strings.Cut(b.Name, " (")
	test.Tap(b)
	s.reads(text)
	s.keeps(text)
	for _, size := range uitest.Sizes {
		s.Win.Resize(size)
		for _, o := range v.others.Objects {
			if at, box := o.Position(), v.others.Size(); o.Visible() && (at.X+o.Size().Width > box.Width || at.Y+o.Size().Height > box.Height) {
				t.Errorf("%v: %v of %v at %v is cut", size, o.Size(), box, at)
			}
		}
	}
}

// Of other readings of several lines is shown where they differ, and how sure they are; a tip says all of each.
func TestReadingsOfSeveralLinesDiffer(t *testing.T) {
	s := ones(t)
	v := s.draw.line.text
	const text = "please call me at four in the afternoon\nor take the train to town on Monday\nand wait for me there with the others\nuntil the last of them has come home"
	var others []line.Alternative
	for _, changed := range [][]string{{"call", "cell"}, {"call", "cell", "there", "where"}, {"town", "ton"}} {
		others = append(others, line.Alternative{Text: strings.NewReplacer(changed...).Replace(text), Confidence: 0.1})
	}
	v.say(strings.ReplaceAll(text, "\n", " "), theme.ColorNamePrimary, "", "", others...)
	for _, size := range uitest.Sizes {
		s.Win.Resize(size)
		for i, parts := range [][]string{{"cel"}, {"cel", "whe"}, {"ton"}} {
			b, at := v.others.Objects[1+i].(*widget.Button), 0
			for _, part := range append(parts, "(10.0 %)") {
				found := strings.Index(b.Name[at:], part)
				if at += found; found < 0 {
					t.Fatalf("%v: %q is without %q", size, b.Name, part)
				}
			}
			if !b.Visible() {
				continue
			}
			if !strings.Contains(b.Name, "…") || !b.Words.Whole(b.Words.Size().Width) {
				t.Errorf("%v: %q is cut", size, b.Name)
			}
			b.MouseIn(nil)
			tip, want := widget.Last(b.Content.Objects), strings.ReplaceAll(others[i].Text, "\n", " ")
			if at := widget.AreaOf(tip).Pos.X; b.Whole != want || !tip.Visible() || at < 0 || at+tip.Size().Width > size.Width {
				t.Errorf("%v: the tip of %q at %v is %q, want %q", size, b.Name, at, b.Whole, want)
			}
			b.MouseOut()
		}
	}
}

// A click between two characters puts a space there, another takes it out; what was said of a character stays.
func TestASpaceIsClicked(t *testing.T) {
	s := ones(t)
	l := s.draw.line
	test.Tap(l.strip.grips[1])
	s.reads("11 11")
	none, space := l.strip.grips[0].bar, l.strip.grips[1].bar
	if space.Size().Width <= none.Size().Width || space.Color == none.Color {
		t.Errorf("a space is shown as %v in %s, none as %v in %s", space.Size(), space.Color, none.Size(), none.Color)
	}
	s.says("13 45")
	s.reads("13 45")
	l.choose(1)
	s.press("Ctrl+H")
	s.reads("1345")
	test.Tap(l.strip.grips[0])
	s.reads("1 345")
	s.Undo()
	s.reads("1345")
}

// Each step of a border takes ink over to its other side, also where characters lie over each other.
func TestEveryStepOfABorderMovesInk(t *testing.T) {
	var stroke ink.Stroke
	for x := 0.; x <= 90; x += 6 { // up, and down again under it
		stroke = append(stroke, ink.Point{X: x, Y: 90 - x})
	}
	for x := 84.; x >= 60; x -= 6 {
		stroke = append(stroke, ink.Point{X: x, Y: 90 - x/2})
	}
	k, last := ink.Ink{stroke}, len(stroke)-1
	left, right := []line.Part{{Last: 6}, {First: 9, Last: 12}}, []line.Part{{First: 6, Last: 9}, {First: 12, Last: last}}
	length := func(parts []line.Part) (n int) {
		for _, p := range parts {
			n += p.Last - p.First
		}
		return n
	}
	for range 4 {
		before := length(left)
		x, ok := shifted(k, left, right, 90, -12)
		if left, right = line.Divide(k, append(left, right...), x); !ok || length(left) >= before || len(left) == 0 {
			t.Fatalf("a step to the left leaves %v there, after %d", left, before)
		}
	}
	before := length(left)
	x, ok := shifted(k, left, right, 0, 12)
	if left, _ = line.Divide(k, append(left, right...), x); !ok || length(left) <= before {
		t.Errorf("a step to the right leaves %v to the left, after %d", left, before)
	}
}
