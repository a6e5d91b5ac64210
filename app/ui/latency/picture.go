package latency

import (
	"image"
	"image/draw"
	"image/png"
	"io"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/bench"
	"inkshade/recognizer/files"
)

// savePicture writes all charts and waterfalls as a PNG file, painted tile by tile: Fyne paints on the window's goroutine, which lives on.
func (p *Page) savePicture(path string) {
	w := p.win
	tiles, size := latencyPicture(p.Report, p.drawings())
	ground := image.NewUniform(widget.Opaque(widget.ColorCard))
	p.save(path, func(out io.Writer) error {
		img := image.NewRGBA(image.Rectangle{Max: size})
		draw.Draw(img, img.Rect, ground, image.Point{}, draw.Src)
		for _, t := range tiles {
			painted := make(chan image.Image, 1)
			w.Post(func() { painted <- t.paint() })
			select {
			case tile := <-painted:
				draw.Draw(img, tile.Bounds().Add(t.at), tile, image.Point{}, draw.Src)
			case <-w.Background.Done():
				return w.Background.Err()
			}
		}
		return png.Encode(out, img)
	})
}

func (p *Page) saveTable(path string) { p.save(path, p.Report.WriteCSV) }

func (p *Page) save(path string, write func(io.Writer) error) {
	w := p.win
	page.Away(w, func() (any, error) { return nil, files.WriteShared(path, write) }, func(_ any, err error) {
		if err != nil {
			w.ShowFailure(language.Tr("Nothing was exported"), err)
			return
		}
		w.Toast.Say(language.Tr("Saved as {{.Path}}.", map[string]any{"Path": path}))
	})
}

// tile is a part of the picture.
type tile struct {
	at      image.Point
	size    fyne.Size
	content fyne.CanvasObject
}

func (t tile) paint() image.Image {
	c := software.NewCanvas()
	c.SetPadded(false)
	margins := layout.NewCustomPaddedLayout(0, 18, pictureMargin, pictureMargin)
	c.SetContent(container.NewStack(widget.NewFill(widget.ColorCard, 0), container.New(margins, t.content)))
	c.Resize(t.size)
	return c.Capture()
}

func (p *Page) drawings() []timedDrawing {
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

// latencyPicture has the machine and its devices on top, a chart for each experiment, a waterfall for each drawing, and the notes.
func latencyPicture(r *bench.Report, drawings []timedDrawing) ([]tile, image.Point) {
	var tiles []tile
	y := 0
	add := func(columns, i int, height float32, content fyne.CanvasObject) {
		w := pictureWidth / columns
		tiles = append(tiles, tile{image.Pt(i%columns*w, y), fyne.NewSize(float32(w), height), content})
		if i%columns == columns-1 {
			y += int(height)
		}
	}
	text := func(lines []string, head bool) {
		all := pictureText(lines, head)
		add(1, 0, all.MinSize().Height+32, all)
	}
	headline := strings.Join([]string{"Inkshade " + r.Version, r.Started.Format(time.DateOnly), machineWords(r.Machine)}, language.Tr(", "))
	text(append([]string{headline}, rendererLines(r)...), true)
	for i, e := range charted {
		chart := widget.NewPlot()
		fillPlot(chart, r, e, r.Quick)
		words := widget.NewLabel(language.AllSaid(r.Chart(e)), 13, theme.ColorNameForeground).Wrapped(2)
		add(2, i, pictureChart, container.NewBorder(nil, words, nil, nil, chart))
	}
	if len(charted)%2 == 1 {
		y += pictureChart
	}
	for i, d := range drawings {
		title := widget.NewLabel(d.title()+language.Tr(", ")+language.Said(bench.NameOf(d.Device)), 14, theme.ColorNameForeground).Bold()
		total := widget.NewLabel(language.Duration(d.Total.Median), 13, widget.ColorMuted).Natural()
		bars, caption := newWaterfall(), widget.NewLabel(d.caption(), 12, widget.ColorMuted).Wrapped(2)
		bars.show(d.Drawing)
		add(len(drawings), i, pictureBars, container.NewBorder(widget.Beside(4, title, total), caption, nil, nil, bars))
	}
	text(notesOf(r), false)
	return tiles, image.Pt(pictureWidth, y)
}

// rendererLines name the devices that were measured with their drivers; those that are of one renderer are in one line.
func rendererLines(r *bench.Report) []string {
	var names, of []string
	for _, d := range r.Listed() {
		name, words := language.Said(bench.NameOf(d.Name)), rendererWords(d.Info)
		switch {
		case d.Missing != nil:
		case widget.Last(of) == words && words != "":
			names[len(names)-1] += language.Tr(", ") + name
		default:
			names, of = append(names, name), append(of, words)
		}
	}
	for i := range names {
		names[i] += language.Tr(": ") + of[i]
	}
	return names
}

// pictureText is lines under each other, the first of them a headline or not.
func pictureText(lines []string, head bool) *fyne.Container {
	all := container.NewVBox(widget.NewLabel("", 4, widget.ColorMuted))
	if head {
		all.Add(widget.NewLabel(lines[0], 16, theme.ColorNameForeground).Bold())
		lines = lines[1:]
	}
	for _, s := range lines {
		for _, line := range widget.NewLabel(s, 13, widget.ColorMuted).Wrapped(4).Wrap(pictureWidth - 2*pictureMargin) {
			all.Add(widget.NewLabel(line, 13, widget.ColorMuted))
		}
	}
	return all
}
