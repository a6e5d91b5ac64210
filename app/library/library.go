// Package library keeps the models that a person has imported, as files that say themselves how they
// are fed, in a folder beside the samples.
package library

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"inkshade/models"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/samples"
)

// Library is the folder of the imported models, which need not exist.
type Library struct{ folder string }

const ending = ".onnx"

// Open gives the library of a data folder; see samples.Dir.
func Open(dataDir string) (Library, error) {
	dir, err := samples.Dir(dataDir)
	return Library{filepath.Join(dir, "models")}, err
}

// Names lists the imported models, sorted.
func (l Library) Names() ([]string, error) {
	entries, err := os.ReadDir(l.folder)
	if samples.Absent(err) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ending); ok && !e.IsDir() && check(name) == nil {
			names = append(names, name)
		}
	}
	return names, err
}

// Path gives the file of an imported model; ok is false where there is none of that name.
func (l Library) Path(name string) (path string, ok bool) {
	names, _ := l.Names()
	return filepath.Join(l.folder, name+ending), slices.Contains(names, name)
}

// Resolve gives what recognizer.LoadModel takes for the name of a shipped model, that of an imported
// one, or a file.
func (l Library) Resolve(nameOrPath string) string {
	if path, ok := l.Path(nameOrPath); ok {
		return path
	}
	return nameOrPath
}

// NameOf is the inverse of Resolve.
func (l Library) NameOf(resolved string) string {
	if name := strings.TrimSuffix(filepath.Base(resolved), ending); l.Resolve(name) == resolved {
		return name
	}
	return resolved
}

// longest is the most bytes of a name.
const longest = 100

// devices are names that Windows keeps for itself, whatever ending follows.
var devices = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)

// PlainName tells whether a file or folder can have the name on every system.
func PlainName(name string) bool {
	bad := func(r rune) bool { return !unicode.IsPrint(r) || strings.ContainsRune(`/\:*?"<>|@`, r) }
	return name != "" && len(name) <= longest && strings.TrimSpace(name) == name && !strings.HasPrefix(name, ".") &&
		!strings.HasSuffix(name, ".") && !strings.ContainsFunc(name, bad) && !devices.MatchString(name)
}

// check reports a name that no imported model can have: it is plain, and that of no other model.
func check(name string) error {
	switch {
	case slices.Contains(models.Names(), models.Named(name)):
		return fmt.Errorf("a model called %s ships with Inkshade; choose another name", name)
	case !PlainName(name) || strings.HasSuffix(name, ending):
		return fmt.Errorf("use a short name of letters, digits, spaces, - and _; %s cannot be the name of a model", ink.Shown(name))
	}
	return nil
}

// free gives the file of a name that no model has yet.
func (l Library) free(name string) (path string, err error) {
	if err := check(name); err != nil {
		return "", err
	}
	path, taken := l.Path(name)
	if taken {
		return "", fmt.Errorf("there is an imported model called %s already; remove it or choose another name", name)
	}
	return path, nil
}

// Check reports a name that a new model cannot have.
func (l Library) Check(name string) error {
	_, err := l.free(name)
	return err
}

// Add keeps a model under a new name.
func (l Library) Add(name string, m *nn.Model) error {
	return l.add(name, func(w io.Writer) error { return onnx.Write(w, m) })
}

// AddFile keeps the file of another library's model under a new name.
func (l Library) AddFile(name string, data []byte) error {
	return l.add(name, contentOf(data))
}

func (l Library) add(name string, content func(io.Writer) error) error {
	path, err := l.free(name)
	if err != nil {
		return err
	}
	return l.write(path, content)
}

// write makes a file of the library whole or not at all.
func (l Library) write(path string, content func(io.Writer) error) error {
	if err := samples.MakeDir(l.folder); err != nil {
		return err
	}
	return samples.WriteWhole(path, content)
}

// Remove removes an imported model. As long as the program runs restore brings it back.
func (l Library) Remove(name string) (restore func() error, err error) {
	path, restore, err := l.backup(name)
	if err != nil {
		return nil, err
	}
	return restore, os.Remove(path)
}

// Replace puts another model in the place of an imported one; restore takes that back.
func (l Library) Replace(name string, m *nn.Model) (restore func() error, err error) {
	path, restore, err := l.backup(name)
	if err != nil {
		return nil, err
	}
	return restore, l.write(path, func(w io.Writer) error { return onnx.Write(w, m) })
}

// backup reads the file of an imported model, which restore writes again.
func (l Library) backup(name string) (path string, restore func() error, err error) {
	path, ok := l.Path(name)
	if !ok {
		return "", nil, notImported(name)
	}
	data, err := os.ReadFile(path)
	return path, func() error { return l.write(path, contentOf(data)) }, err
}

func contentOf(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

func notImported(name string) error {
	return fmt.Errorf("no model called %s was imported", ink.Shown(name))
}
