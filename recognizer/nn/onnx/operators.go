package onnx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// The element types that we understand.
const (
	float  = int32(onnxpb.TensorProto_FLOAT)
	int64s = int32(onnxpb.TensorProto_INT64)
)

// typeName is how onnx.proto calls an element type, in small letters: float, double, int64.
func typeName(t int32) string { return strings.ToLower(onnxpb.TensorProto_DataType(t).String()) }

// constant takes a Constant node that holds a tensor.
func (w *walk) constant(n *onnxpb.NodeProto) error {
	if a := attribute(n, "value"); a.GetT() != nil {
		w.constants[n.Output[0]] = a.T
		return nil
	}
	return errors.New("a Constant is supported with the attribute value, a tensor, only")
}

// gemm is Y = alpha·A'·B' + beta·C with A the flowing value; alpha and beta go into the
// parameters.
func (w *walk) gemm(n *onnxpb.NodeProto) error {
	inputs := len(n.Input)
	if inputs != 2 && inputs != 3 {
		return fmt.Errorf("it has %d inputs, want 2 or 3", inputs)
	}
	if err := w.data(n, 0, inputs); err != nil {
		return err
	}
	if integer(n, "transA", 0) != 0 {
		return errors.New("transA = 1 would mix the samples of a batch and is not supported")
	}
	l, err := w.layer(n.Input[1], integer(n, "transB", 0) != 0)
	if err != nil {
		return err
	}
	scale(l.weights, number(n, "alpha", 1))
	if inputs == 3 && n.Input[2] != "" {
		if err := w.bias(&l, n.Input[2], number(n, "beta", 1)); err != nil {
			return err
		}
	}
	return w.push(l)
}

func (w *walk) matMul(n *onnxpb.NodeProto) error {
	if err := w.data(n, 0, 2); err != nil {
		return err
	}
	l, err := w.layer(n.Input[1], false)
	if err != nil {
		return err
	}
	return w.push(l)
}

// add takes the bias after a matrix product, on either side.
func (w *walk) add(n *onnxpb.NodeProto) error {
	if len(n.Input) != 2 {
		return fmt.Errorf("it has %d inputs, want 2", len(n.Input))
	}
	data, constant := 0, 1
	if w.constants[n.Input[0]] != nil {
		data, constant = 1, 0
	}
	if err := w.data(n, data, 2); err != nil {
		return err
	}
	if w.constants[n.Input[constant]] == nil {
		return errors.New("it adds two computed values; only a constant bias is supported")
	}
	if !w.open {
		return errors.New("it does not follow a Gemm or MatMul")
	}
	return w.bias(&w.layers[len(w.layers)-1], n.Input[constant], 1)
}

func (w *walk) flatten(n *onnxpb.NodeProto) error {
	if err := w.data(n, 0, 1); err != nil {
		return err
	}
	axis := integer(n, "axis", 1)
	if axis < 0 && w.rank > 0 {
		axis += int64(w.rank)
	}
	if axis != 1 {
		return fmt.Errorf("axis = %d is not supported, want 1", integer(n, "axis", 1))
	}
	w.rank = 2
	return nil
}

// reshape takes a new shape that keeps the batch in front: 0, -1, or 1 there.
func (w *walk) reshape(n *onnxpb.NodeProto) error {
	if err := w.data(n, 0, 2); err != nil {
		return err
	}
	t := w.constants[n.Input[1]]
	if t == nil {
		return errors.New("its shape is computed; only a constant one is supported")
	}
	shape, err := integers(t)
	if err != nil {
		return err
	}
	if len(shape) < 2 {
		return fmt.Errorf("its shape %v does not keep the batch apart; want [-1, inputs]", shape)
	}
	rest := shape[1:]
	switch {
	case slices.Contains(rest, 0) || shape[0] < -1 || shape[0] > 1:
		return fmt.Errorf("its shape %v is not supported; want [-1, inputs]", shape)
	case shape[0] == -1 || !slices.Contains(rest, -1):
		width, err := elements(rest)
		if err != nil {
			return fmt.Errorf("its shape %v: %w", shape, err)
		}
		if w.width != 0 && w.width != width {
			return fmt.Errorf("its shape %v has %d values for each sample, its input has %d", shape, width, w.width)
		}
		w.width = width
	case len(rest) != 1 || rest[0] != -1:
		return fmt.Errorf("its shape %v is not supported; want [-1, inputs]", shape)
	}
	w.rank = len(shape)
	return nil
}

func (w *walk) softmax(n *onnxpb.NodeProto) error {
	if err := w.data(n, 0, 1); err != nil {
		return err
	}
	if axis := integer(n, "axis", -1); axis != 1 && axis != -1 {
		return fmt.Errorf("axis = %d is not supported, want 1", axis)
	}
	if len(w.layers) == 0 || w.rank != 2 {
		return errors.New("it does not follow the last layer")
	}
	w.open, w.done = false, true
	return nil
}

