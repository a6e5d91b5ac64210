package draw

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/driver/desktop"

	"inkshade/app/state/device"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/worker"
)

func TestDrawingIsAnswered(t *testing.T) {
	e := &uitest.Engine{}
	s := open(t, e)
	uitest.Stroke(s.draw.pad, uitest.Seven...)
	s.answered("1")
	for i, want := range []string{"1", "0", "2", "3", "4"} {
		c := s.draw.candidates.rows[i].candidate
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
	if s.draw.answer.glyph.Text != "" || s.draw.candidates.rows[0].candidate != nil {
		t.Error("after clear the answer still stands there")
	}
	s.draw.pad.Undo()
	s.answered("2")
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
	e := &uitest.Engine{SoftGPU: true}
	s := open(t, e)
	uitest.Stroke(s.draw.pad, uitest.Seven...)
	v := s.draw.times
	s.Until("both times", func() bool { return v.lines[device.CPU].measured() && v.lines[device.GPU].measured() })
	if got := v.lines[device.CPU].total.Text; got != "155 µs" {
		t.Errorf("CPU total %q", got)
	}
	var cells []string
	for _, c := range v.lines[device.GPU].cells {
		cells = append(cells, c.Text)
	}
	if got := strings.Join(cells, " "); got != "93 131 402 187" {
		t.Errorf("GPU stages %q", got)
	}
	if !strings.Contains(v.note.Text, "CPU is 5.2 times") {
		t.Errorf("comparison %q", v.note.Text)
	}
	if v.lines[device.GPU].badge.Words[0].Text != "software renderer" || v.lines[device.GPU].badge.Words[1].Text == "" || v.lines[device.CPU].badge.Words[1].Text != "" {
		t.Errorf("badges: GPU %q %q, CPU %q", v.lines[device.GPU].badge.Words[0].Text, v.lines[device.GPU].badge.Words[1].Text, v.lines[device.CPU].badge.Words[1].Text)
	}
	e.Mu.Lock()
	defer e.Mu.Unlock()
	if e.Timed[device.CPU] != worker.Repeats || e.Timed[device.GPU] != worker.Repeats {
		t.Errorf("timed %v, want %d each", e.Timed, worker.Repeats)
	}
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
	s := open(t, &uitest.Engine{Broken: errors.New("the model wants 64 inputs")})
	uitest.Stroke(s.draw.pad, uitest.Seven...)
	s.answered("!")
	if !strings.Contains(s.draw.answer.by.Text, "the model wants 64 inputs") {
		t.Errorf("reason shown: %q", s.draw.answer.by.Text)
	}
}

// Eleven drawings that arrive while one is being answered cost one more answer, not eleven.
func TestNewestDrawingWins(t *testing.T) {
	e := &uitest.Engine{Stall: make(chan struct{}), Asking: make(chan struct{}, 64)}
	s := open(t, e)
	s.Until("ready", func() bool { return s.Status.Settled() })
	uitest.Stroke(s.draw.pad, uitest.Dash...)
	<-e.Asking
	for range 11 {
		uitest.Stroke(s.draw.pad, uitest.Dash...)
	}
	e.Stall <- struct{}{}
	<-e.Asking
	e.Stall <- struct{}{}
	s.answered("2")
	e.Mu.Lock()
	defer e.Mu.Unlock()
	if n := len(e.Asked); n != 2 || len(e.Asked[1]) != 12 {
		t.Errorf("%d recognitions, the last of %d strokes; want 2, the last of 12", n, len(e.Asked[n-1]))
	}
}
