package samples

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// ExportFile writes the samples that f chooses into a file of the format that its name stands for (FormatOf), gzip'ed
// when it ends in .gz, or for a name without an ending into a folder of pictures (ExportFolder). The file takes its
// place when it is whole: on an error what was there before stays.
func (s *Store) ExportFile(path string, f Filter) (n int, err error) {
	format, ok := FormatOf(path)
	if !ok {
		if filepath.Ext(path) != "" {
			return 0, fmt.Errorf("cannot export to %s: end its name in .jsonl, .inkml or .unipen, or name a folder for pictures", path)
		}
		return s.ExportFolder(path, f)
	}
	err = writeWhole(path, func(w io.Writer) (err error) {
		if strings.HasSuffix(strings.ToLower(path), ".gz") {
			z := gzip.NewWriter(w)
			if n, err = s.Export(z, format, f); err != nil {
				return err
			}
			return z.Close()
		}
		n, err = s.Export(w, format, f)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("cannot export to %s: %w", path, err)
	}
	return n, nil
}

// ImportFile imports an ink file, as Import does, or a folder of pictures, as ImportFolder does.
func (s *Store) ImportFile(path string) (Imported, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Imported{}, fmt.Errorf("cannot import: %w", err)
	}
	if info.IsDir() {
		return s.ImportFolder(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return Imported{}, fmt.Errorf("cannot import: %w", err)
	}
	defer f.Close()
	result, err := s.Import(f)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return result, err
}

// writeWhole writes a file beside its place and moves it there when it is on disk.
func writeWhole(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
