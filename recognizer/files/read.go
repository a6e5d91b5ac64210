// Package files reads and writes files of people: unzipped, ended by a context, whole or not at all, and said in messages.
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
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"

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
			return context.Cause(ctx)
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
func Reader(ctx context.Context, r io.Reader, read func(bytes int)) Of {
	came := 0
	return Of{File: r, Reader: reading(func(p []byte) (int, error) {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		n, err := r.Read(p)
		if came += n; read != nil {
			read(came)
		}
		return n, err
	})}
}

// Of is a reader of what comes from a file.
type Of struct {
	io.Reader
	File io.Reader
}

// Size is how many bytes the regular file has that r reads, 0 where it reads no such file.
func Size(r io.Reader) int {
	switch r := r.(type) {
	case Of:
		return Size(r.File)
	case *os.File:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return int(info.Size())
		}
	}
	return 0
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
	z.Multistream(false)
	return bufio.NewReaderSize(reading(func(p []byte) (int, error) { // which says what to do with a file that cannot be read on
		n, err := z.Read(p)
		ended := err == io.EOF // a part, behind which another may stand
		if ended {
			err = z.Reset(b)
			z.Multistream(false)
		}
		_, corrupt := errors.AsType[flate.CorruptInputError](err)
		switch {
		case ended && (errors.Is(err, gzip.ErrHeader) || errors.Is(err, io.ErrUnexpectedEOF)):
			err = message.Errorf("something stands behind the end of the gzip file; unzip it and use what that gives")
		case errors.Is(err, io.ErrUnexpectedEOF):
			err = message.Errorf("the gzip file ends early; get it again")
		case errors.Is(err, gzip.ErrChecksum), corrupt:
			err = message.Errorf("the gzip file is damaged (%w); get it again", err)
		}
		return n, err
	}), 1<<16), nil
}

// passing begins the name of a file while it is written; a number ends it.
const passing = ".inkshade-"

// WriteWhole writes a file beside its place and moves it there when it is on disk; a link stays, and leads to the new file. What
// is Special is written into.
func WriteWhole(path string, write func(io.Writer) error) error { return put(path, 0o600, write) }

// WriteShared is WriteWhole for a file that everybody may read.
func WriteShared(path string, write func(io.Writer) error) error { return put(path, 0o644, write) }

func put(path string, mode fs.FileMode, write func(io.Writer) error) error {
	if Special(path) {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	path, err := Followed(path)
	if err != nil {
		return err
	}
	Sweep(filepath.Dir(path), passing+filepath.Base(path)+"-")
	f, err := os.CreateTemp(filepath.Dir(path), passing+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(write(f), f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// Followed is the place that a link leads to, so that it stays a link when that is replaced; one that leads nowhere is an error. What
// is no link is its own place.
func Followed(path string) (string, error) {
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return path, nil
	}
	return filepath.EvalSymlinks(path)
}

// Special tells whether a path leads to something that is neither a file nor a folder: a device, a pipe.
func Special(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// Sweep removes from a folder what a kill has left there: files and folders whose names are the prefix, which is ours alone, and a
// number, of an hour ago, since nothing takes so long.
func Sweep(folder, prefix string) {
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		number, ours := strings.CutPrefix(e.Name(), prefix)
		if _, err := strconv.ParseUint(number, 10, 64); !ours || err != nil {
			continue
		}
		if info, err := e.Info(); err == nil && info.ModTime().Before(time.Now().Add(-time.Hour)) {
			_ = os.RemoveAll(filepath.Join(folder, e.Name()))
		}
	}
}

// Writer is w until ctx ends, whose error it then fails with.
func Writer(ctx context.Context, w io.Writer) io.Writer {
	return writing(func(p []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return w.Write(p)
	})
}

type writing func(p []byte) (int, error)

func (w writing) Write(p []byte) (int, error) { return w(p) }

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
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return link.Err
	}
	return err
}

// Absent tells of the error of a folder whether that is not there; a file may be in its place.
func Absent(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }
