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
	"inkshade/recognizer/foreign"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
)

// LoadModel opens a model that ships with Inkshade by its name or by that of its kind, or any other
// by the path of its ONNX file; see OpenModel.
func LoadModel(nameOrPath string) (*nn.Model, error) {
	m, _, err := OpenModel(nameOrPath, foreign.Feeding{})
	return m, err
}

// OpenModel opens a model, with what a person says about how it is fed. What is not said comes from
// the file's metadata, from a file beside it (foreign.Feeding.Beside), or else from a trial, which
// is nil where there was none.
func OpenModel(nameOrPath string, f foreign.Feeding) (*nn.Model, *foreign.Trial, error) {
	m, f, err := readModel(nameOrPath, f)
	var trial *foreign.Trial
	if err == nil {
		trial, err = foreign.Feed(m, f)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the model %s: %w", ink.Shown(nameOrPath), err)
	}
	return m, trial, nil
}

// readModel reads the file of a model and what lies beside it.
func readModel(nameOrPath string, f foreign.Feeding) (*nn.Model, foreign.Feeding, error) {
	if name := models.Named(nameOrPath); slices.Contains(models.Names(), name) {
		data, err := models.Open(name)
		if err != nil {
			return nil, f, err
		}
		m, err := onnx.Read(bytes.NewReader(data))
		return m, f, err
	}
	st, err := os.Stat(nameOrPath)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, f, fmt.Errorf("there is no model of that name and no such file; models that ship with Inkshade: %s", strings.Join(models.Names(), ", "))
	}
	if err == nil && st.IsDir() {
		return nil, f, fmt.Errorf("that is a folder; name an ONNX file or a model that ships with Inkshade: %s", strings.Join(models.Names(), ", "))
	}
	if f, err = f.Beside(nameOrPath); err != nil {
		return nil, f, err
	}
	m, err := onnx.ReadFile(nameOrPath, f.Layout)
	return m, f, err
}
