package draw

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"inkshade/app/state/device"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/recognizer"
)

func TestNothingIsClippedAtAnySize(t *testing.T) {
	s := open(t, &uitest.Engine{SoftGPU: true})
	uitest.Stroke(s.draw.pad, uitest.Seven...)
	s.Until("both times", func() bool {
		return s.draw.times.lines[device.CPU].measured() && s.draw.times.lines[device.GPU].measured()
	})
	for _, size := range uitest.Sizes {
		t.Run(fmt.Sprintf("%vx%v", size.Width, size.Height), func(t *testing.T) {
			s.Win.Resize(size)
			page := s.draw.content.Size()
			inside := func(what string, o fyne.CanvasObject, within fyne.Size) {
				t.Helper()
				p, b := o.Position(), o.Size()
				if p.X < 0 || p.Y < 0 || p.X+b.Width > within.Width+0.5 || p.Y+b.Height > within.Height+0.5 {
					t.Errorf("%s at %v of size %v leaves %v", what, p, b, within)
				}
				if m := o.MinSize(); m.Width > b.Width+0.5 || m.Height > b.Height+0.5 {
					t.Errorf("%s has %v, needs %v", what, b, m)
				}
			}
			inside("pad", s.draw.pad, page)
			inside("tools", s.draw.tools, page)
			for i, c := range s.draw.cards {
				inside(fmt.Sprintf("card %d", i), c, page)
			}
			containers := []*fyne.Container{s.draw.answer.content, s.draw.times.content}
			for _, o := range s.draw.times.table.Objects {
				containers = append(containers, o.(*fyne.Container))
			}
			for _, v := range containers {
				for i, o := range v.Objects {
					l, ok := o.(*widget.Label)
					// The line of the big glyph has more air than the margin of its card.
					if ok && l != s.draw.answer.glyph {
						inside(fmt.Sprintf("label %d %q", i, l.Text), l, v.Size())
					}
				}
			}
		})
	}
}

// A notice takes room from the page, but not from the candidates.
func TestANoticeLeavesTheCandidatesReadable(t *testing.T) {
	s := open(t, &uitest.Engine{})
	s.Win.Resize(fyne.NewSize(900, 571))
	uitest.Stroke(s.draw.pad, uitest.Seven...)
	s.answered("1")
	for _, text := range []string{"One line.", strings.Repeat("The samples file was damaged. ", 8)} {
		s.Notice.Say(text)
		for i, r := range s.draw.candidates.rows {
			if r.Visible() && r.Size().Height < r.MinSize().Height-1 {
				t.Errorf("row %d is %v high, needs %v", i, r.Size().Height, r.MinSize().Height)
			}
		}
		if !s.draw.candidates.rows[1].Visible() {
			t.Error("there is room for one candidate alone")
		}
		for i, c := range s.draw.cards {
			if end := c.Position().Y + c.Size().Height; end > s.draw.content.Size().Height {
				t.Errorf("card %d ends at %v of %v", i, end, s.draw.content.Size().Height)
			}
		}
		if s.draw.times.table.Visible() {
			t.Error("the table of the times is shown")
		}
	}
	s.Notice.Dismiss()
	if !s.draw.times.table.Visible() || !s.draw.candidates.rows[page.ShownCandidates-1].Visible() {
		t.Error("the table of the times or a candidate stays away")
	}
}

// Of a line the reason why a tool is grey is read over the strip, not cut by it.
func TestAReasonStandsOverTheStrip(t *testing.T) {
	s := open(t, &uitest.Engine{})
	s.draw.setLine(true)
	s.draw.clearing.MouseIn(nil)
	tip, all := widget.Last(s.draw.clearing.Content.Objects), s.draw.content.Objects
	if strip := widget.AreaOf(s.draw.line.strip); !tip.Visible() || widget.AreaOf(tip).Pos.Y > strip.Pos.Y+strip.Size.Height {
		t.Fatalf("the tip is at %v, the strip at %v", widget.AreaOf(tip), strip)
	}
	if slices.Index(all, fyne.CanvasObject(s.draw.tools)) < slices.Index(all, fyne.CanvasObject(s.draw.line.strip)) {
		t.Error("the strip is painted over the tip")
	}
}

// How sure an answer is, and what the times are of, is read whole in every language.
func TestHeadingsAreReadWhole(t *testing.T) {
	t.Cleanup(func() { language.Use("en") })
	for _, l := range language.All {
		s := open(t, &uitest.Engine{Change: unsure})
		language.Use(l.Code)
		s.App.Settings().SetTheme(widget.NewTheme(widget.Light)) // with its fonts
		d := New(s.Frame)
		whole := func(l *widget.Label) {
			t.Helper()
			if !l.Whole(l.Size().Width) {
				t.Errorf("%v: %q is cut", d.content.Size(), l.Text)
			}
		}
		for _, size := range uitest.Sizes {
			d.inLine = false
			d.content.Resize(size.SubtractWidthHeight(0, widget.HeaderHeight(size.Height)))
			d.answer.show(worker.Reply{Answer: recognizer.Answer{Candidates: make([]recognizer.Candidate, 1), Unknown: true}})
			whole(d.answer.sure)
			d.setLine(true)
			whole(d.times.title)
			d.times.lines[device.CPU].taken = &worker.Times{Repeats: worker.Repeats}
			d.times.fill()
			whole(d.times.title)
			whole(d.times.repeats)
		}
	}
}

func TestChangingValuesMoveNothing(t *testing.T) {
	s := open(t, &uitest.Engine{})
	places := func() map[fyne.CanvasObject]fyne.Position {
		m := map[fyne.CanvasObject]fyne.Position{}
		for _, v := range []*fyne.Container{s.draw.content, s.draw.answer.content, s.draw.candidates.content} {
			for _, o := range v.Objects {
				m[o] = o.Position()
			}
		}
		return m
	}
	before := places()
	uitest.Stroke(s.draw.pad, uitest.Seven...)
	s.answered("1")
	widget.Rearrange(s.draw.answer.content) // as when the window is sized
	s.draw.pad.Clear()
	for o, at := range places() {
		if before[o] != at {
			t.Errorf("of an empty paper %T moved from %v to %v", o, before[o], at)
		}
	}
	uitest.Stroke(s.draw.pad, uitest.Seven...)
	s.Until("both times", func() bool {
		return s.draw.times.lines[device.CPU].measured() && s.draw.times.lines[device.GPU].measured()
	})
	for o, at := range places() {
		if before[o] != at {
			t.Errorf("%T moved from %v to %v", o, before[o], at)
		}
	}
}
