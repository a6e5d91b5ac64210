// Package onnx reads and writes models as ONNX files.
//
// Reading goes from a file to a graph of few operations (package graph), and from that to the
// layers of a network: each value of the graph is known by where its elements lie in a value of
// the network, whose channels come last, so that transposing and reshaping cost nothing; scales
// and shifts become part of the weights before or after them.
package onnx

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"inkshade/glcompute/message"
	"inkshade/recognizer/budget"
	"inkshade/recognizer/files"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx/internal/graph"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// MaxBytes is the largest ONNX file that Read takes.
const MaxBytes = 128 << 20

// Opset versions whose operators package graph knows.
const (
	oldestOpset = 7
	newestOpset = 25
)

// Read reads a model from an ONNX file, by whatever tool it was exported: what package graph
// understands, as far as layers of package nn can do it. A graph that ends in logits is taken as
// if a Softmax followed. Labels come from the metadata key "labels", a JSON list; without it
// they are nn.UsualLabels. Preprocessing is empty where the metadata do not say it: see package
// inputformat. Anything else is an error that names the part that is
// not understood and says what to do. Sizes are checked against the data in the file before
// anything is allocated, and package budget bounds what a file becomes. Weights in other files cannot be found; see ReadFile.
// The reading ends with ctx, whose cause is then the error.
func Read(ctx context.Context, r io.Reader) (*nn.Model, error) {
	return ReadWithin(budget.New(ctx), r)
}

// ReadWithin reads a model as Read does, one of several in a file that has one budget. What it made must fit into memory beside
// none of the others.
func ReadWithin(budget *budget.Budget, r io.Reader) (*nn.Model, error) {
	left := budget.Left()
	defer budget.Restore(left)
	return read(r, "", budget, nil)
}

// ReadFile reads a model as Read does. Weights may lie in other files, which must be in the
// same folder or below it. layout says where the channels of an input of four dimensions are: "nchw",
// "nhwc", or "" for what its sizes say.
func ReadFile(ctx context.Context, path, layout string) (*nn.Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, message.Errorf("opening the model: %w", files.Cause(err))
	}
	defer f.Close()
	budget, counted := budget.New(ctx), map[string]bool{}
	return read(f, layout, budget, func(name string, offset, length int64) ([]byte, error) {
		data, size, err := readBeside(filepath.Dir(path), name, offset, length)
		if !counted[name] {
			counted[name] = true
			budget.Read(int(min(size, MaxBytes)))
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, message.Errorf("there is no %s beside the model; put it there, or save the model as one file", strconv.Quote(name))
		case errors.Is(err, io.EOF):
			return nil, message.Errorf("%s is too short; it is cut short or belongs to another model", strconv.Quote(name))
		}
		return data, err
	})
}

// readBeside reads a part of a file of some size. A root lets no name lead out of the folder.
func readBeside(folder, name string, offset, length int64) (data []byte, size int64, err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	data = make([]byte, length)
	_, err = f.ReadAt(data, offset)
	if err == io.EOF && length == 0 {
		err = nil
	}
	return data, st.Size(), err
}

