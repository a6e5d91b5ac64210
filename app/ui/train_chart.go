package ui

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/trainer"
)

// trainCourse is how the loss and the share of right answers go while a training runs.
type trainCourse struct {
	right, loss *plot
	content     *fyne.Container
}

func newTrainCourse() *trainCourse {
	c := &trainCourse{
		right: newCurve(tr("Answered right"), theme.ColorNameSuccess, func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }),
		loss:  newCurve(tr("Loss (mean cross-entropy)"), theme.ColorNamePrimary, func(v float64) string { return fmt.Sprintf("%.2g", v) }),
	}
	c.right.top = 1
	c.begin(1)
	c.content = container.New(evenColumns{gap: 24}, c.right, c.loss)
	return c
}

func newCurve(title string, c fyne.ThemeColorName, format func(float64) string) *plot {
	p := newPlot()
	p.title, p.unit, p.format, p.linear, p.series = title, tr("steps"), format, true, []plotSeries{{color: c}}
	return p
}

// begin empties the charts for a training of so many steps.
func (c *trainCourse) begin(steps int) {
	c.right.sizes = []float64{0, float64(steps)}
	c.loss.sizes = c.right.sizes
	c.show(nil)
}

func (c *trainCourse) show(points []trainer.CurvePoint) {
	var right, loss []plotPoint
	for _, p := range points {
		right = append(right, plotPoint{x: float64(p.Step), y: p.Accuracy})
		loss = append(loss, plotPoint{x: float64(p.Step), y: p.Loss})
	}
	c.right.series[0].points, c.loss.series[0].points = right, loss
	c.right.Refresh()
	c.loss.Refresh()
}
