package nn

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// constant takes a Constant node that holds a tensor.
func (w *walk) constant(n *onnxNode) error {
	for i := range n.attributes {
		if a := &n.attributes[i]; a.name == "value" && a.tensor != nil {
			w.constants[n.outputs[0]] = a.tensor
			return nil
		}
	}
	return errors.New("a Constant is supported with the attribute value, a tensor, only")
}

// gemm is Y = alpha·A'·B' + beta·C with A the flowing value; alpha and beta go into the
// parameters.
func (w *walk) gemm(n *onnxNode) error {
	inputs := len(n.inputs)
	if inputs != 2 && inputs != 3 {
		return fmt.Errorf("it has %d inputs, want 2 or 3", inputs)
	}
	if err := w.data(n, 0, inputs); err != nil {
		return err
	}
	if n.integer("transA", 0) != 0 {
		return errors.New("transA = 1 would mix the samples of a batch and is not supported")
	}
	l, err := w.layer(n.inputs[1], n.integer("transB", 0) != 0)
	if err != nil {
		return err
	}
	scale(l.Weights, n.float("alpha", 1))
	if inputs == 3 && n.inputs[2] != "" {
		if err := w.bias(&l, n.inputs[2], n.float("beta", 1)); err != nil {
			return err
		}
	}
	return w.push(l)
}

func (w *walk) matMul(n *onnxNode) error {
	if err := w.data(n, 0, 2); err != nil {
		return err
	}
	l, err := w.layer(n.inputs[1], false)
	if err != nil {
		return err
	}
	return w.push(l)
}

// add takes the bias after a matrix product, on either side.
func (w *walk) add(n *onnxNode) error {
	if len(n.inputs) != 2 {
		return fmt.Errorf("it has %d inputs, want 2", len(n.inputs))
	}
	data, constant := 0, 1
	if w.constants[n.inputs[0]] != nil {
		data, constant = 1, 0
	}
	if err := w.data(n, data, 2); err != nil {
		return err
	}
	if w.constants[n.inputs[constant]] == nil {
		return errors.New("it adds two computed values; only a constant bias is supported")
	}
	if !w.open {
		return errors.New("it does not follow a Gemm or MatMul")
	}
	return w.bias(&w.layers[len(w.layers)-1], n.inputs[constant], 1)
}

func (w *walk) flatten(n *onnxNode) error {
	if err := w.data(n, 0, 1); err != nil {
		return err
	}
	axis := n.integer("axis", 1)
	if axis < 0 && w.rank > 0 {
		axis += int64(w.rank)
	}
	if axis != 1 {
		return fmt.Errorf("axis = %d is not supported, want 1", n.integer("axis", 1))
	}
	w.rank = 2
	return nil
}

