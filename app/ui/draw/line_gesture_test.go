package draw

import (
	"testing"

	"fyne.io/fyne/v2"

	"inkshade/app/ui/uitest"
	"inkshade/recognizer/line"
)

// across writes a stroke from side to side, low on the wide paper.
func (s *testStage) across(from, to float32) {
	p := s.draw.line.pad
	y := p.Size().Height * 0.93
	uitest.Stroke(p, fyne.NewPos(from, y), fyne.NewPos((from+to)/2, y+1), fyne.NewPos(to, y))
}

// On the wide paper a stroke far to the left takes the last character off, one far to the right begins another word, and scratching
// out deletes; undo brings back what went, and what was said of the rest holds.
func TestGesturesOnALine(t *testing.T) {
	s := ones(t)
	l := s.draw.line
	s.says("1357")
	s.reads("1357")
	s.across(800, 300)
	s.reads("135")
	s.across(800, 300)
	s.reads("13")
	s.Undo()
	s.reads("135")
	s.across(300, 800)
	if l.pad.Scroll != 0 || len(l.pad.History.Now) != 3 {
		t.Errorf("%d strokes, scrolled to %v where there is room for a word", len(l.pad.History.Now), l.pad.Scroll)
	}
	far := l.pad.Size().Width * 0.8
	s.upright(far)
	s.reads("135 1")
	s.across(100, 600)
	begun := l.pad.Scroll
	if x := l.pad.At(l.pad.History.Now[3][0].X); begun == 0 || x < far/2 {
		t.Errorf("scrolled to %v, the last word is at %v", begun, x)
	}
	s.upright(far)
	s.reads("135 1 1")
	if l.pad.Scroll != begun {
		t.Errorf("the paper moved under the pen, from %v to %v", begun, l.pad.Scroll)
	}
	s.Undo()
	// Back and forth over a stroke.
	l.pad.ScrollTo(0)
	h := l.pad.Size().Height
	var there []fyne.Position
	for i := range 7 {
		there = append(there, fyne.NewPos(52+24*float32(i%2), h*(0.28+0.06*float32(i))))
	}
	uitest.Stroke(l.pad, there...)
	s.reads("35 1")
	for i, f := range l.pad.History.Fixed {
		if f.Parts[0].Stroke != i || f.Label != []string{"3", "5"}[i] {
			t.Errorf("of stroke %d is said %+v", i, f)
		}
	}
	s.Undo()
	s.reads("135 1")
	// On empty paper they are strokes.
	s.Clear()
	s.across(300, 800)
	if len(l.pad.History.Now) != 1 {
		t.Error("the first stroke was taken for a gesture")
	}
	// What was read of the word stays.
	s.Clear()
	for x := range 3 {
		s.upright(60 + 60*float32(x))
	}
	s.reads("111")
	s.across(800, 300)
	s.reads("11")
	if !l.all[0].Fixed || !l.all[1].Fixed {
		t.Error("the rest of the word is read anew")
	}
	// Of a joined word the last letter goes, and no more.
	s.Clear()
	s.zigzag(60)
	s.reads("1")
	l.choose(0)
	l.splitChosen()
	s.Until("cut", func() bool {
		return len(l.all) == 2 && l.drawing == s.Worker.Sequence()
	})
	before := len(l.pad.History.Now[0])
	l.pad.Erase(l.all[1].Parts)
	s.reads("1")
	if n := len(l.pad.History.Now[0]); n < 2 || n >= before || len(l.pad.History.Fixed) != 1 {
		t.Errorf("of %d points %d are left, %+v", before, n, l.pad.History.Fixed)
	}
	l.pad.Erase([]line.Part{{Stroke: 0}})
	if len(l.pad.History.Now) != 0 {
		t.Error("a stroke was not taken off")
	}
}
