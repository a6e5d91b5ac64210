package ink

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"golang.org/x/text/encoding/unicode"

	"inkshade/glcompute/message"
	"inkshade/recognizer/files"
)

// Read reads an ink file in any of the Formats, told apart by its content,
// plain or gzip'ed. UTF-16 is read where the file begins with its mark.
func Read(r io.Reader) ([]Labelled, error) { return collect(r, Each) }

// collect gives all samples of which each tells, none with an error.
func collect(r io.Reader, each func(io.Reader, func(Labelled) error) error) ([]Labelled, error) {
	var all []Labelled
	err := each(r, func(s Labelled) error {
		all = append(all, s)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// Each is Read that hands over one sample after the other, those of JSON Lines as soon as their
// line is read: then the memory it takes does not grow with the file. An error of f ends it.
func Each(r io.Reader, f func(Labelled) error) error {
	b, err := files.Unzip(r)
	if err != nil {
		return err
	}
	head, err := b.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if bytes.HasPrefix(head, []byte(marks[0])) || bytes.HasPrefix(head, []byte(marks[1])) {
		utf16 := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM)
		b = bufio.NewReaderSize(utf16.NewDecoder().Reader(b), 1<<16)
		if head, err = b.Peek(512); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
	if head = start(head); len(head) == 0 {
		return message.Errorf("the file is empty; choose one that holds ink")
	}
	format, known := beginning(head)
	if !known {
		return message.Errorf("the file holds no ink that can be read; expected %s", Names())
	}
	return format.Read(b, f)
}

// marks are those of UTF-16, at the beginning of a file, in both orders of bytes.
var marks = [...]string{"\xff\xfe", "\xfe\xff"}

// start is the beginning of a file without a mark of UTF-8 and white space.
func start(head []byte) []byte { return bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff"))) }

// Begins tells whether a file may hold ink that begins like this, plain or gzip'ed.
func Begins(head []byte) bool {
	for _, start := range []string{"\x1f", marks[0], marks[1]} {
		if bytes.HasPrefix(head, []byte(start)) {
			return true
		}
	}
	head = start(head)
	_, known := beginning(head)
	return len(head) == 0 || known
}
