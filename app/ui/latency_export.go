package ui

import (
	"errors"
	"image"
	"image/draw"
	"image/png"
	"io"
	"os"
	"path/filepath"
)

// savePicture writes all charts and waterfalls as one PNG file. Fyne paints on the window's goroutine only,
// so the picture is painted tile by tile, and the window lives on between them.
func (p *latencyPage) savePicture(path string) {
	w := p.win
	tiles, size := latencyPicture(p.report, p.drawings())
	p.save(path, func(out io.Writer) error {
		img := image.NewRGBA(image.Rectangle{Max: size})
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
