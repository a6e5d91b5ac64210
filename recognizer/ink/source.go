package ink

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"inkshade/glcompute/message"
	"inkshade/recognizer/files"
)

// lines reads text line by line, within bounds, and knows where it is.
type lines struct {
	scanner *bufio.Scanner
	number  int // of the line just read, from 1
	read    int
	err     error
}

func newLines(r io.Reader) (*lines, error) {
	b, err := files.Unzip(r)
	if err != nil {
		return nil, err
	}
	s := bufio.NewScanner(b)
	s.Buffer(make([]byte, 1<<16), maxLine)
	s.Split(splitLines)
	return &lines{scanner: s}, nil
}

// splitLines is a bufio.SplitFunc for lines that end in LF, CR LF or, as on old Macintoshes,
// CR alone.
func splitLines(data []byte, atEOF bool) (advance int, line []byte, err error) {
	end := bytes.IndexByte(data, '\n')
	if end < 0 {
		end = len(data)
	}
	switch cr := bytes.IndexByte(data[:end], '\r'); {
	case cr >= 0 && cr+1 < len(data) && data[cr+1] == '\n':
		return cr + 2, data[:cr], nil
	case cr >= 0 && (cr+1 < len(data) || atEOF):
		return cr + 1, data[:cr], nil
	case end < len(data):
		return end + 1, data[:end], nil
	case atEOF && len(data) > 0:
		return len(data), data, nil
	}
	return 0, nil, nil
}

// next reads a line without its end; text is valid until the following call.
func (l *lines) next() (text []byte, ok bool) {
	if l.err != nil {
		return nil, false
	}
	if !l.scanner.Scan() {
		l.err = l.scanner.Err()
		switch {
		case errors.Is(l.err, bufio.ErrTooLong):
			l.number++
			l.err = l.fail("is longer than %d bytes; this is no ink file, or it lost its line ends", maxLine)
		case l.err != nil:
			l.err = message.Errorf("reading stopped after line %d: %w", l.number, l.err)
		}
		return nil, false
	}
	l.number++
	text = l.scanner.Bytes()
	if l.number == 1 {
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
	}
	if l.read += len(text) + 1; l.read > maxText {
		l.err = l.fail("passes %d bytes of text, the most a file may hold; split it", maxText)
		return nil, false
	}
	return text, true
}

// fail makes an error that begins with the line's number.
func (l *lines) fail(format string, args ...any) error {
	return message.Errorf("line %d %w", l.number, message.Errorf(format, args...))
}
