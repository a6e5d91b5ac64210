// Package docs holds no program: its test keeps the rules of architecture.md true.
package docs

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "inkshade/"

// rooms says which rooms of this module each room may import, besides itself. The name of
// the module's root, which holds what the program says of itself, is empty.
var rooms = map[string][]string{
	"app":        {"recognizer", "glcompute", "models", "assets"},
	"recognizer": {"glcompute", "models", "assets"},
	"glcompute":  {},
	"models":     {},
	"assets":     {},
	"docs":       {},
	"":           {},
}

// vocabulary lists the packages at the bottom of glcompute: executors stand on them, and
// the root package opens the executors.
var vocabulary = []string{"program", "expr", "reference", "compare"}

func TestImportsRunOneWay(t *testing.T) {
	files := 0
	eachGoFile(t, func(path string, source []byte) {
		files++
		room, _, below := strings.Cut(path, "/")
		if !below {
			room = ""
		}
		allowed, known := rooms[room]
		if !known {
			t.Errorf("%s lies in no room of architecture.md", path)
			return
		}
		for _, imported := range imports(t, path, source) {
			if strings.HasPrefix(imported, "fyne.io/") && room != "app" {
				t.Errorf("%s imports %s; app alone knows the window", path, imported)
			}
			if strings.HasPrefix(path, "app/cli/") && (strings.HasPrefix(imported, "fyne.io/") || imported == module+"app/ui") {
				t.Errorf("%s imports %s; the command line works without a window", path, imported)
			}
			if !strings.HasPrefix(imported, module) {
				continue
			}
			target, _, _ := strings.Cut(strings.TrimPrefix(imported, module), "/")
			if target != room && !slices.Contains(allowed, target) {
				t.Errorf("%s imports %s; %s may import only %v", path, imported, room, allowed)
			}
		}
	})
	if files < 50 {
		t.Fatalf("found only %d files; is the test looking at the right folder?", files)
	}
}

// On Windows time.Now moves too seldom for what these rooms measure.
func TestShortTimesAreTakenByTheClock(t *testing.T) {
	eachGoFile(t, func(path string, source []byte) {
		measures := strings.HasPrefix(path, "glcompute/") || strings.HasPrefix(path, "recognizer/")
		if measures && !strings.HasSuffix(path, "_test.go") && strings.Contains(string(source), "time.Since(") {
			t.Errorf("%s takes a time with time.Since; clock.Since sees short ones on Windows too", path)
		}
	})
}

func TestVocabularyStandsOnNothing(t *testing.T) {
	eachGoFile(t, func(path string, source []byte) {
		dir := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "glcompute/")
		if !slices.Contains(vocabulary, dir) || strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, imported := range imports(t, path, source) {
			inside := strings.TrimPrefix(imported, module+"glcompute/")
			if strings.HasPrefix(imported, module) && !slices.Contains(vocabulary, inside) {
				t.Errorf("%s imports %s; the vocabulary knows no executor", path, imported)
			}
			if dir == "reference" && imported != "math" {
				t.Errorf("%s imports %s; the references import only math", path, imported)
			}
		}
	})
}

func eachGoFile(t *testing.T, visit func(path string, source []byte)) {
	t.Helper()
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		source, err := fs.ReadFile(root, path)
		if err == nil {
			visit(path, source)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func imports(t *testing.T, path string, source []byte) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, spec := range file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, p)
	}
	return paths
}
