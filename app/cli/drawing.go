package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// drawing is one thing to recognise: a picture, or one sample of an ink file.
type drawing struct {
	file   string
	sample int // counted from 1 within an ink file, 0 for a picture
	label  string
	image  ink.Image // of a picture: normalised, or whole where lines are read
	ink    ink.Ink   // nil for a picture
}

// name is how the drawing is called in output: "eight.png", "ink.jsonl#3".
func (d drawing) name() string {
	if d.sample == 0 {
		return files.Shown(d.file)
	}
	return fmt.Sprintf("%s#%d", files.Shown(d.file), d.sample)
}

// standardInput is the name that stands for what comes through a pipe.
const standardInput = "-"

// eachDrawing is called with a drawing, or with the error of a sample that holds no
// ink. Its own error ends the reading.
type eachDrawing func(drawing, error) error

// readDrawings reads a picture or an ink file by its content, whatever its name. Pictures
// are normalised, as characters, unless they are left whole.
func readDrawings(file string, stdin io.Reader, whole bool, each eachDrawing) error {
	if file == standardInput {
		err := decodeDrawings(file, stdin, whole, each)
		if err != nil {
			err = errors.New("standard input" + strings.TrimPrefix(err.Error(), standardInput))
		}
		return err
	}
	f, err := os.Open(file)
	if err != nil {
		return explain(file, err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err == nil && st.IsDir() {
		return fmt.Errorf("%s is a folder; give the files in it, as %s", files.Shown(file), files.Shown(filepath.Join(file, "*")))
	}
	if err == nil && st.Mode().IsRegular() { // said before all that fits is answered
		err := ink.Fits(f)
		if _, again := f.Seek(0, io.SeekStart); again != nil || err != nil {
			return explain(file, errors.Join(err, again))
		}
	}
	return decodeDrawings(file, f, whole, each)
}

func decodeDrawings(file string, r io.Reader, whole bool, each eachDrawing) error {
	all := bufio.NewReader(r)
	head, err := all.Peek(12)
	if err != nil && err != io.EOF {
		return explain(file, err)
	}
	switch {
	case dataset.IsPicture(head):
		d, err := readPicture(file, all, whole)
		if err != nil {
			return fmt.Errorf("%s: %w", files.Shown(file), err)
		}
		return each(d, nil)
	case !ink.Begins(head):
		return fmt.Errorf("%s: this is neither a picture nor ink; choose a file of one of PNG, JPEG, GIF, WebP, %s", files.Shown(file), ink.Names())
	}
	return readInk(file, all, whole, each)
}

func readPicture(file string, r io.Reader, whole bool) (drawing, error) {
	img, err := dataset.DecodePicture(r, whole)
	if err == nil && !whole {
		img, err = ink.Normalize(img)
	}
	return drawing{file: file, image: img}, err
}

func readInk(file string, r io.Reader, asLine bool, each eachDrawing) error {
	n := 0
	err := ink.Each(r, func(s ink.Labelled) error {
		n++
		d := drawing{file: file, sample: n, label: s.Label, ink: s.Ink}
		err := line.Check(s.Ink)
		if err != nil && (asLine || errors.Is(err, ink.ErrEmpty)) {
			return each(d, fmt.Errorf("%s: %w", d.name(), err))
		}
		return each(d, nil)
	})
	if err == nil && n == 0 {
		err = ink.ErrEmpty
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", files.Shown(file), files.Cause(err))
	}
	return err
}

// explain turns the system's errors on files into a sentence that says what to do.
func explain(file string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no such file; check the name", files.Shown(file))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: reading is not permitted; change its permissions", files.Shown(file))
	}
	return fmt.Errorf("%s: %w", files.Shown(file), files.Cause(err))
}
