package ui

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/samples"
)

// takeDrops takes files that are dropped onto the window.
func (w *Window) takeDrops() {
	w.win.SetOnDropped(func(_ fyne.Position, files []fyne.URI) {
		var paths []string
		for _, f := range files {
			paths = append(paths, f.Path())
		}
		w.take(paths)
	})
}

// take takes files and folders: a picture is a drawing, and comes onto the paper; a model is
// opened; ink files and folders are samples, and are imported.
func (w *Window) take(paths []string) {
	one := func(endings []string) bool {
		return len(paths) == 1 && slices.Contains(endings, strings.ToLower(filepath.Ext(paths[0])))
	}
	switch {
	case len(paths) == 0 || w.win.Canvas().Overlays().Top() != nil:
	case one(dataset.PictureEndings):
		w.readPicture(paths[0])
	case one(modelEndings):
		w.openModel(paths[0])
	case !w.samples.refuse():
		w.onSamples(func() {
			for _, path := range paths {
				w.samples.importPath(path)
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
			w.draw.picture = path
		})
	})
}

// choosePicture asks for a picture to be read.
func (w *Window) choosePicture() {
	w.chooseFile(tr("Read a picture"), dataset.PictureEndings, w.readPicture)
}

// paste reads the picture whose file is named on the clipboard: by its path or, as file managers copy it, its URL.
// Of the clipboard the toolkit gives text only, so the pixels of a picture cannot be pasted.
func (w *Window) paste() {
	clipboard := w.app.Clipboard()
	if w.forEntry(&fyne.ShortcutPaste{Clipboard: clipboard}) || w.win.Canvas().Overlays().Top() != nil {
		return
	}
	if path := pictureNamed(clipboard.Content()); path != "" {
		w.readPicture(path)
		return
	}
	w.toast.say(tr("Copy the file of a picture, or its path; there is none on the clipboard."))
}

// pictureNamed is the path of the first picture that a line of the text names, if one does.
func pictureNamed(text string) string {
	for line := range strings.Lines(text) {
		path := strings.Trim(line, "\"' \t\r\n")
		if u, err := url.Parse(path); err == nil && u.Scheme == "file" {
			path = u.Path
			if drive := strings.TrimPrefix(path, "/"); filepath.VolumeName(drive) != "" {
				path = drive
			}
		}
		if filepath.IsAbs(path) && dataset.NamesPicture(path) {
			return path
		}
	}
	return ""
}

// turn turns what is on the paper by a quarter, clockwise: a picture may have been taken from the side.
func (w *Window) turn() {
	paper, picture := w.draw.paper(), w.draw.picture
	var turned ink.Ink
	for _, s := range paper.drawing() {
		s = slices.Clone(s)
		for i, q := range s {
			s[i].X, s[i].Y = -q.Y, q.X
		}
		turned = append(turned, s)
	}
	if w.win.Canvas().Overlays().Top() == nil && w.front == 0 && len(turned) > 0 {
		paper.setInk(turned)
		w.draw.picture = picture
	}
}