func read(r io.Reader, layout string, budget *budget.Budget, beside graph.Beside) (m *nn.Model, err error) {
	defer graph.Recovered(&err)
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	graph.Require(err == nil, "reading the model: %w", err)
	graph.Require(len(data) <= MaxBytes, "the model is larger than %d MB, the most that is read", MaxBytes>>20)
	graph.Require(len(data) > 0, "the model file is empty")
	kind := otherKind(data)
	graph.Require(kind == "", "this is %s, not an ONNX model", kind)
	budget.Read(len(data))
	file, err := unmarshal(data, budget)
	graph.Require(!errors.Is(err, io.ErrUnexpectedEOF), "the ONNX model is cut short or this is another kind of file (%w)", err)
	graph.Require(err == nil, "the ONNX model is damaged or this is another kind of file (%w)", err)
	return modelOf(file, layout, budget, beside), nil
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

func modelOf(file *onnxpb.ModelProto, layout string, budget *budget.Budget, beside graph.Beside) *nn.Model {
	graph.Require(file.Graph != nil, "the file holds no ONNX graph; it is cut short or of another kind")
	opset := opsetOf(file.OpsetImport)
	m := &nn.Model{Metadata: map[string]string{}}
	for _, e := range file.MetadataProps {
		m.Metadata[e.GetKey()] = e.GetValue()
	}
	labels, widths := m.Metadata[keyLabels], m.Metadata[keyWidths]
	m.Preprocessing = m.Metadata[keyPreprocessing]
	for _, own := range ownKeys {
		delete(m.Metadata, own)
	}
	lines := m.Preprocessing == nn.LineMaps
	if lines {
		setWidths(file.Graph.Input, widths)
	}
	g, err := graph.Build(file, opset, lines, beside, budget)
	if err == nil {
		m.Network, err = networkOf(g, m.Preprocessing != "", layout, budget)
	}
	graph.Require(err == nil, "the ONNX graph is not understood: %w", err)
	if labels == "" {
		m.Labels = nn.UsualLabels(m.Network.Classes())
	} else {
		err := json.Unmarshal([]byte(labels), &m.Labels)
		graph.Require(err == nil, "the metadata key %q is no JSON list of strings: %w", keyLabels, err)
	}
	if outputs := file.Graph.Output; len(outputs) > 1 {
		for _, o := range outputs[:min(len(outputs), graph.MostNamed)] {
			m.Outputs = append(m.Outputs, fmt.Sprintf("%.60q", o.GetName()))
		}
	}
	err = m.OfOutputs(m.Check())
	graph.Require(err == nil, "%w", err)
	return m
}

// setWidths gives the inputs of a network that reads lines widths in the place of free ones.
func setWidths(inputs []*onnxpb.ValueInfoProto, list string) {
	var widths []int64
	err := json.Unmarshal([]byte(list), &widths)
	graph.Require(err == nil && len(widths) == len(inputs), "the metadata key %q is no JSON list of a width for each input", keyWidths)
	for i, in := range inputs {
		dims := in.GetType().GetTensorType().GetShape().GetDim()
		graph.Require(len(dims) == 4, "the input %q of a network that reads lines is no picture", in.GetName())
		dims[3] = &onnxpb.TensorShapeProto_Dimension{DimValue: &widths[i]}
	}
}

// opsetOf gives the version of the standard operators.
func opsetOf(opsets []*onnxpb.OperatorSetIdProto) int {
	at := slices.IndexFunc(opsets, func(o *onnxpb.OperatorSetIdProto) bool { return o.GetDomain() == "" || o.GetDomain() == "ai.onnx" })
	graph.Require(at >= 0, "the model names no ONNX opset; it is cut short or damaged")
	v := int(opsets[at].GetVersion())
	graph.Require(v >= oldestOpset, "the model uses ONNX opset %d; opsets %d to %d are understood (onnx.version_converter makes it newer)", v, oldestOpset, newestOpset)
	graph.Require(v <= newestOpset, "the model uses ONNX opset %d; opsets %d to %d are understood (export it with an older one)", v, oldestOpset, newestOpset)
	return v
}

// What the parts of a message take in memory, rounded up. An empty message stands in two bytes of a file, and a number of
// eight bytes of memory in one.
const (
	messageBytes = 512
	textBytes    = 32
	numberBytes  = 8
)

// unmarshal decodes a file whose messages fit into the budget, which is found out before anything is allocated.
func unmarshal(data []byte, budget *budget.Budget) (*onnxpb.ModelProto, error) {
	model := &onnxpb.ModelProto{}
	if err := measure(data, model.ProtoReflect().Descriptor(), budget, 0); err != nil {
		return nil, err
	}
	// Fields that we do not know are dropped.
	return model, proto.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(data, model)
}

// maxNested is how deep messages may lie in each other: a graph within a graph is three levels.
const maxNested = 200

// measure walks over an encoded message, which lies so deep, and takes from the budget what its parts
// will need.
func measure(b []byte, of protoreflect.MessageDescriptor, budget *budget.Budget, depth int) error {
	if depth > maxNested {
		return message.Errorf("its parts lie more than %d deep in each other", maxNested)
	}
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return protowire.ParseError(n)
		}
		b = b[n:]
		if n = protowire.ConsumeFieldValue(number, kind, b); n < 0 {
			return protowire.ParseError(n)
		}
		value := b[:n]
		b = b[n:]
		field := of.Fields().ByNumber(number)
		if field == nil {
			continue
		}
		if kind == protowire.BytesType {
			value, _ = protowire.ConsumeBytes(value)
		}
		inner, bytes := field.Message() != nil && kind == protowire.BytesType, 0
		switch {
		case inner:
			bytes = messageBytes
		case field.Kind() == protoreflect.StringKind || field.Kind() == protoreflect.BytesKind:
			bytes = textBytes
		case field.IsList() && field.Kind() != protoreflect.FloatKind && field.Kind() != protoreflect.DoubleKind:
			bytes = numberBytes * len(value)
		}
		if err := budget.Spend(bytes, 1); err != nil {
			return message.Errorf("its parts are too many: %w", err)
		}
		if inner {
			if err := measure(value, field.Message(), budget, depth+1); err != nil {
				return message.Errorf("%s: %w", field.Name(), err)
			}
		}
	}
	return nil
}
