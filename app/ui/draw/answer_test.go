package draw

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/driver/desktop"

	"inkshade/app/state/device"
	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/worker"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
)

func TestDrawingIsAnswered(t *testing.T) {
	e := &uitest.Engine{}
	s := open(t, e)
	uitest.Stroke(s.draw.pad, uitest.Seven...)
	s.answered("1")
	for i, want := range []string{"1", "0", "2", "3", "4"} {
		c := s.draw.candidates.rows[i].Candidate
		if c == nil || c.Label != want {
			t.Errorf("row %d shows %v, want %s", i, c, want)
		}
	}
	if got := s.draw.answer.sure.Text; got != "93.7 %" {
		t.Errorf("probability %q, want 93.7 %%", got)
	}
	if s.draw.answer.seen.Image == nil {
		t.Error("the picture that the network saw is missing")
	}
	uitest.Stroke(s.draw.pad, uitest.Dash...)
	s.answered("2")
	s.draw.pad.Undo()
	s.answered("1")
	s.draw.pad.Redo()
	s.answered("2")
	s.draw.pad.Clear()
	if s.draw.answer.glyph.Text != "" || s.draw.candidates.rows[0].Candidate != nil {
		t.Error("after clear the answer still stands there")
	}
	s.draw.pad.Undo()
	s.answered("2")
}

// Only an answer is copied, and what was is said.
func TestTheAnswerIsCopied(t *testing.T) {
	s := open(t, &uitest.Engine{Change: unsure})
	copied := func(want, says string) {
		t.Helper()
		s.draw.copyAnswer()
		if got := s.App.Clipboard().Content(); got != want {
			t.Errorf("copied %q, want %q", got, want)
		}
		s.Says(says)
		s.Toast.Close()
	}
	copied("", "There is no answer to copy.")
	s.one()
	copied("1", "Copied: 1")
	uitest.Stroke(s.draw.pad, uitest.Dash...)
	s.answered("?")
	copied("1", "There is no answer to copy.")
	s.draw.setLine(true)
	copied("1", "There is no answer to copy.")
	s.CopyText("two\nlines")
	if got := s.App.Clipboard().Content(); got != "two\nlines" {
		t.Errorf("copied %q", got)
	}
	s.Says("Copied: two / lines")
}

// The answer to the finished drawing stands there when the pen-up has been handled: it is in
// the same frame.
func TestAnswerIsThereWhenThePenLifts(t *testing.T) {
	s := open(t, &uitest.Engine{})
	s.Until("ready", func() bool { return s.Status.Settled() })
	s.draw.answerWait = time.Minute // the answer is waited for, not the clock
	for range 20 {
		uitest.Stroke(s.draw.pad, uitest.Seven...)
		if s.draw.answer.seen.Drawing != s.Worker.Sequence() {
			t.Fatal("the pen was lifted, and the answer is not there")
		}
		s.draw.pad.Clear()
	}
}

func TestAnswerFollowsTheLivePen(t *testing.T) {
	s := open(t, &uitest.Engine{})
	s.draw.pad.MouseDown(uitest.Mouse(150, 150, desktop.MouseButtonPrimary))
	s.answered("1")
	if s.draw.pad.Live == nil {
		t.Fatal("the pen should still be down")
	}
}

func TestTimesOfBothDevicesAppear(t *testing.T) {
	e := &timedEngine{Engine: uitest.Engine{SoftGPU: true}, timed: map[device.Side]int{}}
	s := open(t, e)
	uitest.Stroke(s.draw.pad, uitest.Seven...)
	v := s.draw.times
	s.Until("both times", func() bool { return v.lines[device.CPU].measured() && v.lines[device.GPU].measured() })
	if got := v.lines[device.CPU].total.Text; got != "155\u00a0µs" {
		t.Errorf("CPU total %q", got)
	}
	var cells []string
	for _, c := range v.lines[device.GPU].cells {
		cells = append(cells, c.Text)
	}
	if got := strings.Join(cells, " "); got != "93 131 402 187" {
		t.Errorf("GPU stages %q", got)
	}
	if !strings.Contains(v.note.Text, string(device.CPU)) || strings.Contains(v.note.Text, string(device.GPU)) || !strings.Contains(v.note.Text, "5.2") {
		t.Errorf("comparison %q", v.note.Text)
	}
	if gpu, cpu := v.lines[device.GPU].badge.Words, v.lines[device.CPU].badge.Words; gpu[0].Text == "" || gpu[1].Text == "" || cpu[0].Text != "" || cpu[1].Text != "" {
		t.Errorf("badges: GPU %q %q, CPU %q %q", gpu[0].Text, gpu[1].Text, cpu[0].Text, cpu[1].Text)
	}
	e.Mu.Lock()
	defer e.Mu.Unlock()
	if e.timed[device.CPU] != worker.Repeats || e.timed[device.GPU] != worker.Repeats {
		t.Errorf("timed %v, want %d each", e.timed, worker.Repeats)
	}
}

