package onnx

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"inkshade/recognizer/budget/budgettest"
	"inkshade/recognizer/nn"
)

// dice gives the choices of a fuzz test from its data, zeros at the end.
type dice struct{ data []byte }

func (d *dice) upTo(n int) int {
	if len(d.data) == 0 {
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return int(b) % n
}

// anyOf picks one of several things.
func anyOf[T any](d *dice, of ...T) T { return of[d.upTo(len(of))] }

// FuzzGraphs builds valid graphs of any operators, attributes and shapes. What the reader
// takes must give the values of the operators' definitions.
func FuzzGraphs(f *testing.F) {
	f.Add([]byte{1, 0, 13})
	for i := range 60 {
		f.Add([]byte{byte(i), byte(i + 1), byte(7 * i), byte(3 * i), byte(i), byte(5 * i), byte(11 * i), byte(13 * i), byte(17 * i), byte(i * i), byte(i / 2), byte(i / 3)})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 60 {
			return
		}
		d := &dice{data}
		opset := anyOf[int64](d, 13, 10, 18)
		e := newExport(opset, anyOf(d, []any{1, 1, 6, 6}, []any{1, 2, 5, 4}, []any{1, 6, 6}, []any{1, 6, 6, 1}, []any{1, 16})...)
		values := []string{"x"}
		for len(d.data) > 0 && len(values) < 12 {
			m := e.finished(values[len(values)-1])
			dims := evaluate(m, samplesFor(m)).dims
			if len(dims) == 0 || len(dims) > 6 {
				break
			}
			if next := e.step(d, values, dims); next != "" {
				values = append(values, next)
			}
		}
		m := e.finished(values[len(values)-1])
		width := int64(len(evaluate(m, samplesFor(m)).data))
		m = e.finished(e.add("Gemm", e.add("Reshape", values[len(values)-1], list(1, -1)), e.weights(width, 4)))
		m.MetadataProps = append(m.MetadataProps, entry(keyPreprocessing, "test"))
		data, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var model *nn.Model
		budgettest.Within(t, func() { model, err = Read(t.Context(), bytes.NewReader(data)) })
		if err != nil {
			return
		}
		sample := samplesFor(m)
		got, want := evaluateNetwork(model.Network, seen(m, sample)), evaluate(m, sample).data
		if len(got) != len(want) {
			t.Fatalf("%d values, want %d, of %v", len(got), len(want), m.Graph.Node)
		}
		for i, v := range got {
			if w := want[i]; !(math.Abs(v-w) <= 1e-4*(1+math.Abs(w))) && !math.IsNaN(w) && !math.IsInf(w, 0) {
				t.Fatalf("value %d is %g, want %g, of %v", i, v, w, m.Graph.Node)
			}
		}
		again, err := Read(t.Context(), bytes.NewReader(encoded(t, model)))
		if err != nil {
			t.Fatalf("what was read cannot be read again: %v, of %v", err, m.Graph.Node)
		}
		back := evaluateNetwork(again.Network, seen(m, sample))
		for i, v := range back {
			if w := got[i]; !(math.Abs(v-w) <= 1e-4*(1+math.Abs(w))) && !math.IsNaN(w) && !math.IsInf(w, 0) {
				t.Fatalf("read again, value %d is %g, was %g, of %v", i, v, w, m.Graph.Node)
			}
		}
	})
}

