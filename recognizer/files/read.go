package files

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"inkshade/glcompute/message"
)

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

// Open opens a regular file. Another, such as a pipe that nobody writes to, is an error: reading it may never end.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: message.Errorf("this is no file but a folder, a pipe or a device")}
	}
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

// Reader is r until ctx ends, whose cause it then fails with; read, which may be nil, is told how many bytes came so far.
func Reader(ctx context.Context, r io.Reader, read func(bytes int)) io.Reader {
	came := 0
	return reading(func(p []byte) (int, error) {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		n, err := r.Read(p)
		if came += n; read != nil {
			read(came)
		}
		return n, err
	})
}

// reading is a reader that is one function.
type reading func(p []byte) (int, error)

func (r reading) Read(p []byte) (int, error) { return r(p) }

// Unzip returns what r holds, unzipped when it begins like a gzip file.
func Unzip(r io.Reader) (*bufio.Reader, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	if magic, _ := b.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return b, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, message.Errorf("the file begins like gzip but cannot be unzipped (%w); get it again", err)
	}
	return bufio.NewReaderSize(reading(func(p []byte) (int, error) { // which says what to do with a file that cannot be read on
		n, err := z.Read(p)
		var corrupt flate.CorruptInputError
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF):
			err = message.Errorf("the gzip file ends early; get it again")
		case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &corrupt):
			err = message.Errorf("the gzip file is damaged (%w); get it again", err)
		}
		return n, err
	}), 1<<16), nil
}