// timedEngine counts how often it was timed on each side.
type timedEngine struct {
	uitest.Engine
	timed map[device.Side]int
}

func (e *timedEngine) Measure(k ink.Ink, on device.Side) (recognizer.Timing, error) {
	e.Mu.Lock()
	e.timed[on]++
	e.Mu.Unlock()
	return e.Engine.Measure(k, on)
}

func TestCPUAnswersWhileTheGPUIsPrepared(t *testing.T) {
	gate := make(chan struct{})
	s := open(t, &uitest.Engine{Gate: gate})
	uitest.Stroke(s.draw.pad, uitest.Seven...)
	s.answered("1")
	if !strings.Contains(s.draw.answer.by.Text, "CPU") {
		t.Errorf("answered by: %q", s.draw.answer.by.Text)
	}
	close(gate)
	s.Until("GPU answers the same drawing", func() bool { return strings.Contains(s.draw.answer.by.Text, "GPU") })
}

func TestFailedRecognitionIsSaid(t *testing.T) {
	s := open(t, &uitest.Engine{Change: func(ink.Ink, *recognizer.Answer) error { return errors.New("the model wants 64 inputs") }})
	uitest.Stroke(s.draw.pad, uitest.Seven...)
	s.Until("the sign that it failed", func() bool { return s.draw.answer.glyph.Text == "!" })
	if !strings.Contains(s.draw.answer.by.Text, "the model wants 64 inputs") {
		t.Errorf("reason shown: %q", s.draw.answer.by.Text)
	}
}

// Eleven drawings that arrive while one is being answered cost one more answer, not eleven.
func TestNewestDrawingWins(t *testing.T) {
	stall, asking := make(chan struct{}), make(chan struct{}, 64)
	var asked []int // strokes of each
	s := open(t, &uitest.Engine{Change: func(k ink.Ink, _ *recognizer.Answer) error {
		asking <- struct{}{}
		<-stall
		asked = append(asked, len(k))
		return nil
	}})
	s.Until("ready", func() bool { return s.Status.Settled() })
	uitest.Stroke(s.draw.pad, uitest.Dash...)
	<-asking
	for range 11 {
		uitest.Stroke(s.draw.pad, uitest.Dash...)
	}
	stall <- struct{}{}
	<-asking
	stall <- struct{}{}
	s.answered("2")
	if len(asked) != 2 || asked[1] != 12 {
		t.Errorf("recognitions of %v strokes; want 2, the last of 12", asked)
	}
}

// What another model has answered goes as soon as one is chosen.
func TestTheOldAnswerGoesWhenAModelIsChosen(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	for _, line := range []bool{false, true} {
		s.draw.setLine(line)
		if line {
			uitest.Stroke(s.draw.line.pad, uitest.Seven...)
			s.reads("1")
		} else {
			s.one()
		}
		s.Use("characters-cnn", nil)
		glyph, words := s.draw.answer.glyph.Text, s.draw.answer.by.Text
		if line {
			glyph, words = s.draw.line.text.text.Text, s.draw.line.text.by.Text
		}
		if glyph != "…" || !strings.Contains(words, language.ModelName("characters-cnn")) || s.draw.candidates.rows[0].Candidate != nil {
			t.Errorf("while another model is made ready: %q, %q", glyph, words)
		}
		s.Until("the new answer", func() bool { return s.draw.answer.glyph.Text == "1" || line && s.draw.line.text.text.Text == "1" })
		s.Use("digits-mlp", nil)
		s.Until("the model before", func() bool { return s.Status.Model == "digits-mlp" })
	}
}

// After the pause that is set a stroke begins another drawing, and undo brings the one before back.
func TestAPauseEndsTheDrawing(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	d := s.draw
	setting.DrawPause.Set(s.App.Preferences(), 0.001)
	s.one()
	s.Until("the pause", func() bool { return d.pad.Done })
	setting.DrawPause.Set(s.App.Preferences(), 9)
	s.one()
	if n := len(d.pad.Drawing()); n != 1 || d.pad.Done {
		t.Errorf("%d strokes after a pause, done: %v", n, d.pad.Done)
	}
	s.one()
	if n := len(d.pad.Drawing()); n != 2 {
		t.Errorf("%d strokes without a pause", n)
	}
	for _, want := range []int{1, 0, 1} {
		s.Undo()
		if n := len(d.pad.Drawing()); n != want {
			t.Errorf("%d strokes after undo, want %d", n, want)
		}
	}
}
