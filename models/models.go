// Package models holds the models that ship with Inkshade, embedded into the program.
package models

import (
	"embed"
	_ "embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed *.md *.onnx
var files embed.FS

// embedding names the network by which drawings are compared; it answers nothing, and nobody chooses it.
const embedding = "embedding"

// Embedding gives the ONNX file of the network by which drawings are compared.
func Embedding() []byte {
	data, err := Open(embedding)
	if err != nil {
		panic("models: " + err.Error())
	}
	return data
}

// Words names the model that reads whole lines of writing; what asks for single characters cannot choose it.
const Words = "words"

// Ships tells whether a model of that name, or that a name of a kind means, is part of the program.
func Ships(name string) bool { return name == Words || slices.Contains(Names(), Named(name)) }

// Names lists the shipped models of single characters, sorted.
func Names() []string {
	paths, err := fs.Glob(files, "*.onnx")
	if err != nil {
		panic("models: " + err.Error())
	}
	var names []string
	for _, p := range paths {
		if name := strings.TrimSuffix(p, ".onnx"); name != embedding && name != Words {
			names = append(names, name)
		}
	}
	return names
}

// All lists the shipped models: those of single characters, and that of lines.
func All() []string { return append(Names(), Words) }

// best is the best model of each kind, which goes by the name of the kind.
var best = map[string]string{"digits": "digits-cnn", "characters": "characters-cnn", "chinese": "chinese-cnn"}

// Kinds lists the names of kinds, sorted.
func Kinds() []string { return slices.Sorted(maps.Keys(best)) }

// Named is the model that a name means: the best one where it is that of a kind, such as digits;
// else the name itself, which may be no shipped model's.
func Named(name string) string {
	if full, ok := best[name]; ok {
		return full
	}
	return name
}

// Open gives the ONNX file of a shipped model.
func Open(name string) ([]byte, error) { return read(name, ".onnx") }

// Card gives the model card, Markdown, of a shipped model.
func Card(name string) ([]byte, error) { return read(name, ".md") }

func read(name, extension string) ([]byte, error) {
	data, err := files.ReadFile(name + extension)
	if err != nil {
		return nil, fmt.Errorf("no model called %q ships with Inkshade; there are: %s", name, strings.Join(Names(), ", "))
	}
	return data, nil
}

//go:embed symbols.tsv
var symbolTable string

// Symbol is what LaTeX prints for a label of the model symbols.
type Symbol struct {
	Command string // as it is typed
	Package string // that has the command; "" for LaTeX itself
	Sign    string // the same in Unicode; "" where there is none
	Drawing string // a character of assets.Symbols alone that shows how people draw it; "" where there is a Sign, or none
}

// Symbols gives the symbols by their labels: the command, followed by its package where two have one of that name.
var Symbols = sync.OnceValue(func() map[string]Symbol {
	symbols := map[string]Symbol{}
	for _, line := range strings.Split(strings.TrimSuffix(symbolTable, "\n"), "\n")[1:] {
		c := strings.Split(line, "\t")
		symbols[c[0]] = Symbol{Command: c[1], Package: c[2], Sign: c[3], Drawing: c[4]}
	}
	return symbols
})

// Signs gives what LaTeX prints in Unicode by the commands, of those that have a sign.
var Signs = sync.OnceValue(func() map[string]string {
	signs := map[string]string{}
	for _, s := range Symbols() {
		if s.Sign != "" {
			signs[s.Command] = s.Sign // packages that have one command print one sign
		}
	}
	return signs
})
