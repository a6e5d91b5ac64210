package ink

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Shown is a label or a file's name as a message may show it: quoted where it holds line ends, escape sequences or anything else
// that a terminal would obey.
func Shown(text string) string {
	if strings.ContainsFunc(text, func(c rune) bool { return !strconv.IsPrint(c) && !unicode.Is(unicode.Zs, c) }) || !utf8.ValidString(text) {
		return strconv.Quote(text)
	}
	return text
}

// Cause takes the operation and the name out of the system's error on a file; a name may be one that was never given.
func Cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

// awaited is the time between two ticks of Await.
const awaited = 5 * time.Second

// Await waits for the work, calling tick, which may be nil, every five seconds, or for the
// end of the context, whose cause it returns and after which nothing of the work may be used:
// a pipe through which nothing comes does not end with its context.
func Await(ctx context.Context, tick, work func()) error {
	done, ticker := make(chan struct{}), time.NewTicker(awaited)
	defer ticker.Stop()
	go func() {
		defer close(done)
		work()
	}()
	for {
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
			if tick != nil {
				tick()
			}
		}
	}
}

// Unzip returns what r holds, unzipped when it begins like a gzip file.
func Unzip(r io.Reader) (*bufio.Reader, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	if magic, _ := b.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return b, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, fmt.Errorf("the file begins like gzip but cannot be unzipped (%w); get it again", err)
	}
	return bufio.NewReaderSize(unzipped{z}, 1<<16), nil
}

// unzipped says of a gzip file that cannot be read on what to do.
type unzipped struct{ from io.Reader }

func (u unzipped) Read(p []byte) (int, error) {
	n, err := u.from.Read(p)
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("the gzip file ends early; get it again")
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &corrupt):
		err = fmt.Errorf("the gzip file is damaged (%w); get it again", err)
	}
	return n, err
}

// lines reads text line by line, within bounds, and knows where it is.
type lines struct {
	scanner *bufio.Scanner
	number  int // of the line just read, from 1
	read    int
	err     error
}

func newLines(r io.Reader) (*lines, error) {
	b, err := Unzip(r)
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
			l.err = fmt.Errorf("reading stopped after line %d: %w", l.number, l.err)
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
	return fmt.Errorf("line %d %w", l.number, fmt.Errorf(format, args...))
}
