package worker

import (
	"context"
	"testing"
	"time"

	"inkshade/app/state/device"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// While the pen is moved the next answer waits for as long as the last one took; when it lifts, none does.
func TestAnswersRestWhileThePenIsDown(t *testing.T) {
	w := New(&uitest.Engine{}, func(func()) {}, time.Hour, Events{})
	w.ready = true
	drawing := Task{Ink: ink.Ink{{{X: 1}}}}
	w.Submit(drawing, true)
	job, _ := w.next()
	if job == nil {
		t.Fatal("the first drawing is not answered")
	}
	if job(); w.newest.Took <= 0 || w.rested.IsZero() {
		t.Errorf("an answer of %v is followed by a rest until %v", w.newest.Took, w.rested)
	}
	w.rested = time.Now().Add(widget.Frames)
	w.Submit(drawing, true)
	if job, wait := w.next(); job != nil || wait <= 0 || wait > widget.Frames {
		t.Errorf("while the pen is down the wait is %v", wait)
	}
	w.Submit(drawing, false)
	if job, _ := w.next(); job == nil {
		t.Error("the lifted pen waits")
	}
}

// A line that the window leaves, or that is gone from the paper, before its reading has begun is not read.
func TestALineThatNobodyWantsIsNotRead(t *testing.T) {
	for name, leave := range map[string]func(*Worker){
		"closed": (*Worker).Stop, "emptied": func(w *Worker) { w.Submit(Task{Line: &line.Options{}}, false) },
	} {
		w := New(&uitest.Engine{}, func(func()) {}, time.Hour, Events{})
		w.ready = true
		close(w.answering) // no loop takes jobs but this test
		close(w.prepared)
		w.Submit(Task{Ink: ink.Ink{{{X: 1}}}, Line: &line.Options{}}, false)
		job, _ := w.next()
		leave(w)
		if job(); w.newest.Line != nil || w.newest.Err != nil {
			t.Errorf("%s: read was %+v, %v", name, w.newest.Line, w.newest.Err)
		}
	}
}

// whole is an engine that times a line for as long as it is wanted.
type whole struct {
	*uitest.Engine
	began chan struct{}
}

func (e whole) MeasureLine(ctx context.Context, _ ink.Ink, _ line.Options, _ device.Side) (recognizer.Timing, error) {
	close(e.began)
	<-ctx.Done()
	return recognizer.Timing{}, ctx.Err()
}

// A window that is closed does not wait for a line that is being timed.
func TestALineThatNobodyWantsIsNotTimed(t *testing.T) {
	e := whole{&uitest.Engine{}, make(chan struct{})}
	w := New(e, func(do func()) { do() }, time.Nanosecond, Events{
		Status: func(device.Status) {}, Answer: func(Reply) {}, Measured: func(m Times) { t.Errorf("measured %+v", m) },
	})
	w.Start()
	w.Submit(Task{Ink: ink.Ink{{{X: 1}, {X: 9}}}, Line: &line.Options{}}, false)
	<-e.began
	w.Stop()
}
