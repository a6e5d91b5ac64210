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
func Read(r io.Reader) ([]Labelled, error) {
	b, err := Unzip(r)
	if err != nil {
		return nil, err
	}
	head, err := b.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		utf16 := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM)
		b = bufio.NewReaderSize(utf16.NewDecoder().Reader(b), 1<<16)
		if head, err = b.Peek(512); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
	}
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff")))
	switch {
	case len(head) == 0:
		return nil, errors.New("the file is empty; choose one that holds ink")
	case head[0] == '{':
		return ReadJSONLines(b)
	case head[0] == '.':
		return ReadUNIPEN(b)
	case head[0] == '<':
		return ReadInkML(b)
	}
	return nil, errors.New("the file holds no ink that can be read; expected JSON Lines, UNIPEN or InkML")
}
