package draw

import (
	"bytes"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"inkshade/app/ui/language"
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
func (d *Page) read(s scan) {
	d.win.OpenPage(0)
	paper, line := d.paper(), d.inLine
	d.crop.reading.Do(func() func() {
		k, err := s.ink(line)
		return func() {
			if err != nil {
				d.scanFailed(s, err)
				return
			}
			d.crop.close()
			d.line.chosen = nil
			paper.SetRead(k, &s)
			d.win.Toast.Say(language.Tr("To read a part of the picture only, crop it: {{.Key}}.", map[string]any{"Key": d.win.Command("crop").Hint()}))
		}
	})
}

func (d *Page) scanFailed(s scan, err error) {
	d.win.ShowText(language.Tr("Picture"), s.name+": "+language.Said(err))
}

// ReadPicture reads the picture in a file.
func (d *Page) ReadPicture(path string) {
	d.read(scan{name: filepath.Base(path), part: dataset.Whole, open: func() (io.ReadSeekCloser, error) { return os.Open(path) }})
}

// choosePicture asks for a picture to be read.
func (d *Page) choosePicture() {
	d.win.ChooseFile(language.Tr("Read a picture"), dataset.PictureEndings, d.ReadPicture)
}

// paste reads the picture whose file is named on the clipboard, by its path or, as file managers copy it, its URL;
// or else the picture that is there itself.
func (d *Page) paste() {
	text := d.win.App.Clipboard()
	if d.win.ForEntry(&fyne.ShortcutPaste{Clipboard: text}) || d.win.Win.Canvas().Overlays().Top() != nil {
		return
	}
	if path := pictureNamed(text.Content()); path != "" {
		d.ReadPicture(path)
		return
	}
	page.Away(d.win, d.copied, func(file []byte, err error) {
		switch {
		case err != nil:
			d.win.ShowFailure(language.Tr("Paste a Picture"), err)
		case file == nil:
			d.win.Toast.Say(language.Tr("Copy a picture, its file or its path; there is none on the clipboard."))
		default:
			d.read(scan{name: language.Tr("Clipboard"), part: dataset.Whole, open: func() (io.ReadSeekCloser, error) {
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
func (d *Page) turn() {
	paper := d.paper()
	var turned ink.Ink
	for _, s := range paper.Drawing() {
		s = slices.Clone(s)
		for i, q := range s {
			s[i].X, s[i].Y = -q.Y, q.X
		}
		turned = append(turned, s)
	}
	if d.win.Win.Canvas().Overlays().Top() != nil || d.win.Front != 0 || len(turned) == 0 {
		return
	}
	d.crop.close()
	if from := scanOf(paper); from != nil {
		s := *from
		s.quarters, s.part = (s.quarters+1)%4, s.part.Turned()
		paper.SetRead(turned, &s)
		return
	}
	paper.SetInk(turned)
}

// startCrop shows the picture that is on the paper, so that a part of it can be chosen.
func (d *Page) startCrop() {
	d.win.OpenPage(0)
	from := scanOf(d.paper())
	if d.win.Win.Canvas().Overlays().Top() != nil {
		return
	}
	if from == nil {
		d.win.Toast.Say(language.Tr("Read or paste a picture first; then a part of it can be chosen."))
		return
	}
	page.Away(d.win, from.picture, func(p *dataset.Picture, err error) {
		switch {
		case err != nil:
			d.scanFailed(*from, err)
		case scanOf(d.paper()) == from:
			d.win.Toast.Close()
			d.crop.begin(*from, p)
		}
	})
}
