package recognizer

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"inkshade/models"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
)

// LoadModel opens a model that ships with Inkshade by its name, or any other by the path
// of its ONNX file. One that does not say what its inputs are, and has not as many as there
// are pixels, is an error.
func LoadModel(nameOrPath string) (*nn.Model, error) {
	if slices.Contains(models.Names(), nameOrPath) {
		data, err := models.Open(nameOrPath)
		if err != nil {
			return nil, err
		}
		m, err := onnx.Read(bytes.NewReader(data))
		return readable(nameOrPath, m, err)
	}
	st, err := os.Stat(nameOrPath)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no model called %q and no such file; models that ship with Inkshade: %s",
			nameOrPath, strings.Join(models.Names(), ", "))
	}
	if err == nil && st.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name an ONNX file or a model that ships with Inkshade: %s", ink.Shown(nameOrPath), strings.Join(models.Names(), ", "))
	}
	m, err := onnx.ReadFile(nameOrPath)
	return readable(nameOrPath, m, err)
}

// readable names the model in an error, and refuses one whose inputs are unknown.
func readable(name string, m *nn.Model, err error) (*nn.Model, error) {
	if err != nil {
		return nil, fmt.Errorf("the model %s: %w", ink.Shown(name), err)
	}
	if m.Preprocessing == "" {
		return nil, fmt.Errorf("the model %s takes %d values, and its file lacks the metadata key \"preprocessing\", which says what they are; "+
			"set it (in Python onnx.helper.set_model_props) to what the network was trained on: %s", ink.Shown(name), m.Network.Width(), inputs())
	}
	return m, nil
}

// inputs lists what networks can be trained on, each with its number of values.
func inputs() string {
	var known []string
	for _, name := range feature.Names() {
		if in, err := feature.ByName(name); err == nil {
			known = append(known, fmt.Sprintf("%s (%d values)", name, in.Size))
		}
	}
	return strings.Join(known, ", ")
}
