package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
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
		return ink.Shown(d.file)
	}
	return fmt.Sprintf("%s#%d", ink.Shown(d.file), d.sample)
}

// standardInput is the name that stands for what comes through a pipe.
const standardInput = "-"

// readDrawings reads a picture or an ink file by its content, whatever its name. Samples
// of an ink file that hold no ink are in bad, one error each. Pictures are normalised, as
// characters, unless they are left whole.
func readDrawings(file string, stdin io.Reader, whole bool) (good []drawing, bad []error, err error) {
	if file == standardInput {
		if good, bad, err = decodeDrawings(file, stdin, whole); err != nil {
			err = errors.New("standard input" + strings.TrimPrefix(err.Error(), standardInput))
		}
		return good, bad, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, explain(file, err)
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && st.IsDir() {
		return nil, nil, fmt.Errorf("%s is a folder; give the files in it, as %s", ink.Shown(file), ink.Shown(filepath.Join(file, "*")))
	}
	return decodeDrawings(file, f, whole)
}

func decodeDrawings(file string, r io.Reader, whole bool) (good []drawing, bad []error, err error) {
	head := make([]byte, 8)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, nil, explain(file, err)
	}
	head = head[:n]
	all := io.MultiReader(bytes.NewReader(head), r)
	switch {
	case isPicture(head):
		d, err := readPicture(file, all, whole)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", ink.Shown(file), err)
		}
		return []drawing{d}, nil, nil
	case n > 0 && !isInk(head):
		return nil, nil, fmt.Errorf("%s: this is neither a picture nor ink; choose a PNG, JPEG, GIF, JSON Lines, UNIPEN or InkML file", ink.Shown(file))
	}
	return readInk(file, all)
}

// isPicture knows the formats by their first bytes.
func isPicture(head []byte) bool {
	for _, magic := range []string{"\x89PNG", "\xff\xd8\xff", "GIF8"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	return false
}

// isInk tells whether the first bytes may be those of an ink file: text that begins like
// one of the formats, gzip, or the mark of UTF-16.
func isInk(head []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	return len(text) == 0 || bytes.IndexByte([]byte("{.<\x1f\xff\xfe"), text[0]) >= 0
}

func readPicture(file string, r io.Reader, whole bool) (drawing, error) {
	if whole {
		img, err := dataset.DecodeLine(r)
		return drawing{file: file, image: img}, err
	}
	img, err := dataset.DecodePicture(r)
	if err != nil {
		return drawing{}, err
	}
	img, err = ink.Normalize(img)
	return drawing{file: file, image: img}, err
}

func readInk(file string, r io.Reader) (good []drawing, bad []error, err error) {
	samples, err := ink.Read(r)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", ink.Shown(file), ink.Cause(err))
	}
	if len(samples) == 0 {
		return nil, nil, fmt.Errorf("%s: %w", ink.Shown(file), ink.ErrEmpty)
	}
	for i, s := range samples {
		d := drawing{file: file, sample: i + 1, label: s.Label, ink: s.Ink}
		if _, err := ink.Rasterize(s.Ink); err != nil {
			bad = append(bad, fmt.Errorf("%s: %w", d.name(), err))
			continue
		}
		good = append(good, d)
	}
	return good, bad, nil
}

// explain turns the system's errors on files into a sentence that says what to do.
func explain(file string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no such file; check the name", ink.Shown(file))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: reading is not permitted; change its permissions", ink.Shown(file))
	}
	return fmt.Errorf("%s: %w", ink.Shown(file), ink.Cause(err))
}
