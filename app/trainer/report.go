package trainer

import (
	"inkshade/recognizer/personal"
)

// Report is what a training showed. The history keeps it as JSON beside the model.
type Report struct {
	personal.Result        // its Model is left out
	Learned         int    // samples learned from
	Last            int64  // the newest sample that took part, by its ID
	Fallback        string // why the processor stood in for the device that was asked for; empty otherwise
	Overtaken       bool   // another model was put in force while this one was trained
	Curve           []CurvePoint
}

// CurvePoint is a moment of a training.
type CurvePoint struct {
	Step           int
	Loss, Accuracy float64
}

func reportOf(task personal.Task, r *personal.Result, fallback string, points []CurvePoint) Report {
	report := Report{Result: *r, Learned: len(task.Learn), Fallback: fallback, Curve: points}
	report.Model = nil
	for _, group := range [][]personal.Sample{task.Learn, task.HeldOut} {
		for _, s := range group {
			report.Last = max(report.Last, s.ID)
		}
	}
	return report
}

// curvePoints bounds a curve: more than a chart has pixels to spare for.
const curvePoints = 240

// curve keeps an even choice of the moments of a training.
type curve struct {
	points []CurvePoint
	every  int
	count  int
}

func (c *curve) add(p personal.Progress) {
	if p.Stage != personal.Learning || p.Step == 0 {
		return
	}
	c.every = max(c.every, 1)
	c.count++
	if c.count%c.every != 0 {
		return
	}
	c.points = append(c.points, CurvePoint{p.Step, p.Loss, p.Accuracy})
	if len(c.points) < curvePoints {
		return
	}
	for i := range len(c.points) / 2 {
		c.points[i] = c.points[2*i+1]
	}
	c.points = c.points[:len(c.points)/2]
	c.every *= 2
}
