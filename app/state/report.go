package state

import (
	"encoding/json"

	"inkshade/glcompute/message"
	"inkshade/recognizer/personal"
)

// Report is what a training showed. The history keeps it as JSON beside the model.
type Report struct {
	personal.Result                  // its Model is left out
	Learned         int              // samples learned from
	Last            int64            // the newest sample that took part, by its ID
	Fallback        *message.Message // why the processor stood in for the device that was asked for; nil otherwise
	Overtaken       bool             // another model was put in force while this one was trained
	Curve           []CurvePoint
}

// CurvePoint is a moment of a training.
type CurvePoint struct {
	Step           int
	Loss, Accuracy float64
}

// fromRows takes the shares of devices from how many rows each had, as version 0.1 wrote them.
func (r *Report) fromRows(figures []byte) error {
	var old struct{ Sharing struct{ Rows []float64 } }
	if err := json.Unmarshal(figures, &old); err != nil || r.Choice == nil || r.Choice.Shares != nil {
		return err
	}
	rows := old.Sharing.Rows
	if len(rows) == 0 || len(rows) != len(r.Choice.Devices) {
		r.Choice = nil
		return nil
	}
	total := 0.0
	for _, n := range rows {
		total += n
	}
	for _, n := range rows {
		r.Choice.Shares = append(r.Choice.Shares, n/total)
	}
	r.Choice.Decided = true
	return nil
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
