// Package docs holds no program: its test keeps the rules of architecture.md true.
package docs

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
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

// order lists the packages of a room; each stands on those before it and knows none after it.
var order = map[string][]string{
	"app": {
		"app/locale", "app/clipboard", "app/state/setting", "app/state/device", "app/state",
		"app/ui/language", "app/ui/widget", "app/ui/glyph", "app/ui/worker", "app/ui/page",
		"app/ui/draw", "app/ui/latency", "app/ui/models", "app/ui/samples", "app/ui/settings", "app/ui/train", // pages; see TestNoPageImportsAPage
		"app/ui", "app/panel/keyboard", "app/panel", "app/cli", "app",
	},
	"glcompute": {
		"glcompute/clock", "glcompute/message",
		// The vocabulary knows no executor.
		"glcompute/expr", "glcompute/internal/program", "glcompute/compare",
		"glcompute/internal/check", "glcompute/internal/cache", "glcompute/cpu",
		"glcompute/glcontext", "glcompute/internal/gldevice", "glcompute/internal/glops",
		"glcompute/fragment", "glcompute/compute",
		"glcompute",
	},
	"recognizer": {
		"recognizer/budget", "recognizer/files", "recognizer/ink", "recognizer/dataset", "recognizer/feature", "recognizer/line", "recognizer/nn",
		"recognizer/nn/onnx/internal/onnxpb", "recognizer/nn/onnx/internal/graph", "recognizer/nn/onnx",
		"recognizer/embedding", "recognizer/prototype", "recognizer/inputformat",
		"recognizer", // who only recognises links nothing of what follows: what learns, measures and stores
		"recognizer/samples", "recognizer/mislabelled", "recognizer/train", "recognizer/lvq", "recognizer/calibrate",
		"recognizer/personal", "recognizer/bench",
	},
}

// forTests are packages that several tests share: nothing else imports them.
var forTests = []string{"glcompute/internal/check/checktest", "glcompute/internal/glbench", "recognizer/nn/nntest", "recognizer/budget/budgettest", "recognizer/dataset/datatest", "app/ui/uitest", "app/ui/pagetest"}

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
			if strings.HasPrefix(path, "app/state/") && (strings.HasPrefix(imported, "fyne.io/") || imported == module+"app/ui" || imported == module+"app/cli") {
				t.Errorf("%s imports %s; window and command line stand on the state, not the other way round", path, imported)
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

// Rooms that the page shows are there, and those that are there are shown, but for what tests share and the parts of the room for ONNX.
func TestThePageShowsTheRooms(t *testing.T) {
	tree := regexp.MustCompile("(?s)## The rooms\n\n```\n(.*?)```").FindStringSubmatch(read(t, "architecture.md"))
	if tree == nil {
		t.Fatal("no rooms are shown")
	}
	shown := map[string]bool{}
	var above []string // the room in which rooms of each depth lie
	for line := range strings.Lines(tree[1]) {
		names := regexp.MustCompile(`^( *)((?:[a-z]+/ ?)+)(?: |\n)`).FindStringSubmatch(line)
		if names == nil || len(names[1])%2 != 0 || len(names[1])/2 > len(above) {
			continue // a text goes on
		}
		above = above[:len(names[1])/2]
		for _, name := range strings.Fields(names[2]) {
			name = strings.Join(above, "") + name
			shown[strings.TrimSuffix(name, "/")] = true
			if stat, err := os.Stat("../" + name); err != nil || !stat.IsDir() {
				t.Errorf("there is no %s", name)
			}
		}
		above = append(above, strings.Fields(names[2])[0])
	}
	eachGoFile(t, func(path string, _ []byte) {
		dir := filepath.ToSlash(filepath.Dir(path))
		part := strings.HasPrefix(dir, "recognizer/nn/onnx/internal/")
		if !shown[dir] && dir != "." && dir != "docs" && !part && !slices.Contains(forTests, dir) {
			t.Errorf("architecture.md does not show %s", dir)
			shown[dir] = true
		}
	})
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

func TestPackagesStandInOrder(t *testing.T) {
	eachGoFile(t, func(path string, source []byte) {
		dir := filepath.ToSlash(filepath.Dir(path))
		room, _, _ := strings.Cut(dir, "/")
		packages, ordered := order[room]
		if !ordered || strings.HasSuffix(path, "_test.go") || slices.Contains(forTests, dir) {
			return
		}
		place := slices.Index(packages, dir)
		if place < 0 {
			t.Errorf("%s: the package has no place in the order", path)
		}
		for _, imported := range imports(t, path, source) {
			inside := strings.TrimPrefix(imported, module)
			if at := slices.Index(packages, inside); at > place {
				t.Errorf("%s imports %s, which stands above it", path, imported)
			}
		}
	})
}

// Pages meet in the frame of the window alone.
func TestNoPageImportsAPage(t *testing.T) {
	all := order["app"]
	pages := all[slices.Index(all, "app/ui/page")+1 : slices.Index(all, "app/ui")]
	eachGoFile(t, func(path string, source []byte) {
		dir := filepath.ToSlash(filepath.Dir(path))
		if !slices.Contains(pages, dir) {
			return
		}
		for _, imported := range imports(t, path, source) {
			if other := strings.TrimPrefix(imported, module); other != dir && slices.Contains(pages, other) {
				t.Errorf("%s imports %s; a page knows no other", path, imported)
			}
		}
	})
}

func TestOnlyTestsImportWhatIsForTests(t *testing.T) {
	eachGoFile(t, func(path string, source []byte) {
		if strings.HasSuffix(path, "_test.go") || slices.Contains(forTests, filepath.ToSlash(filepath.Dir(path))) {
			return
		}
		for _, imported := range imports(t, path, source) {
			if slices.Contains(forTests, strings.TrimPrefix(imported, module)) {
				t.Errorf("%s imports %s, which is for tests", path, imported)
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
