package setting

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"sync"

	"inkshade/recognizer/files"
)

// Files keep each value in a file of its own, which is read whenever it is asked for: a program that is open beside others changes
// what is set in it and nothing else, and they all see it. Those of a toolkit are one file, of which each program that it is open in
// has a copy, and which it writes whole.
type Files struct {
	dir     string
	former  Preferences
	unsaved sync.Map // values that could not be written, by their key
}

// InFiles gives the values in a folder, which is made when the first is set; former has those that were never set there.
func InFiles(dir string, former Preferences) *Files { return &Files{dir: dir, former: former} }

// StringWithFallback and those below implement [Preferences].
func (f *Files) StringWithFallback(key, fallback string) string {
	return valueOf(f, key, f.former.StringWithFallback, fallback)
}

func (f *Files) FloatWithFallback(key string, fallback float64) float64 {
	return valueOf(f, key, f.former.FloatWithFallback, fallback)
}

func (f *Files) BoolWithFallback(key string, fallback bool) bool {
	return valueOf(f, key, f.former.BoolWithFallback, fallback)
}

func (f *Files) SetString(key, value string)        { f.set(key, value) }
func (f *Files) SetFloat(key string, value float64) { f.set(key, value) }
func (f *Files) SetBool(key string, value bool)     { f.set(key, value) }

func (f *Files) path(key string) string { return filepath.Join(f.dir, key+".json") }

func valueOf[T string | float64 | bool](f *Files, key string, former func(string, T) T, fallback T) T {
	if value, ok := f.unsaved.Load(key); ok {
		return value.(T)
	}
	var value T
	if text, err := os.ReadFile(f.path(key)); err == nil && json.Unmarshal(text, &value) == nil {
		return value
	}
	return former(key, fallback)
}

// set keeps a value in memory where it cannot be written, on a full disk, say.
func (f *Files) set(key string, value any) {
	text, err := json.Marshal(value)
	if err == nil {
		err = os.MkdirAll(f.dir, 0o700)
	}
	if err == nil {
		err = files.WriteWhole(f.path(key), func(w io.Writer) error { _, err := w.Write(text); return err })
	}
	if err != nil {
		f.unsaved.Store(key, value)
	} else {
		f.unsaved.Delete(key)
	}
}