// reshape takes a new shape that keeps the batch in front: 0, -1, or 1 there.
func (w *walk) reshape(n *onnxNode) error {
	if err := w.data(n, 0, 2); err != nil {
		return err
	}
	t := w.constants[n.inputs[1]]
	if t == nil {
		return errors.New("its shape is computed; only a constant one is supported")
	}
	shape, err := t.integers()
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

func (w *walk) softmax(n *onnxNode) error {
	if err := w.data(n, 0, 1); err != nil {
		return err
	}
	if axis := n.integer("axis", -1); axis != 1 && axis != -1 {
		return fmt.Errorf("axis = %d is not supported, want 1", axis)
	}
	if len(w.layers) == 0 || w.rank != 2 {
		return errors.New("it does not follow the last layer")
	}
	w.open, w.done = false, true
	return nil
}

// layer makes a layer from a matrix of weights [in][out], or [out][in] when transposed.
func (w *walk) layer(name string, transposed bool) (Layer, error) {
	t := w.constants[name]
	if t == nil {
		return Layer{}, fmt.Errorf("its weights %s are no constant", strconv.Quote(name))
	}
	if len(t.dims) != 2 {
		return Layer{}, fmt.Errorf("its weights %s have the shape %v, want two dimensions", strconv.Quote(name), t.dims)
	}
	data, err := t.float32s()
	if err != nil {
		return Layer{}, err
	}
	in, out := int(t.dims[0]), int(t.dims[1])
	if transposed {
		in, out = out, in
		data = transpose(data, out, in)
	}
	if err := w.matrix(in); err != nil {
		return Layer{}, err
	}
	return Layer{In: in, Out: out, Weights: data, Bias: make([]float32, out)}, nil
}

// bias adds factor times a constant that has one value, or one for each unit.
func (w *walk) bias(l *Layer, name string, factor float32) error {
	t := w.constants[name]
	if t == nil {
		return fmt.Errorf("its bias %s is no constant", strconv.Quote(name))
	}
	data, err := t.float32s()
	if err != nil {
		return err
	}
	leading := max(len(t.dims)-1, 0)
	for _, d := range t.dims[:leading] {
		if d != 1 {
			return fmt.Errorf("its bias %s has the shape %v, want [%d]", strconv.Quote(name), t.dims, l.Out)
		}
	}
	if len(t.dims) > 2 || len(data) != 1 && len(data) != l.Out {
		return fmt.Errorf("its bias %s has the shape %v, want [%d]", strconv.Quote(name), t.dims, l.Out)
	}
	for i := range l.Bias {
		l.Bias[i] += factor * data[i%len(data)]
	}
	return nil
}

// float32s gives a copy of the tensor's values.
func (t *onnxTensor) float32s() ([]float32, error) {
	count, err := t.check(onnxFloat)
	if err != nil {
		return nil, err
	}
	data := slices.Clone(t.floats)
	if t.hasRaw {
		if len(t.raw) != 4*count {
			return nil, t.wrongLength(len(t.raw), 4*count, "bytes")
		}
		data = littleEndianFloats(t.raw)
	}
	if len(data) != count {
		return nil, t.wrongLength(len(data), count, "values")
	}
	if !finite(data) {
		return nil, fmt.Errorf("the tensor %s holds a value that is no finite number", strconv.Quote(t.name))
	}
	return data, nil
}

func (t *onnxTensor) integers() ([]int64, error) {
	count, err := t.check(onnxInt64)
	if err != nil {
		return nil, err
	}
	data := t.int64s
	if t.hasRaw {
		if len(t.raw) != 8*count {
			return nil, t.wrongLength(len(t.raw), 8*count, "bytes")
		}
		data = make([]int64, count)
		for i := range data {
			data[i] = int64(binary.LittleEndian.Uint64(t.raw[8*i:]))
		}
	}
	if len(data) != count {
		return nil, t.wrongLength(len(data), count, "values")
	}
	return data, nil
}

func (t *onnxTensor) wrongLength(got, want int, unit string) error {
	return fmt.Errorf("the tensor %s of shape %v has %d %s, want %d", strconv.Quote(t.name), t.dims, got, unit, want)
}

// check gives the number of elements of a tensor of the type wanted.
func (t *onnxTensor) check(want int32) (int, error) {
	switch {
	case t.external:
		return 0, fmt.Errorf("the tensor %s lies in another file; save the model as one file", strconv.Quote(t.name))
	case t.dataType != want:
		return 0, fmt.Errorf("the tensor %s is %s; %s is supported", strconv.Quote(t.name), onnxTypeName(t.dataType), onnxTypeName(want))
	}
	count, err := elements(t.dims)
	if err != nil {
		return 0, fmt.Errorf("the tensor %s: %w", strconv.Quote(t.name), err)
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

func (n *onnxNode) integer(name string, otherwise int64) int64 {
	for i := range n.attributes {
		if n.attributes[i].name == name {
			return n.attributes[i].i
		}
	}
	return otherwise
}

func (n *onnxNode) float(name string, otherwise float32) float32 {
	for i := range n.attributes {
		if n.attributes[i].name == name {
			return n.attributes[i].f
		}
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