// step adds an operator that takes the last of the values, of the shape dims; none where what
// is picked does not fit it.
func (e *export) step(d *dice, values []string, dims []int) string {
	x, rank := values[len(values)-1], len(dims)
	opset := e.model.OpsetImport[0].GetVersion()
	last := int64(dims[rank-1])
	axis := func() int { return d.upTo(2*rank) - rank }
	// axes are an attribute or an input, from the opset given on.
	axes := func(from int64, a ...int) any {
		if opset < from {
			return attr("axes", a)
		}
		return list(int64sOf(a)...)
	}
	choice := d.upTo(17)
	if rank != 4 && choice < 4 {
		choice += 4
	}
	switch choice {
	case 0:
		groups := 1
		if dims[1]%2 == 0 {
			groups = anyOf(d, 1, 2, dims[1])
		}
		kernel := []int64{int64(1 + d.upTo(3)), int64(1 + d.upTo(3))}
		w := e.weights(int64(groups*(1+d.upTo(2))), int64(dims[1]/groups), kernel[0], kernel[1])
		return e.add("Conv", append(e.window(d, dims, kernel, false), x, w, attr("group", groups))...)
	case 1:
		kernel := []int64{int64(1 + d.upTo(3)), int64(1 + d.upTo(3))}
		name := anyOf(d, "MaxPool", "AveragePool")
		args := append(e.window(d, dims, kernel, true), x, attr("kernel_shape", []int{int(kernel[0]), int(kernel[1])}))
		if name == "AveragePool" {
			args = append(args, attr("count_include_pad", d.upTo(2)))
		}
		return e.add(name, args...)
	case 2:
		return e.add(anyOf(d, "GlobalMaxPool", "GlobalAveragePool"), x)
	case 3:
		pads := []int{0, 0, d.upTo(2), d.upTo(3), 0, 0, d.upTo(2), 0}
		if opset < 11 {
			return e.add("Pad", x, attr("pads", pads), attr("value", float64(d.upTo(2))))
		}
		return e.add("Pad", x, list(int64sOf(pads)...), one(float32(d.upTo(2))))
	case 4, 5:
		names := slices.Sorted(maps.Keys(unaryFunctions))
		names = slices.DeleteFunc(names, func(s string) bool {
			return slices.Contains([]string{"Cast", "Clip", "Reciprocal", "Log", "Sqrt", "Exp", "IsNaN"}, s) // the last gives truth, which few may take
		})
		return e.add(names[d.upTo(len(names))], x)
	case 6:
		name := anyOf(d, "Add", "Sub", "Mul", "Div", "Max", "Min", "PRelu")
		shape := anyOf(d, []int64{}, []int64{1}, []int64{last}, []int64{int64(dims[max(rank-3, 0)]), 1, 1})
		if len(shape) > rank || len(shape) == 3 && rank < 3 {
			return ""
		}
		return e.add(name, x, e.positive(shape...))
	case 7:
		other := values[d.upTo(len(values))]
		m := e.finished(other)
		if !equal(evaluate(m, samplesFor(m)).dims, dims) {
			return ""
		}
		if name := anyOf(d, "Add", "Mul", "Concat"); name != "Concat" {
			return e.add(name, x, other)
		}
		return e.add("Concat", x, other, attr("axis", d.upTo(rank)))
	case 8:
		order := make([]int, rank)
		for i := range order {
			order[i] = i
		}
		for i := 1; i < rank; i++ {
			j := 1 + d.upTo(i)
			order[i], order[j] = order[j], order[i]
		}
		return e.add("Transpose", x, attr("perm", order))
	case 9:
		shape := anyOf(d, []int64{1, -1}, []int64{0, 2, -1}, []int64{-1, last}, []int64{1, last, -1, 1})
		n := 1
		for _, size := range dims {
			n *= size
		}
		if shape[1] == 2 && n/dims[0]%2 != 0 {
			return ""
		}
		return e.add("Reshape", x, list(shape...))
	case 10:
		return e.add("Flatten", x, attr("axis", axis()))
	case 11:
		if rank == 2 && d.upTo(2) == 0 {
			return e.add("Gemm", x, e.weights(3, last), e.weights(3), attr("transB", 1), attr("alpha", 0.5))
		}
		if rank < 2 {
			return ""
		}
		return e.add("MatMul", x, e.weights(last, int64(2+d.upTo(3))))
	case 12:
		name := anyOf(d, "ReduceMean", "ReduceMax")
		return e.add(name, x, axes(18, axis()), attr("keepdims", d.upTo(2)))
	case 13:
		if d.upTo(8) > 0 { // most are refused
			return ""
		}
		return e.add(anyOf(d, "Softmax", "LogSoftmax"), x, attr("axis", axis()))
	case 15:
		limit := e.store(e.positive(last))
		return e.add("Where", e.add(anyOf(d, "Greater", "Less"), x, limit), x, e.add(anyOf(d, "Mul", "Sub"), x, anyOf(d, limit, x)))
	case 14:
		return e.add("Unsqueeze", x, axes(13, d.upTo(rank+1)))
	}
	if rank < 2 {
		return ""
	}
	channels := int64(dims[1])
	return e.add("BatchNormalization", x, e.positive(channels), e.weights(channels), e.weights(channels), e.positive(channels))
}

// window picks attributes of a window that fits the image.
func (e *export) window(d *dice, dims []int, kernel []int64, pool bool) []any {
	args := []any{}
	pads := []int{d.upTo(2), d.upTo(2), d.upTo(2), d.upTo(2)}
	dilations := []int{1 + d.upTo(2), 1 + d.upTo(2)}
	for i := range 2 {
		if pool {
			dilations[i] = 1
		}
		if kernel[i] == 1 {
			pads[i], pads[2+i] = 0, 0
		}
		if dims[2+i]+pads[i]+pads[2+i] < dilations[i]*int(kernel[i]-1)+1 {
			dilations[i] = 1
			pads[i], pads[2+i] = int(kernel[i]-1), int(kernel[i]-1)
		}
	}
	args = append(args, attr("strides", []int{1 + d.upTo(2), 1 + d.upTo(3)}))
	if !pool {
		args = append(args, attr("dilations", dilations))
	} else if e.model.OpsetImport[0].GetVersion() >= 10 {
		args = append(args, attr("ceil_mode", d.upTo(2)))
	}
	return append(args, attr("pads", pads))
}

func int64sOf(x []int) []int64 {
	out := make([]int64, len(x))
	for i, v := range x {
		out[i] = int64(v)
	}
	return out
}
