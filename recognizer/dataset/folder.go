package dataset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
)

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
	f, err := files.Open(path)
	if err == nil {
		defer f.Close()
		if img, err = DecodePicture(f, false); err == nil {
			img, err = ink.Normalize(img)
		}
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", files.Shown(filepath.Base(path)), files.Cause(err))
	}
	return img, err
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
