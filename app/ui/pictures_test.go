package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inkshade/app/state"
	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/pagetest"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
	"inkshade/glcompute"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/personal"
)

// Every page and dialog in each language and both appearances, in the least and the usual size, and with large text.
func TestPictures(t *testing.T) {
	if uitest.Pictures == "" {
		t.Skip("INKSHADE_PICTURES names no folder")
	}
	for _, l := range language.All {
		tongue := l.Code
		t.Run(tongue, func(t *testing.T) {
			dir := t.TempDir()
			pagetest.Drawn(t, dir, 36)
			l, err := state.OpenModels(dir)
			if err != nil {
				t.Fatal(err)
			}
			a := test.NewTempApp(t)
			setting.Language.Set(a.Preferences(), tongue)
			s := openOn(t, a, &uitest.Engine{}, func(o *Options) {
				o.Store = l
				o.Open = func() (*state.Collection, error) {
					c, err := state.Open(dir)
					if err == nil {
						c.Learner = state.Learner{
							Learn: learned, Open: func(glcompute.DeviceKind) glcompute.Device { return glcompute.OpenOrCPU(glcompute.CPU) },
							Shipped: func(string) (*nn.Model, error) { return pagetest.SmallModel("shipped"), nil },
						}
					}
					return c, err
				}
			})
			s.until("its samples", func() bool { return s.Book != nil && s.Status.Settled() })
			s.Run(s.Command("learn"))
			var trained int64
			s.until("a model in force", func() bool { _, trained, _ = s.Book.ActiveModel("digits-mlp", nil); return trained != 0 })
			s.drain()
			s.Perform(page.Action{Command: s.Book.Models.SetTitle(trained, "without a time", "")})
			s.drain()
			s.Toast.Close()
			s.models.Measure = func(*nn.Model) (recognizer.Timing, error) {
				return recognizer.Timing{Compute: 420 * time.Microsecond}, nil
			}
			s.OpenPage(3)
			s.drain()
			s.Paper.SetInk(uitest.SevenInk)
			s.until("times", func() bool {
				return s.draw.Lacks() == ""
			})
			latency := onLatency(s)
			s.Actions().Key(fyne.KeyReturn)
			s.until("measured", func() bool { return latency.Report.Complete })
			for _, look := range []widget.Appearance{widget.Light, widget.Dark} {
				s.setAppearance(look)
				for _, size := range []fyne.Size{{Width: 900, Height: 571}, {Width: 1280, Height: 800}} {
					s.Win.Resize(size)
					s.pictures(t, fmt.Sprintf("%s-%s-%.0f", tongue, look, size.Width))
				}
			}
			s.setAppearance(widget.Light)
			for name, show := range map[string]func(){
				"keys": s.showKeys, "help": s.showHelp, "devices": s.showDevices, "settings": func() { s.Run(s.Command("settings")) }, "own": func() { own := s.draw.ChoiceItems(); own[len(own)-1].Action() },
				"guided": s.samples.Write, "export": s.samples.Export,
				"choices": func() {
					shownOf(s.InFront().Content, func(b *widget.Button) bool { return strings.Contains(b.Name, " · ") })[0].Tapped(nil)
				}, "confirm": func() { s.Confirm("Sure?", "It is gone then.", "Yes", "No", nil) },
			} {
				show()
				s.drain()
				uitest.Picture(t, "dialog-"+name+"-"+tongue, s.Win)
				s.Key(&fyne.KeyEvent{Name: fyne.KeyEscape})
			}
			s.drain()
			s.Toast.Close()
			if canvas, ok := s.Win.Canvas().(interface{ SetScale(float32) }); ok {
				canvas.SetScale(1.5)
				s.pictures(t, tongue+"-large")
			}
		})
	}
}

// learned stands in for a training after which a drawing is answered right that was not before, and another wrong.
func learned(_ context.Context, _ glcompute.Device, task personal.Task, _ func(personal.Progress)) (*personal.Result, error) {
	id := func(i int) []int64 { return []int64{task.HeldOut[i].ID} }
	labels := []string{"1", "2", "3"}
	return &personal.Result{
		Model: pagetest.SmallModel("learned"), Keep: true, Steps: 100, Seconds: 1.5, Device: "cpu",
		HeldOut: personal.Comparison{Samples: 6, Before: 4, After: 1}, Replay: personal.Comparison{Samples: 5000, Before: 60, After: 61},
		Before:  personal.Confusion{Labels: labels, Cells: []personal.Cell{{Want: "1", Got: "2", Samples: id(0)}, {Want: "2", Got: "2", Samples: id(1)}}},
		After:   personal.Confusion{Labels: labels, Cells: []personal.Cell{{Want: "1", Got: "1", Samples: id(0)}, {Want: "2", Got: "1", Samples: id(1)}}},
		Changes: []personal.Change{{ID: id(0)[0], Label: "1", Before: "2", After: "1"}, {ID: id(1)[0], Label: "2", Before: "2", After: "1"}},
	}, nil
}

// drain runs what is posted until nothing is for a while.
func (s *testStage) drain() {
	for {
		select {
		case f := <-s.queue:
			f()
		case <-time.After(150 * time.Millisecond):
			return
		}
	}
}

// pictures are those of all pages.
func (s *testStage) pictures(t *testing.T, name string) {
	for i, p := range s.Pages {
		s.OpenPage(i)
		s.drain()
		uitest.Picture(t, p.Key+"-"+name, s.Win)
	}
	s.OpenPage(0)
	mode := func() { s.Run(s.Command("line")) }
	mode()
	if pad := shownOf(s.InFront().Content, (*widget.Pad).Visible)[0]; len(pad.Drawing()) == 0 {
		pad.Take(ink.Ink{uitest.SevenInk[0]}, nil)
	}
	said := func(l *widget.Label) bool {
		for _, by := range []string{"answered by the {{.Side}} in {{.Time}}", "read again in {{.Time}}"} {
			before, after, _ := strings.Cut(language.Tr(by, map[string]any{"Side": "GPU", "Time": "|"}), "|")
			if strings.HasPrefix(l.Text, before) && strings.HasSuffix(l.Text, after) {
				return true
			}
		}
		return false
	}
	s.labelled("the line", said)
	s.drain()
	for _, l := range shownOf(s.InFront().Content, said) {
		l.Set("answered by the GPU in 1.00 ms") // which varies by itself
	}
	uitest.Picture(t, "line-"+name, s.Win)
	mode()
	s.drain()
}
