package ink

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"golang.org/x/text/encoding/unicode"
)

// Read reads an ink file in any of the formats, told apart by its content: JSON Lines,
// UNIPEN or InkML, plain or gzip'ed. UTF-16 is read where the file begins with its mark.
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
	b, err := Unzip(r)
	if err != nil {
		return err
	}
	head, err := b.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		utf16 := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM)
		b = bufio.NewReaderSize(utf16.NewDecoder().Reader(b), 1<<16)
		if head, err = b.Peek(512); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff")))
	var all []Labelled
	switch {
	case len(head) == 0:
		return errors.New("the file is empty; choose one that holds ink")
	case head[0] == '{':
		return eachJSONLine(b, f)
	case head[0] == '.':
		all, err = ReadUNIPEN(b)
	case head[0] == '<':
		all, err = ReadInkML(b)
	default:
		return errors.New("the file holds no ink that can be read; expected JSON Lines, UNIPEN or InkML")
	}
	for _, s := range all {
		if err = f(s); err != nil {
			break
		}
	}
	return err
}
