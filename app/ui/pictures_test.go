package ui

import (
	"fmt"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inkshade/app/state"
	"inkshade/app/state/device"
	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/pagetest"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/samples"
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
				o.Library = l
				o.Open = func() (*state.Collection, error) {
					c, err := state.Open(dir)
					if err == nil {
						(&pagetest.Learner{Keep: true}).Equip(c)
					}
					return c, err
				}
			})
			s.until("its samples", func() bool { return s.Book != nil && s.Status.Settled() })
			s.train.Menu().Items[0].Action()
			var trained samples.Model
			s.until("a model in force", func() (ok bool) { trained, ok, _ = s.Book.Store.ActiveModel("digits-mlp"); return ok })
			s.drain()
			s.Perform(page.Action{Command: s.Book.Models.SetTitle(trained.ID, "without a time", "")})
			s.drain()
			s.Toast.Close()
			s.models.Measure = func(*nn.Model) (recognizer.Timing, error) {
				return recognizer.Timing{Compute: 420 * time.Microsecond}, nil
			}
			s.OpenPage(3)
			s.drain()
			s.draw.pad.SetInk(uitest.SevenInk)
			s.until("times", func() bool {
				return s.draw.times.lines[device.CPU].measured() && s.draw.times.lines[device.GPU].measured()
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
				"keys": s.showKeys, "help": s.showHelp, "devices": s.showDevices, "settings": s.showSettings, "own": s.askOwnSet,
				"guided": s.samples.Write, "export": s.samples.Export,
				"choices": s.showChoices, "confirm": func() { s.Confirm("Sure?", "It is gone then.", "Yes", "No", nil) },
			} {
				show()
				s.drain()
				uitest.Picture(t, "dialog-"+name+"-"+tongue, s.Win)
				s.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
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
		s.still()
		uitest.Picture(t, p.Key+"-"+name, s.Win)
	}
	s.OpenPage(0)
	s.setLine(true)
	if len(s.draw.line.pad.Drawing()) == 0 {
		s.draw.line.pad.Take(ink.Ink{uitest.SevenInk[0]}, nil)
	}
	s.until("the line", func() bool { return s.draw.line.result != nil })
	s.drain()
	s.still()
	uitest.Picture(t, "line-"+name, s.Win)
	s.setLine(false)
	s.drain()
}

// still gives what varies by itself fixed values.
func (s *testStage) still() {
	s.draw.line.text.by.Set("answered by the GPU in 1.00 ms")
}
