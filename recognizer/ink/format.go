package ink

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// Format is a format of ink files. All that reads, writes or offers ink files learns of it from here; what there is to know of
// one lies in its own file, which registers it.
type Format struct {
	Name    string   // as people know it
	MIME    string   // that the installed program claims; "" where it belongs to others
	Endings []string // of its files' names, in small letters; the first one is for new files
	Shared  []string // endings that files of other kinds have, too: not looked for in a folder, and not claimed

	Prefix string // what its files begin with, after white space
	Read   func(r io.Reader, f func(Labelled) error) error
	Write  func(w io.Writer, samples []Labelled) error // keeps all that Read has read
}

// formats has the default first.
var formats []Format

// defaultFormat is the name of the format that is offered first.
const defaultFormat = "JSON Lines"

// Register makes a format known.
func Register(f Format) {
	at := len(formats)
	if f.Name == defaultFormat {
		at = 0
	}
	formats = slices.Insert(formats, at, f)
}

// Formats lists all formats, the one to offer first at the beginning.
func Formats() []Format { return slices.Clone(formats) }

// Names are those of all formats, in one line.
func Names() string { return listed(func(f Format) string { return f.Name }) }

// NewEndings are those of new files, in one line.
func NewEndings() string { return listed(func(f Format) string { return f.Endings[0] }) }

func listed(of func(Format) string) string {
	var all []string
	for _, f := range formats {
		all = append(all, of(f))
	}
	return strings.Join(all, ", ")
}

// Zipped is the ending of gzip'ed files, behind another one.
const Zipped = ".gz"

// FormatOf finds the format that a file's name ends in, with or without Zipped.
func FormatOf(name string) (f Format, known bool) {
	ending := endingOf(name)
	i := slices.IndexFunc(formats, func(f Format) bool { return slices.Contains(f.Endings, ending) || slices.Contains(f.Shared, ending) })
	if ending == "" || i < 0 {
		return f, false
	}
	return formats[i], true
}

// NamesInk tells whether the files of some format alone have such a name.
func NamesInk(name string) bool {
	f, known := FormatOf(name)
	return known && slices.Contains(f.Endings, endingOf(name))
}

// endingOf is that of a file's name without Zipped.
func endingOf(name string) string {
	return filepath.Ext(strings.TrimSuffix(strings.ToLower(name), Zipped))
}

// Endings are those that a file of ink may have when a person names it.
func Endings() (all []string) {
	for _, f := range formats {
		all = slices.Concat(all, f.Endings, f.Shared)
	}
	return append(all, Zipped)
}

// beginning finds the format of a file by its beginning, without white space.
func beginning(head []byte) (f Format, known bool) {
	for _, f := range formats {
		if bytes.HasPrefix(head, []byte(f.Prefix)) {
			return f, true
		}
	}
	return f, false
}

// whole is the reader of a format whose files are read as a whole.
func whole(read func(io.Reader) ([]Labelled, error)) func(io.Reader, func(Labelled) error) error {
	return func(r io.Reader, f func(Labelled) error) error {
		all, err := read(r)
		for _, s := range all {
			if err = f(s); err != nil {
				break
			}
		}
		return err
	}
}