// layer makes a layer from a matrix of weights [in][out], or [out][in] when transposed.
func (w *walk) layer(name string, transposed bool) (layer, error) {
	t := w.constants[name]
	if t == nil {
		return layer{}, fmt.Errorf("its weights %s are no constant", strconv.Quote(name))
	}
	if len(t.Dims) != 2 {
		return layer{}, fmt.Errorf("its weights %s have the shape %v, want two dimensions", strconv.Quote(name), t.Dims)
	}
	data, err := floats(t)
	if err != nil {
		return layer{}, err
	}
	in, out := int(t.Dims[0]), int(t.Dims[1])
	if transposed {
		in, out = out, in
		data = transpose(data, out, in)
	}
	if err := w.matrix(in); err != nil {
		return layer{}, err
	}
	return layer{in: in, out: out, weights: data, bias: make([]float32, out)}, nil
}

// bias adds factor times a constant that has one value, or one for each unit.
func (w *walk) bias(l *layer, name string, factor float32) error {
	t := w.constants[name]
	if t == nil {
		return fmt.Errorf("its bias %s is no constant", strconv.Quote(name))
	}
	data, err := floats(t)
	if err != nil {
		return err
	}
	leading := max(len(t.Dims)-1, 0)
	for _, d := range t.Dims[:leading] {
		if d != 1 {
			return fmt.Errorf("its bias %s has the shape %v, want [%d]", strconv.Quote(name), t.Dims, l.out)
		}
	}
	if len(t.Dims) > 2 || len(data) != 1 && len(data) != l.out {
		return fmt.Errorf("its bias %s has the shape %v, want [%d]", strconv.Quote(name), t.Dims, l.out)
	}
	for i := range l.bias {
		l.bias[i] += factor * data[i%len(data)]
	}
	return nil
}

// floats gives a copy of a tensor's values.
func floats(t *onnxpb.TensorProto) ([]float32, error) {
	count, err := check(t, float)
	if err != nil {
		return nil, err
	}
	data := slices.Clone(t.FloatData)
	if t.RawData != nil {
		if len(t.RawData) != 4*count {
			return nil, wrongLength(t, len(t.RawData), 4*count, "bytes")
		}
		data = make([]float32, count)
		for i := range data {
			data[i] = math.Float32frombits(binary.LittleEndian.Uint32(t.RawData[4*i:]))
		}
	}
	if len(data) != count {
		return nil, wrongLength(t, len(data), count, "values")
	}
	return data, nil
}

func integers(t *onnxpb.TensorProto) ([]int64, error) {
	count, err := check(t, int64s)
	if err != nil {
		return nil, err
	}
	data := t.Int64Data
	if t.RawData != nil {
		if len(t.RawData) != 8*count {
			return nil, wrongLength(t, len(t.RawData), 8*count, "bytes")
		}
		data = make([]int64, count)
		for i := range data {
			data[i] = int64(binary.LittleEndian.Uint64(t.RawData[8*i:]))
		}
	}
	if len(data) != count {
		return nil, wrongLength(t, len(data), count, "values")
	}
	return data, nil
}

func wrongLength(t *onnxpb.TensorProto, got, want int, unit string) error {
	return fmt.Errorf("the tensor %s of shape %v has %d %s, want %d", strconv.Quote(t.GetName()), t.Dims, got, unit, want)
}

// check gives the number of elements of a tensor of the type wanted.
func check(t *onnxpb.TensorProto, want int32) (int, error) {
	switch {
	case len(t.ExternalData) > 0 || t.GetDataLocation() != onnxpb.TensorProto_DEFAULT:
		return 0, fmt.Errorf("the tensor %s lies in another file; save the model as one file", strconv.Quote(t.GetName()))
	case t.GetDataType() != want:
		return 0, fmt.Errorf("the tensor %s is of the type %s; %s is supported", strconv.Quote(t.GetName()), typeName(t.GetDataType()), typeName(want))
	}
	count, err := elements(t.Dims)
	if err != nil {
		return 0, fmt.Errorf("the tensor %s: %w", strconv.Quote(t.GetName()), err)
	}
	return count, nil
}

// elements is the product of dims, all at least 1, in the range of a file's size.
func elements(dims []int64) (int, error) {
	count := int64(1)
	for _, d := range dims {
		if d < 1 || d > math.MaxInt32 || count*d > math.MaxInt32 {
			return 0, fmt.Errorf("the shape %v is not possible", dims)
		}
		count *= d
	}
	return int(count), nil
}

// attribute finds an attribute of a node; nil when it has none of that name.
func attribute(n *onnxpb.NodeProto, name string) *onnxpb.AttributeProto {
	for _, a := range n.Attribute {
		if a.GetName() == name {
			return a
		}
	}
	return nil
}

func integer(n *onnxpb.NodeProto, name string, otherwise int64) int64 {
	if a := attribute(n, name); a != nil {
		return a.GetI()
	}
	return otherwise
}

func number(n *onnxpb.NodeProto, name string, otherwise float32) float32 {
	if a := attribute(n, name); a != nil {
		return a.GetF()
	}
	return otherwise
}

func scale(x []float32, factor float32) {
	if factor == 1 {
		return
	}
	for i := range x {
		x[i] *= factor
	}
}

// transpose turns [rows][cols] into [cols][rows].
func transpose(x []float32, rows, cols int) []float32 {
	out := make([]float32, len(x))
	for r := range rows {
		for c := range cols {
			out[c*rows+r] = x[r*cols+c]
		}
	}
	return out
}
