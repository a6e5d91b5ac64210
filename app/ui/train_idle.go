package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// trainIdle says what learning does, as long as there is no training to look at.
type trainIdle struct {
	title   *label
	steps   []idleStep
	content *fyne.Container
}

type idleStep struct {
	disc          *disc
	number        *label
	title, detail *label
}

func newTrainIdle() *trainIdle {
	t := &trainIdle{title: newLabel(tr("What learning does"), 16, theme.ColorNameForeground).bold()}
	texts := [][2]string{
		{tr("One in five of your drawings is held out"), tr("The model never learns from them, and so they show honestly whether learning helped. Corrections are always learned.")},
		{tr("The model in use learns from all others"), tr("It sees them in many small variations, and rehearses what it knew, so that this is not forgotten. Nothing leaves this machine.")},
		{tr("You see before and after, and decide"), tr("A better model is put in use at once. Every training stays in the history and can be taken back.")},
	}
	objects := []fyne.CanvasObject{t.title}
	for i, text := range texts {
		s := idleStep{
			disc:   newDisc(),
			number: newLabel(string(rune('1'+i)), 15, theme.ColorNamePrimary).bold().aligned(fyne.TextAlignCenter),
			title:  newLabel(text[0], 15, theme.ColorNameForeground).bold(),
			detail: newLabel(text[1], 13, colorMuted).wrapped(3),
		}
		t.steps = append(t.steps, s)
		objects = append(objects, s.disc, s.number, s.title, s.detail)
	}
	t.content = container.New(&trainIdleLayout{t}, objects...)
	return t
}

// trainIdleLayout puts the steps under each other in the middle.
type trainIdleLayout struct{ idle *trainIdle }

func (l *trainIdleLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(300, 270) }

func (l *trainIdleLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	const disc, gap = 34, 16
	t := l.idle
	width := min(size.Width, 620)
	x := floor((size.Width - width) / 2)
	row := floor(min(max((size.Height-70)/float32(len(t.steps)), 72), 104))
	th := t.title.lineHeight()
	y := floor(max((size.Height-th-20-row*float32(len(t.steps)))/2, 0))
	place(t.title, x, y, width, th)
	y += th + 20
	for _, s := range t.steps {
		place(s.disc, x, y, disc, disc)
		nh := s.number.lineHeight()
		place(s.number, x, y+floor((disc-nh)/2), disc, nh)
		left := x + disc + gap
		h := s.title.lineHeight()
		place(s.title, left, y, x+width-left, h)
		place(s.detail, left, y+h+2, x+width-left, 3*s.detail.lineHeight())
		y += row
	}
}

// disc is a round ground for a number.
type disc struct{ widget.BaseWidget }

func newDisc() *disc {
	d := &disc{}
	d.ExtendBaseWidget(d)
	return d
}

// CreateRenderer implements fyne.Widget.
func (d *disc) CreateRenderer() fyne.WidgetRenderer {
	return &discRenderer{circle: canvas.NewCircle(themed(colorTrack))}
}

type discRenderer struct{ circle *canvas.Circle }

func (r *discRenderer) MinSize() fyne.Size           { return fyne.NewSquareSize(20) }
func (r *discRenderer) Layout(size fyne.Size)        { r.circle.Resize(size) }
func (r *discRenderer) Refresh()                     { r.circle.FillColor = themed(colorTrack); r.circle.Refresh() }
func (r *discRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.circle} }
func (r *discRenderer) Destroy()                     {}
