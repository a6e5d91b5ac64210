package ink

import (
	"bytes"
	"errors"
	"io"
)

// Read reads an ink file in any of the formats, told apart by its content: JSON Lines,
// UNIPEN or InkML, plain or gzip'ed.
func Read(r io.Reader) ([]Labelled, error) {
	b, err := Unzip(r)
	if err != nil {
		return nil, err
	}
	head, err := b.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
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
