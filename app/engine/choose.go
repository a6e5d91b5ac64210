package engine

import (
	"time"

	"inkshade/app/ui"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
)

// trials is how often each side is timed to find the faster one.
const trials = 9

// Choose says who answers from now on. Choosing the faster one times both.
func (e *Engine) Choose(c ui.Choice) {
	if c == ui.ChooseFaster {
		e.compare()
	}
	e.update(func() { e.status.Choice = c })
}

// compare finds the side that is faster for a single drawing: the one that wins
// most of the trials, which alternate between the sides.
func (e *Engine) compare() {
	e.mu.Lock()
	cpu, gpu := e.sides[ui.CPU], e.sides[ui.GPU]
	e.faster = ui.CPU
	e.mu.Unlock()
	if cpu == nil || gpu == nil {
		return
	}
	drawing := ink.Ink{{{X: 0, Y: 0}, {X: 10, Y: 2}, {X: 4, Y: 20}}}
	var wins int
	for range trials {
		a, err := total(cpu, drawing)
		b, failed := total(gpu, drawing)
		if err == nil && failed == nil && b < a {
			wins++
		}
	}
	if wins > trials/2 {
		e.mu.Lock()
		e.faster = ui.GPU
		e.mu.Unlock()
	}
}

func total(rec *recognizer.Recognizer, k ink.Ink) (time.Duration, error) {
	t, err := rec.Measure(k, 1)
	return t.Total(), err
}
