package ui

import (
	"image"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/theme"

	"inkshade/recognizer/bench"
)

// tile is a part of the picture.
type tile struct {
	at      image.Point
	size    fyne.Size
	objects func() []fyne.CanvasObject // placed on the tile
}

// paint draws the tile in software, in the colours of the window.
func (t tile) paint() image.Image {
	ground := canvas.NewRectangle(themed(colorCard))
	ground.Resize(t.size)
	c := software.NewCanvas()
	c.SetPadded(false)
	c.SetContent(container.NewWithoutLayout(append([]fyne.CanvasObject{ground}, t.objects()...)...))
	c.Resize(t.size)
	return c.Capture()
}

// drawings are those of all devices that have one.
func (p *latencyPage) drawings() []timedDrawing {
	var all []timedDrawing
	for _, name := range p.devices {
		if d, ok := p.drawingOf(name); ok {
			all = append(all, d)
		}
	}
	return all
}

// The picture in pixels.
const (
	pictureWidth  = 1600
	pictureMargin = 28
	pictureChart  = 480 // height of a chart with its words
	pictureBars   = 290 // height of a waterfall with its words
)

// latencyPicture has the machine and its devices on top, a chart with its words for each
// experiment, a waterfall for each drawing, and the notes.
func latencyPicture(r *bench.Report, drawings []timedDrawing) ([]tile, image.Point) {
	head, y := pictureText(append([]string{headline(r)}, rendererLines(r)...), 0, 20)
	tiles := []tile{head}
	for i, e := range charted {
		const w, h = pictureWidth / 2, pictureChart
		tiles = append(tiles, tile{image.Pt(i%2*w, y+i/2*h), fyne.NewSize(w, h), func() []fyne.CanvasObject { return pictureOfChart(r, e, w, h) }})
	}
	y += (len(charted) + 1) / 2 * pictureChart
	if len(drawings) > 0 {
		w := pictureWidth / len(drawings)
		for i, d := range drawings {
			tiles = append(tiles, tile{image.Pt(i*w, y), fyne.NewSize(float32(w), pictureBars), func() []fyne.CanvasObject {
				return pictureOfDrawing(d, float32(w), pictureBars)
			}})
		}
		y += pictureBars
	}
	foot, end := pictureText(append([]string{""}, notesOf(r)...), y, 10)
	return append(tiles, foot), image.Pt(pictureWidth, end)
}

func headline(r *bench.Report) string {
	return strings.Join([]string{"Inkshade " + r.Version, r.Started.Format(time.DateOnly), machineWords(r.Machine)}, tr(", "))
}

// rendererLines name the devices that were measured with their drivers; those that are of one
// renderer are in one line.
func rendererLines(r *bench.Report) []string {
	var lines, of []string
	for _, d := range r.Listed() {
		words := rendererWords(d.Info)
		switch {
		case d.Missing != "":
			continue
		case len(of) > 0 && of[len(of)-1] == words:
			lines[len(lines)-1] += tr(", ") + benchWords().Device(d.Name)
		default:
			lines, of = append(lines, benchWords().Device(d.Name)), append(of, words)
		}
	}
	for i := range lines {
		lines[i] += tr(": ") + of[i]
	}
	return lines
}

// pictureText is a strip of lines from y on, the first of them a headline, and where it ends.
func pictureText(lines []string, y, above int) (tile, int) {
	var labels []*label
	height := float32(above)
	for i, s := range lines {
		l := newLabel(s, 13, colorMuted)
		if i == 0 {
			l = newLabel(s, 16, theme.ColorNameForeground).bold()
		}
		if s == "" {
			continue
		}
		place(l, pictureMargin, height, pictureWidth-2*pictureMargin, l.lineHeight())
		labels, height = append(labels, l), height+l.lineHeight()+3
	}
	end := int(height) + 14
	return tile{image.Pt(0, y), fyne.NewSize(pictureWidth, float32(end)), func() []fyne.CanvasObject {
		var all []fyne.CanvasObject
		for _, l := range labels {
			all = append(all, l)
		}
		return all
	}}, y + end
}

func pictureOfChart(r *bench.Report, e bench.Experiment, w, h float32) []fyne.CanvasObject {
	chart := newPlot()
	fillPlot(chart, r, e, r.Quick)
	words := newLabel(benchWords().Chart(r, e), 13, theme.ColorNameForeground).wrapped(2)
	under := 2 * words.lineHeight()
	place(chart, pictureMargin, 0, w-2*pictureMargin, h-under-24)
	place(words, pictureMargin, h-under-18, w-2*pictureMargin, under)
	return []fyne.CanvasObject{chart, words}
}

func pictureOfDrawing(d timedDrawing, w, h float32) []fyne.CanvasObject {
	title := newLabel(d.title()+tr(", ")+benchWords().Device(d.Device), 14, theme.ColorNameForeground).bold()
	total := newLabel(duration(d.Total.Median), 13, colorMuted).aligned(fyne.TextAlignTrailing)
	caption := newLabel(d.caption(), 12, colorMuted).wrapped(2)
	bars := newWaterfall()
	bars.show(d.Drawing)
	inner, line, under := w-2*pictureMargin, title.lineHeight(), 2*caption.lineHeight()
	place(title, pictureMargin, 0, inner-80, line)
	place(total, pictureMargin+inner-80, 0, 80, line)
	place(bars, pictureMargin, line+8, inner, h-line-under-30)
	place(caption, pictureMargin, h-under-16, inner, under)
	return []fyne.CanvasObject{title, total, bars, caption}
}
