package ui

import (
	"bytes"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"inkshade/app/collection"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/samples"
)

// scan is a picture that ink is read from, and what of it.
type scan struct {
	name     string // for people
	open     func() (io.ReadSeekCloser, error)
	quarters int // by which it is turned clockwise
	part     dataset.Part
}

// picture decodes it, and turns it.
func (s scan) picture() (*dataset.Picture, error) {
	f, err := s.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, err := dataset.OpenPicture(f)
	for range s.quarters {
		if err == nil {
			p = p.Turned()
		}
	}
	return p, err
}

// ink gives the strokes of its part.
func (s scan) ink(line bool) (ink.Ink, error) {
	if s.quarters == 0 && s.part == dataset.Whole {
		f, err := s.open()
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return samples.ReadPicture(f, line)
	}
	p, err := s.picture()
	if err != nil {
		return nil, err
	}
	return samples.TracePart(p, s.part, line)
}

// read puts the lines of a picture onto the paper, where they are answered and can be corrected like a
// drawing.
func (w *Window) read(s scan) {
	w.openPage(0)
	paper, line := w.draw.paper(), w.draw.inLine
	w.draw.crop.reading.do(func() func() {
		k, err := s.ink(line)
		return func() {
			if err != nil {
				w.scanFailed(s, err)
				return
			}
			w.draw.crop.close()
			w.draw.line.chosen = nil
			paper.setScan(k, s)
			w.toast.say(tr("To read a part of the picture only, crop it: {{.Key}}.", map[string]any{"Key": keyName("Ctrl+Shift+R")}))
		}
	})
}

func (w *Window) scanFailed(s scan, err error) {
	w.showText(tr("Picture"), s.name+": "+said(err.Error()))
}

func (w *Window) readPicture(path string) {
	w.read(scan{name: filepath.Base(path), part: dataset.Whole, open: func() (io.ReadSeekCloser, error) { return os.Open(path) }})
}

// choosePicture asks for a picture to be read.
func (w *Window) choosePicture() {
	w.chooseFile(tr("Read a picture"), dataset.PictureEndings, w.readPicture)
}

// paste reads the picture whose file is named on the clipboard, by its path or, as file managers copy it, its URL;
// or else the picture that is there itself.
func (w *Window) paste() {
	text := w.app.Clipboard()
	if w.forEntry(&fyne.ShortcutPaste{Clipboard: text}) || w.win.Canvas().Overlays().Top() != nil {
		return
	}
	if path := pictureNamed(text.Content()); path != "" {
		w.readPicture(path)
		return
	}
	away(w, w.opts.copied, func(file []byte, err error) {
		switch {
		case err != nil:
			w.showFailure(tr("Paste a Picture"), err)
		case file == nil:
			w.toast.say(tr("Copy a picture, its file or its path; there is none on the clipboard."))
		default:
			w.read(scan{name: tr("Clipboard"), part: dataset.Whole, open: func() (io.ReadSeekCloser, error) {
				return struct {
					io.ReadSeeker
					io.Closer
				}{bytes.NewReader(file), io.NopCloser(nil)}, nil
			}})
		}
	})
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
	paper := w.draw.paper()
	var turned ink.Ink
	for _, s := range paper.drawing() {
		s = slices.Clone(s)
		for i, q := range s {
			s[i].X, s[i].Y = -q.Y, q.X
		}
		turned = append(turned, s)
	}
	if w.win.Canvas().Overlays().Top() != nil || w.front != 0 || len(turned) == 0 {
		return
	}
	w.draw.crop.close()
	if from := paper.history.scan; from != nil {
		s := *from
		s.quarters, s.part = (s.quarters+1)%4, s.part.Turned()
		paper.setScan(turned, s)
		return
	}
	paper.setInk(turned)
}

// startCrop shows the picture that is on the paper, so that a part of it can be chosen.
func (w *Window) startCrop() {
	w.openPage(0)
	from := w.draw.paper().history.scan
	if w.win.Canvas().Overlays().Top() != nil {
		return
	}
	if from == nil {
		w.toast.say(tr("Read or paste a picture first; then a part of it can be chosen."))
		return
	}
	away(w, from.picture, func(p *dataset.Picture, err error) {
		switch {
		case err != nil:
			w.scanFailed(*from, err)
		case w.draw.paper().history.scan == from:
			w.toast.hide()
			w.draw.crop.begin(*from, p)
		}
	})
}

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
// opened; a collection becomes one of the person's; ink files and folders are samples, and are imported.
func (w *Window) take(paths []string) {
	one := func(endings []string) bool {
		return len(paths) == 1 && slices.Contains(endings, strings.ToLower(filepath.Ext(paths[0])))
	}
	switch {
	case len(paths) == 0:
	case w.win.Canvas().Overlays().Top() != nil:
		w.toast.say(tr("Close what is open in front of the page, then drop the files again."))
	case one(dataset.PictureEndings):
		w.readPicture(paths[0])
	case one(modelEndings):
		w.openModel(paths[0])
	case one([]string{collection.Ending}) && w.opts.Folder != nil:
		w.importCollection(paths[0])
	case !w.samples.refuse():
		w.onSamples(func() { w.samples.askImport(paths...) })()
	}
}
