package samples

import (
	"cmp"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"inkshade/glcompute/message"
	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
)

// ExportFile writes the samples that f chooses into a file of the format that its name ends in (ink.FormatOf), gzip'ed
// when it ends in .gz, or for a name without an ending into a folder of pictures (exportFolder). The file takes its
// place when it is whole: on an error, and when ctx ends, what was there before stays.
func (s *Store) ExportFile(ctx context.Context, path string, f Filter, progress Progress) (n int, err error) {
	format, known := ink.FormatOf(path)
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case known:
		err = files.WriteWhole(path, func(file io.Writer) (err error) {
			w := files.Writer(ctx, file)
			if !strings.HasSuffix(strings.ToLower(path), ink.Zipped) {
				n, err = s.export(w, format.Write, f, (*Sample).labelled)
				return cmp.Or(err, ctx.Err())
			}
			z := gzip.NewWriter(w)
			n, err = s.export(z, format.Write, f, (*Sample).labelled)
			return cmp.Or(err, z.Close(), ctx.Err())
		})
	case filepath.Ext(path) != "":
		return 0, message.Errorf("cannot export to %s: end its name in one of %s, or name a folder for pictures", files.Shown(path), ink.NewEndings())
	default:
		n, err = s.exportFolder(ctx, path, f, progress)
	}
	if err != nil {
		return 0, message.Errorf("cannot export to %s: %w", files.Shown(path), files.Cause(err))
	}
	return n, nil
}

// ImportFile imports what Find finds.
func (s *Store) ImportFile(ctx context.Context, path string, whose Whose, progress Progress) (Imported, error) {
	found, err := Find(ctx, path, progress)
	if err != nil {
		return Imported{}, err
	}
	return s.Import(ctx, found, whose, nil)
}

// Found is what was read of files and folders and is not stored.
type Found []candidate

// Find reads a folder of pictures, as findPictures does, or an ink file. A file that cannot be read as a whole gives nothing. progress, which may be nil, is told how
// many of how many bytes or pictures are read. When ctx ends first, the error is that of ctx.
func Find(ctx context.Context, path string, progress Progress) (found Found, err error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
	case info.IsDir():
		found, err = findPictures(ctx, path, progress)
	default:
		found, err = findInk(ctx, path, int(info.Size()), progress)
	}
	if err == nil || ctx.Err() != nil {
		return found, cmp.Or(ctx.Err(), err)
	}
	return nil, message.Errorf("cannot import %s: %w", files.Shown(path), files.Cause(err))
}

func findInk(ctx context.Context, path string, size int, progress Progress) (Found, error) {
	var all []ink.Labelled
	var err error // of the reading, which may go on after this has returned
	stopped := files.Await(ctx, nil, func() {
		var f *os.File
		if f, err = os.Open(path); err == nil {
			defer f.Close()
			all, err = ink.Read(files.Reader(ctx, f, func(read int) { progress.tell(read, size) }))
		}
	})
	if stopped != nil {
		return nil, stopped
	}
	return candidatesOf(all, path), err
}

// Nothing tells whether none of it can be stored, whoever wrote it.
func (f Found) Nothing() bool {
	return !slices.ContainsFunc(f, func(c candidate) bool {
		c.sample.Writer, c.sample.Time = "", time.Now()
		return c.problem == nil && c.sample.check() == nil
	})
}

// Progress is told how much of a long import or export is done; nil stands for nobody. It is called from one goroutine
// at a time.
type Progress func(done, all int)

func (p Progress) tell(done, all int) {
	if p != nil {
		p(done, all)
	}
}
