package ui

import (
	"fmt"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/app/trainer"
)

// trainCourse is how the loss and the share of right answers go while a training runs.
type trainCourse struct {
	right, loss *chart
	content     *fyne.Container
}

func newTrainCourse() *trainCourse {
	c := &trainCourse{
		right: newChart(tr("Answered right"), theme.ColorNameSuccess, func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }),
		loss:  newChart(tr("Loss (mean cross-entropy)"), theme.ColorNamePrimary, func(v float64) string { return fmt.Sprintf("%.2g", v) }),
	}
	c.right.top = 1
	c.content = container.New(evenColumns{gap: 24}, c.right, c.loss)
	return c
}

// begin empties the charts for a training of so many steps.
func (c *trainCourse) begin(steps int) {
	c.right.steps, c.loss.steps = steps, steps
	c.show(nil)
}

func (c *trainCourse) show(points []trainer.CurvePoint) {
	right, loss := make([]fyne.Position, len(points)), make([]fyne.Position, len(points))
	for i, p := range points {
		right[i] = fyne.NewPos(float32(p.Step), float32(p.Accuracy))
		loss[i] = fyne.NewPos(float32(p.Step), float32(p.Loss))
	}
	c.right.show(right)
	c.loss.show(loss)
}

// chart is a curve over training steps, made of few lines and texts so that it follows the
// theme and costs little: it is drawn anew ten times a second.
type chart struct {
	widget.BaseWidget
	title  string
	color  fyne.ThemeColorName
	format func(float64) string
	steps  int             // width of the horizontal axis
	top    float64         // of the vertical axis; 0 follows the values
	points []fyne.Position // step and value
}

func newChart(title string, c fyne.ThemeColorName, format func(float64) string) *chart {
	h := &chart{title: title, color: c, format: format, steps: 1}
	h.ExtendBaseWidget(h)
	return h
}

func (h *chart) show(points []fyne.Position) {
	h.points = points
	h.Refresh()
}

// ceiling is the end of the vertical axis: 1, 2 or 5 times a power of ten.
func (h *chart) ceiling() float64 {
	if h.top > 0 {
		return h.top
	}
	most := 0.0
	for _, p := range h.points {
		if v := float64(p.Y); !math.IsInf(v, 0) && !math.IsNaN(v) {
			most = max(most, v)
		}
	}
	if most == 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(most)))
	for _, m := range []float64{1, 2, 5} {
		if most <= m*power*1.0001 {
			return m * power
		}
	}
	return 10 * power
}

// thin takes at most one point for every two units of width, the mean of those that fall
// together.
func (h *chart) thin(width float32) []fyne.Position {
	slots := max(int(width/2), 2)
	var out []fyne.Position
	from := 0
	for from < len(h.points) {
		slot := int(h.points[from].X / float32(max(h.steps, 1)) * float32(slots))
		to, sum := from, float32(0)
		for to < len(h.points) && int(h.points[to].X/float32(max(h.steps, 1))*float32(slots)) == slot {
			sum += h.points[to].Y
			to++
		}
		out = append(out, fyne.NewPos(h.points[to-1].X, sum/float32(to-from)))
		from = to
	}
	return out
}

// chartLines is how many parts the vertical axis has.
const chartLines = 4

// CreateRenderer implements fyne.Widget.
func (h *chart) CreateRenderer() fyne.WidgetRenderer {
	r := &chartRenderer{
		chart: h,
		title: newLabel(h.title, 13, colorMuted),
		value: newLabel("", 22, theme.ColorNameForeground).bold().aligned(fyne.TextAlignTrailing),
		first: newLabel("0", 11, colorMuted),
		last:  newLabel("", 11, colorMuted).aligned(fyne.TextAlignTrailing),
		axis:  newLabel(tr("steps"), 11, colorMuted).aligned(fyne.TextAlignCenter),
		dot:   canvas.NewCircle(themed(h.color)),
	}
	for range chartLines + 1 {
		r.grid = append(r.grid, canvas.NewLine(themed(colorBorder)))
		r.marks = append(r.marks, newLabel("", 11, colorMuted).aligned(fyne.TextAlignTrailing))
	}
	r.Refresh()
	return r
}

type chartRenderer struct {
	chart                           *chart
	title, value, first, last, axis *label
	grid                            []*canvas.Line
	marks                           []*label
	curve                           []*canvas.Line // those after used are hidden
	dot                             *canvas.Circle
}

func (r *chartRenderer) MinSize() fyne.Size { return fyne.NewSize(160, 120) }

func (r *chartRenderer) Layout(size fyne.Size) {
	const left, under = 44, 18
	vh := r.value.lineHeight()
	place(r.title, 0, floor((vh-r.title.lineHeight())/2), size.Width-90, r.title.lineHeight())
	place(r.value, size.Width-90, 0, 90, vh)
	top, bottom := vh+10, size.Height-under
	width := size.Width - left - 6
	ceiling := r.chart.ceiling()
	at := func(share float64) float32 { return floor(bottom - (bottom-top)*float32(share)) }
	for i, line := range r.grid {
		y := at(float64(i) / chartLines)
		line.Position1, line.Position2 = fyne.NewPos(left, y), fyne.NewPos(left+width, y)
		mark := r.marks[i]
		mark.set(r.chart.format(ceiling * float64(i) / chartLines))
		place(mark, 0, y-floor(mark.lineHeight()/2), left-8, mark.lineHeight())
	}
	place(r.first, left, bottom+4, 60, r.first.lineHeight())
	place(r.axis, left, bottom+4, width, r.axis.lineHeight())
	place(r.last, left+width-80, bottom+4, 80, r.last.lineHeight())

	points := r.chart.thin(width)
	to := func(p fyne.Position) fyne.Position {
		v := min(max(float64(p.Y)/ceiling, 0), 1)
		return fyne.NewPos(left+width*p.X/float32(max(r.chart.steps, 1)), bottom-(bottom-top)*float32(v))
	}
	for i := 1; i < len(points); i++ {
		if i > len(r.curve) {
			line := canvas.NewLine(themed(r.chart.color))
			line.StrokeWidth = 2
			r.curve = append(r.curve, line)
		}
		line := r.curve[i-1]
		line.Position1, line.Position2 = to(points[i-1]), to(points[i])
		line.Show()
	}
	for i := max(len(points)-1, 0); i < len(r.curve); i++ {
		r.curve[i].Hide()
	}
	if len(points) == 0 {
		r.dot.Hide()
		return
	}
	end := to(points[len(points)-1])
	place(r.dot, end.X-4, end.Y-4, 8, 8)
	r.dot.Show()
}

func (r *chartRenderer) Refresh() {
	h := r.chart
	value := ""
	if n := len(h.points); n > 0 {
		value = h.format(float64(h.points[n-1].Y))
	}
	r.value.set(value)
	r.last.set(fmt.Sprint(h.steps))
	for _, line := range r.grid {
		line.StrokeColor, line.StrokeWidth = themed(colorBorder), 1
	}
	for _, line := range r.curve {
		line.StrokeColor = themed(h.color)
	}
	r.dot.FillColor = themed(h.color)
	r.Layout(h.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *chartRenderer) Objects() []fyne.CanvasObject {
	o := []fyne.CanvasObject{r.title, r.value, r.first, r.axis, r.last}
	for i := range r.grid {
		o = append(o, r.grid[i], r.marks[i])
	}
	for _, line := range r.curve {
		o = append(o, line)
	}
	return append(o, r.dot)
}
func (r *chartRenderer) Destroy() {}
