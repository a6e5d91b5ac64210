package recognizer

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"inkshade/glcompute/message"
	"inkshade/models"
	"inkshade/recognizer/files"
	"inkshade/recognizer/inputformat"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
)

// LoadModel opens a model that ships with Inkshade by its name or by that of its kind, or any other
// by the path of its ONNX file; see OpenModel.
func LoadModel(nameOrPath string) (*nn.Model, error) {
	m, _, err := OpenModel(context.Background(), nameOrPath, inputformat.Format{})
	return m, err
}

// OpenModel opens a model, with what a person states of its input format. What is not stated comes from
// the file's metadata, from a file beside it (inputformat.Format.Beside), or else is inferred; the
// second result is nil where nothing had to be. The opening ends with ctx, whose cause is then the error.
func OpenModel(ctx context.Context, nameOrPath string, f inputformat.Format) (*nn.Model, *inputformat.Inferred, error) {
	m, f, err := readModel(ctx, nameOrPath, f)
	var inferred *inputformat.Inferred
	if err == nil {
		inferred, err = inputformat.Apply(ctx, m, f)
	}
	if err != nil {
		return nil, nil, message.Errorf("the model %s: %w", files.Shown(nameOrPath), err)
	}
	return m, inferred, nil
}

// readModel reads the file of a model and what lies beside it.
func readModel(ctx context.Context, nameOrPath string, f inputformat.Format) (*nn.Model, inputformat.Format, error) {
	if models.Ships(nameOrPath) {
		data, err := models.Open(models.Named(nameOrPath))
		if err != nil {
			return nil, f, err
		}
		m, err := onnx.Read(ctx, bytes.NewReader(data))
		return m, f, err
	}
	st, err := os.Stat(nameOrPath)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, f, message.Errorf("there is no model of that name and no such file; models that ship with Inkshade: %s", strings.Join(models.Names(), ", "))
	}
	if err == nil && !st.Mode().IsRegular() && !st.IsDir() {
		return nil, f, message.Errorf("that is no file but a pipe or a device; name an ONNX file")
	}
	if err == nil && st.IsDir() {
		return nil, f, message.Errorf("that is a folder; name an ONNX file or a model that ships with Inkshade: %s", strings.Join(models.Names(), ", "))
	}
	if f, err = f.Beside(nameOrPath); err != nil {
		return nil, f, err
	}
	m, err := onnx.ReadFile(ctx, nameOrPath, f.Layout)
	return m, f, err
}
