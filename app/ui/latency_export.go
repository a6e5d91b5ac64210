package ui

import (
	"errors"
	"image"
	"image/draw"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/theme"

	"inkshade/recognizer/bench"
)

func (p *latencyPage) choosePicture() {
	p.chooseFile(tr("Save picture"), "inkshade-latency.png", p.savePicture)
}

func (p *latencyPage) chooseTable() {
	p.chooseFile(tr("Save table"), "inkshade-latency.csv", p.saveTable)
}

// chooseFile asks where a file goes.
func (p *latencyPage) chooseFile(title, name string, save func(path string)) {
	d := dialog.NewFileSave(func(out fyne.URIWriteCloser, err error) {
		if err != nil || out == nil {
			return
		}
		path := out.URI().Path()
		_ = out.Close()
		save(path)
	}, p.win.win)
	d.SetFileName(name)
	p.win.browseFiles(d, title)
}

// savePicture writes all charts as one PNG file. Fyne paints on the window's goroutine only,
// so the picture is painted tile by tile, and the window lives on between them.
func (p *latencyPage) savePicture(path string) {
	w, tiles := p.win, latencyTiles(p.report)
	p.save(path, func(out io.Writer) error {
		img := image.NewRGBA(image.Rectangle{Max: pictureSize})
		for _, t := range tiles {
			painted := make(chan image.Image, 1)
			w.opts.post(func() { painted <- t.paint() })
			select {
			case tile := <-painted:
				draw.Draw(img, tile.Bounds().Add(t.at), tile, image.Point{}, draw.Src)
			case <-w.background.Done():
				return w.background.Err()
			}
		}
		return png.Encode(out, img)
	})
}

// saveTable writes all readings as a CSV file.
func (p *latencyPage) saveTable(path string) { p.save(path, p.report.WriteCSV) }

// save writes a file away from the window and says what came of it.
func (p *latencyPage) save(path string, write func(io.Writer) error) {
	w := p.win
	w.off(func() {
		err := writeWhole(path, write)
		w.opts.post(func() {
			if err != nil {
				w.showFailure(tr("Export"), err)
				return
			}
			w.toast.say(tr("Saved as {{.Path}}.", map[string]any{"Path": path}))
		})
	})
}

// writeWhole leaves the old file or the whole new one.
func writeWhole(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".inkshade-*")
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), path)
}

// pictureSize is that of the picture of all charts in pixels.
var pictureSize = image.Pt(1600, 1120)

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

// latencyTiles are the machine on top, a chart with its words for each experiment, and the
// notes.
func latencyTiles(r *bench.Report) []tile {
	const margin, head, foot = 28, 60, 100
	width, height := pictureSize.X, pictureSize.Y
	strip := func(y, h int, objects func(width float32) []fyne.CanvasObject) tile {
		return tile{image.Pt(0, y), fyne.NewSize(float32(width), float32(h)), func() []fyne.CanvasObject { return objects(float32(width)) }}
	}
	tiles := []tile{strip(0, head, func(width float32) []fyne.CanvasObject {
		words := []string{"Inkshade " + r.Version, r.Started.Format(time.DateOnly), machineWords(r.Machine)}
		l := newLabel(strings.Join(words, tr(", ")), 16, theme.ColorNameForeground).bold()
		place(l, margin, 20, width-2*margin, l.lineHeight())
		return []fyne.CanvasObject{l}
	})}
	w, h := width/2, (height-head-foot)/2
	for i, e := range charted {
		tiles = append(tiles, tile{image.Pt(i%2*w, head+i/2*h), fyne.NewSize(float32(w), float32(h)), func() []fyne.CanvasObject {
			chart := newPlot()
			fillPlot(chart, r, e, r.Quick)
			words := newLabel(chartWords(r, e), 13, theme.ColorNameForeground).wrapped(2)
			under := 2 * words.lineHeight()
			place(chart, margin, 0, float32(w)-2*margin, float32(h)-under-24)
			place(words, margin, float32(h)-under-18, float32(w)-2*margin, under)
			return []fyne.CanvasObject{chart, words}
		}})
	}
	return append(tiles, strip(height-foot, foot, func(width float32) []fyne.CanvasObject {
		var lines []fyne.CanvasObject
		for i, s := range notesOf(r) {
			l := newLabel(s, 13, colorMuted)
			place(l, margin, float32(i)*(l.lineHeight()+2), width-2*margin, l.lineHeight())
			lines = append(lines, l)
		}
		return lines
	}))
}
