package dataset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
)

type kind int

const (
	kindInk kind = iota
	kindIDXImages
	kindIDXLabels
	kindPicture
	kindOtherIDX
)

// kindOf looks at the beginning of a file; what is nothing else is taken for ink, whose
// readers say what is wrong.
func kindOf(path string) (kind, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	b, err := files.Unzip(f)
	if err != nil {
		return 0, err
	}
	head, err := b.Peek(magicSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	switch {
	case strings.HasPrefix(string(head), "\x00\x00\x08\x03"):
		return kindIDXImages, nil
	case strings.HasPrefix(string(head), "\x00\x00\x08\x01"):
		return kindIDXLabels, nil
	case IsPicture(head):
		return kindPicture, nil
	case len(head) > 4 && head[0] == 0 && head[1] == 0 && head[2] >= 8 && head[2] <= 14:
		return kindOtherIDX, nil
	}
	return kindInk, nil
}

// planFolder reads the pictures of class folders or, where there is no folder within, the
// ink files.
func planFolder(path string) ([]job, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var jobs []job
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			class := filepath.Join(path, e.Name())
			jobs = append(jobs, job{class, func(context.Context) ([]draft, error) { return readPictures(class) }})
		}
	}
	if len(jobs) > 0 {
		return jobs, nil
	}
	for _, e := range entries {
		if ink.NamesInk(e.Name()) {
			file := filepath.Join(path, e.Name())
			jobs = append(jobs, job{file, func(ctx context.Context) ([]draft, error) { return readInk(ctx, file, files.Open) }})
		}
	}
	if len(jobs) == 0 {
		return nil, fmt.Errorf("the folder holds neither a folder for each class nor ink files (%s, also %s)", ink.NewEndings(), ink.Zipped)
	}
	return jobs, nil
}

func readPictures(class string) ([]draft, error) {
	paths, err := PicturesIn(class)
	if err != nil {
		return nil, err
	}
	label := LabelOfFolder(filepath.Base(class))
	var drafts []draft
	for _, file := range paths {
		drafts = append(drafts, draft{
			sample:  Sample{Label: label, Source: class},
			number:  len(drafts) + 1,
			picture: func() (ink.Image, error) { return readPicture(file) },
		})
	}
	if len(drafts) == 0 {
		return nil, errors.New("the folder of this class holds no .png, .jpg, .gif or .webp picture; remove it or fill it")
	}
	return drafts, nil
}

// PicturesIn lists the files in a folder, in order, whose names are those of pictures.
func PicturesIn(folder string) (paths []string, err error) {
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if !e.IsDir() && NamesPicture(e.Name()) {
			paths = append(paths, filepath.Join(folder, e.Name()))
		}
	}
	return paths, err
}

// PictureEndings are those of the names of pictures that are read.
var PictureEndings = []string{".png", ".jpg", ".jpeg", ".gif", ".webp"}

// NamesPicture tells whether a file of that name should be a picture.
func NamesPicture(path string) bool {
	return slices.Contains(PictureEndings, strings.ToLower(filepath.Ext(path)))
}

// magicSize is how many bytes at the beginning of a file IsPicture looks at.
const magicSize = 12

// IsPicture knows pictures by the first twelve bytes of their file.
func IsPicture(head []byte) bool {
	for _, magic := range []string{"\x89PNG", "\xff\xd8\xff", "GIF8"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	return len(head) >= magicSize && string(head[:4]) == "RIFF" && string(head[8:magicSize]) == "WEBP"
}

func readPicture(path string) (img ink.Image, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", files.Shown(filepath.Base(path)), err)
		}
	}()
	f, err := files.Open(path)
	if err != nil {
		return img, files.Cause(err)
	}
	defer f.Close()
	if img, err = DecodePicture(f, false); err != nil {
		return img, err
	}
	return ink.Normalize(img)
}

// LabelOfFolder is the label a class folder stands for, FolderOfLabel undone.
func LabelOfFolder(name string) string {
	if label, err := url.PathUnescape(name); err == nil {
		return label
	}
	return name
}

// FolderOfLabel is a name for the class's folder that every file system takes and keeps
// apart: small letters and digits stay, all else, capitals too, is escaped as in URLs.
func FolderOfLabel(label string) string {
	var b strings.Builder
	for _, c := range []byte(label) {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
