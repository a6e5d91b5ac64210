package ui

import (
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"inkshade/recognizer/samples"
)

var pictureEndings = []string{".png", ".jpg", ".jpeg", ".gif"}

// takeDrops takes files that are dropped onto the window: a picture is a drawing, and comes
// onto the paper; a model is opened; ink files and folders are samples, and are imported.
func (w *Window) takeDrops() {
	w.win.SetOnDropped(func(_ fyne.Position, files []fyne.URI) { w.dropped(files) })
}

func (w *Window) dropped(files []fyne.URI) {
	switch {
	case len(files) == 0 || w.win.Canvas().Overlays().Top() != nil:
	case len(files) == 1 && slices.Contains(pictureEndings, strings.ToLower(files[0].Extension())):
		w.readPicture(files[0].Path())
	case len(files) == 1 && slices.Contains(modelEndings, strings.ToLower(files[0].Extension())):
		w.openModel(files[0].Path())
	case !w.samples.refuse():
		w.onSamples(func() {
			for _, f := range files {
				w.samples.importPath(f.Path())
			}
		})()
	}
}

// readPicture puts the lines of a picture onto the paper, where they are answered and can be
// corrected like a drawing.
func (w *Window) readPicture(path string) {
	w.openPage(0)
	line := w.draw.inLine
	w.off(func() {
		k, err := samples.ReadPicture(path, line)
		w.opts.post(func() {
			if err != nil {
				w.showText(tr("Picture"), filepath.Base(path)+": "+said(err.Error()))
				return
			}
			w.draw.paper().setInk(k)
		})
	})
}

// choosePicture asks for a picture to be read.
func (w *Window) choosePicture() {
	w.chooseFile(tr("Read a picture"), pictureEndings, w.readPicture)
}
