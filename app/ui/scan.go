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

	"inkshade/app/state"
	"inkshade/app/ui/language"
	"inkshade/app/ui/models"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
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

// scanOf is what the ink on a paper was read from; nil where it was drawn.
func scanOf(p *widget.Pad) *scan {
	s, _ := p.History.Source.(*scan)
	return s
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
	w.OpenPage(0)
	paper, line := w.draw.paper(), w.draw.inLine
	w.draw.crop.reading.Do(func() func() {
		k, err := s.ink(line)
		return func() {
			if err != nil {
				w.scanFailed(s, err)
				return
			}
			w.draw.crop.close()
			w.draw.line.chosen = nil
			paper.SetRead(k, &s)
			w.Toast.Say(language.Tr("To read a part of the picture only, crop it: {{.Key}}.", map[string]any{"Key": page.KeyName("Ctrl+Shift+R")}))
		}
	})
}

func (w *Window) scanFailed(s scan, err error) {
	w.ShowText(language.Tr("Picture"), s.name+": "+language.Said(err))
}

func (w *Window) readPicture(path string) {
	w.read(scan{name: filepath.Base(path), part: dataset.Whole, open: func() (io.ReadSeekCloser, error) { return os.Open(path) }})
}

// choosePicture asks for a picture to be read.
func (w *Window) choosePicture() {
	w.ChooseFile(language.Tr("Read a picture"), dataset.PictureEndings, w.readPicture)
}

// paste reads the picture whose file is named on the clipboard, by its path or, as file managers copy it, its URL;
// or else the picture that is there itself.
func (w *Window) paste() {
	text := w.App.Clipboard()
	if w.ForEntry(&fyne.ShortcutPaste{Clipboard: text}) || w.Win.Canvas().Overlays().Top() != nil {
		return
	}
	if path := pictureNamed(text.Content()); path != "" {
		w.readPicture(path)
		return
	}
	page.Away(w.Frame, w.opts.copied, func(file []byte, err error) {
		switch {
		case err != nil:
			w.ShowFailure(language.Tr("Paste a Picture"), err)
		case file == nil:
			w.Toast.Say(language.Tr("Copy a picture, its file or its path; there is none on the clipboard."))
		default:
			w.read(scan{name: language.Tr("Clipboard"), part: dataset.Whole, open: func() (io.ReadSeekCloser, error) {
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
	for _, s := range paper.Drawing() {
		s = slices.Clone(s)
		for i, q := range s {
			s[i].X, s[i].Y = -q.Y, q.X
		}
		turned = append(turned, s)
	}
	if w.Win.Canvas().Overlays().Top() != nil || w.Front != 0 || len(turned) == 0 {
		return
	}
	w.draw.crop.close()
	if from := scanOf(paper); from != nil {
		s := *from
		s.quarters, s.part = (s.quarters+1)%4, s.part.Turned()
		paper.SetRead(turned, &s)
		return
	}
	paper.SetInk(turned)
}

// startCrop shows the picture that is on the paper, so that a part of it can be chosen.
func (w *Window) startCrop() {
	w.OpenPage(0)
	from := scanOf(w.draw.paper())
	if w.Win.Canvas().Overlays().Top() != nil {
		return
	}
	if from == nil {
		w.Toast.Say(language.Tr("Read or paste a picture first; then a part of it can be chosen."))
		return
	}
	page.Away(w.Frame, from.picture, func(p *dataset.Picture, err error) {
		switch {
		case err != nil:
			w.scanFailed(*from, err)
		case scanOf(w.draw.paper()) == from:
			w.Toast.Close()
			w.draw.crop.begin(*from, p)
		}
	})
}

// takeDrops takes files that are dropped onto the window.
func (w *Window) takeDrops() {
	w.Win.SetOnDropped(func(_ fyne.Position, files []fyne.URI) {
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
	case w.Win.Canvas().Overlays().Top() != nil:
		w.Toast.Say(language.Tr("Close what is open in front of the page, then drop the files again."))
	case one(dataset.PictureEndings):
		w.readPicture(paths[0])
	case one(models.Endings):
		w.models.Take(paths[0])
	case one([]string{state.Ending}) && w.Collection.Folder != nil:
		w.importCollection(paths[0])
	case !w.samples.Refuse():
		w.On("samples", func() { w.samples.Take(paths...) })()
	}
}
