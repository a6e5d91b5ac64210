// Package onnx reads and writes models as ONNX files.
package onnx

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// MaxBytes is the largest ONNX file that Read takes.
const MaxBytes = 128 << 20

// Opset versions whose Gemm, MatMul, Add, Softmax, Flatten and Reshape we know.
const (
	oldestOpset = 7
	newestOpset = 25
)

// Read reads a multi-layer perceptron from an ONNX file. It understands Gemm
// (either side's transposition flag, alpha, beta), MatMul, Add, Tanh, Sigmoid, Relu,
// Softmax at the end, Flatten, Reshape, Identity and Constant, on float32 weights in
// raw_data or float_data and a single input [N,inputs] or [N,c,h,w]. A graph that ends in
// logits is taken as if a Softmax followed. Labels come from the metadata key "labels", a JSON list;
// without it classes are called "0", "1" and so on. Anything else is an error that names
// the part that is not understood. Sizes are checked against the data in the file before
// anything is allocated.
func Read(r io.Reader) (*nn.Model, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading the model: %w", err)
	}
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("the model is larger than %d MB, the most that is read", MaxBytes>>20)
	}
	if len(data) == 0 {
		return nil, errors.New("the model file is empty")
	}
	if kind := otherKind(data); kind != "" {
		return nil, fmt.Errorf("this is %s, not an ONNX model", kind)
	}
	file, err := unmarshal(data)
	if err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, fmt.Errorf("the ONNX model is cut short or this is another kind of file (%w)", err)
		}
		return nil, fmt.Errorf("the ONNX model is damaged or this is another kind of file (%w)", err)
	}
	return modelOf(file)
}

// otherKind names files that are often taken for models.
func otherKind(data []byte) string {
	for _, k := range []struct{ start, name string }{
		{"\x89PNG", "a PNG picture"},
		{"\xff\xd8\xff", "a JPEG picture"},
		{"GIF8", "a GIF picture"},
		{"%PDF", "a PDF document"},
		{"PK\x03\x04", "a ZIP archive (PyTorch and Keras save models so; export to ONNX there)"},
		{"\x89HDF", "an HDF5 file (Keras saves models so; export to ONNX there)"},
		{"\x1f\x8b", "a gzip file (unpack it first)"},
		{"GGUF", "a GGUF model"},
		{"SQLite format 3", "an SQLite database"},
		{"\x80\x02", "a Python pickle (PyTorch saves models so; export to ONNX there)"},
		{"version https://git-lfs", "a Git LFS pointer (fetch the file itself with git lfs pull)"},
		{"{", "a JSON text"},
		{"<", "an XML or HTML text"},
	} {
		if bytes.HasPrefix(data, []byte(k.start)) {
			return k.name
		}
	}
	if len(data) > 8 && string(data[4:8]) == "TFL3" {
		return "a TensorFlow Lite model"
	}
	return ""
}

func modelOf(file *onnxpb.ModelProto) (*nn.Model, error) {
	if file.Graph == nil {
		return nil, errors.New("the file holds no ONNX graph; it is cut short or of another kind")
	}
	if err := checkOpset(file.OpsetImport); err != nil {
		return nil, err
	}
	net, err := networkOf(file.Graph)
	if err != nil {
		return nil, fmt.Errorf("the ONNX graph is not understood: %w", err)
	}
	m := &nn.Model{Network: net, Metadata: map[string]string{}}
	labels := ""
	for _, e := range file.MetadataProps {
		switch e.GetKey() {
		case keyLabels:
			labels = e.GetValue()
		case keyPreprocessing:
			m.Preprocessing = e.GetValue()
		default:
			m.Metadata[e.GetKey()] = e.GetValue()
		}
	}
	if labels != "" {
		if err := json.Unmarshal([]byte(labels), &m.Labels); err != nil {
			return nil, fmt.Errorf("the metadata key %q is no JSON list of strings: %w", keyLabels, err)
		}
	} else {
		for i := range net.Classes() {
			m.Labels = append(m.Labels, strconv.Itoa(i))
		}
	}
	if m.Preprocessing == "" && net.Width() == 28*28 {
		m.Preprocessing = nn.MNIST28
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	return m, nil
}

func checkOpset(opsets []*onnxpb.OperatorSetIdProto) error {
	for _, o := range opsets {
		if !standardDomain(o.GetDomain()) {
			continue
		}
		if v := o.GetVersion(); v < oldestOpset || v > newestOpset {
			return fmt.Errorf("the model uses ONNX opset %d; opsets %d to %d are understood", v, oldestOpset, newestOpset)
		}
		return nil
	}
	return errors.New("the model names no ONNX opset; it is cut short or damaged")
}

func standardDomain(d string) bool { return d == "" || d == "ai.onnx" }
