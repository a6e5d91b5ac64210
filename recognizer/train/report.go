package train

import (
	"math"
	"time"

	"inkshade/glcompute/clock"
	"inkshade/recognizer/nn"
)

// add takes the losses and outputs of a batch, of the rows whose class is given, and marks those
// that are answered rightly; a single output says so by being above zero.
func (w *window) add(loss, probabilities []float32, classes []int, right []bool) {
	count := len(probabilities) / len(loss)
	for i, class := range classes {
		w.Loss += float64(loss[i])
		row := probabilities[i*count : (i+1)*count]
		right[i] = nn.Best(row) == class && (count > 1 || row[0] > 0)
		if right[i] {
			w.Right++
		}
	}
	w.Samples += len(classes)
}

func (w *window) meanLoss() float64 {
	if w.Samples == 0 {
		return math.NaN()
	}
	return w.Loss / float64(w.Samples)
}

// event describes the state after a step, and empties the window it reports.
func (s *session) event(epoch, step int, w *window) Event {
	e := Event{
		Epoch: epoch, Epochs: s.cfg.Epochs,
		Step: step, Steps: s.feed.steps,
		Loss:     w.meanLoss(),
		Accuracy: share(w.Right, w.Samples),
		Elapsed:  clock.Since(s.started),
		Device:   s.learner.Info(),
	}
	*w = window{}
	running := clock.Since(s.begun) // without what was compiled and measured before
	if seconds := running.Seconds(); seconds > 0 {
		e.SamplesPerSecond = float64(e.Step*s.cfg.Batch) / seconds
	}
	e.Remaining = time.Duration(float64(running) / float64(e.Step) * float64(e.Steps-e.Step))
	return e
}

func (s *session) tell(e Event) {
	if s.progress != nil {
		s.progress(e)
	}
}
