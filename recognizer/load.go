package recognizer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"inkshade/models"
	"inkshade/recognizer/nn"
)

// LoadModel opens a model that ships with Inkshade by its name, or any other by the path
// of its ONNX file.
func LoadModel(nameOrPath string) (*nn.Model, error) {
	if slices.Contains(models.Names(), nameOrPath) {
		data, err := models.Open(nameOrPath)
		if err != nil {
			return nil, err
		}
		return readModel(nameOrPath, bytes.NewReader(data))
	}
	f, err := os.Open(nameOrPath)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no model called %q and no such file; models that ship with Inkshade: %s",
			nameOrPath, strings.Join(models.Names(), ", "))
	}
	if err != nil {
		return nil, fmt.Errorf("opening the model: %w", err)
	}
	defer f.Close()
	return readModel(nameOrPath, f)
}

func readModel(name string, r io.Reader) (*nn.Model, error) {
	m, err := nn.ReadONNX(r)
	if err != nil {
		return nil, fmt.Errorf("the model %s: %w", name, err)
	}
	return m, nil
}
