// Package models holds the models that ship with Inkshade, embedded into the program.
package models

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed *.md *.onnx
var files embed.FS

// Names lists the shipped models, sorted.
func Names() []string {
	paths, err := fs.Glob(files, "*.onnx")
	if err != nil {
		panic("models: " + err.Error())
	}
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = strings.TrimSuffix(p, ".onnx")
	}
	return names
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
