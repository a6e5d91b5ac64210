package onnx

import (
	"math"
	"slices"

	"inkshade/glcompute"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx/internal/graph"
)

// onePosition is the window of a convolution that looks at each position for itself.
var onePosition = glcompute.Window{KernelHeight: 1, KernelWidth: 1, StrideY: 1, StrideX: 1, DilationY: 1, DilationX: 1}

// product is a dense layer, or one for each row: a convolution that looks at each position for
// itself.
func (t *translator) product(n *graph.Node) {
	x, w := n.Args[0], n.Args[1]
	m := matrix{w.Data, w.Dims[0], w.Dims[1]}
	v := t.values[x]
	if x.Elements() == m.in {
		t.made(n, t.dense(t.whole(v, m.in), m), nil)
		return
	}
	v = t.settled(t.arranged(v, x.Elements(), nil))
	shape := nn.Shape{Height: x.Elements() / m.in, Width: 1, Channels: m.in}
	if s := t.shapes[v.number]; s.Channels == m.in {
		shape = s
	}
	kind := nn.Convolution{Filters: m.out, Window: onePosition}
	t.made(n, t.add(kind, []int{t.as(v, shape)}, float32s(m.data), make([]float32, m.out)), nil)
}

// matrix are weights from in to out units: that from i to j is data[i·out + j].
type matrix struct {
	data    []float64
	in, out int
}

// dense adds a dense layer for all elements of v. What is still to be done to them becomes part
// of its weights.
func (t *translator) dense(v *value, m matrix) int {
	weights, bias := float32s(m.data), make([]float32, m.out)
	if s := v.scale; s != nil {
		sums := make([]float64, m.out)
		for i := range m.in {
			slope, shift := s.at(v.order.of(i))
			for j := range sums {
				w := m.data[i*m.out+j]
				weights[i*m.out+j] = float32(w * slope)
				sums[j] += w * shift
			}
		}
		bias = float32s(sums)
	}
	if v.order != nil {
		rows := weights
		weights = make([]float32, len(rows))
		for i, at := range v.order {
			copy(weights[int(at)*m.out:], rows[i*m.out:(i+1)*m.out])
		}
	}
	return t.add(nn.Dense{Units: m.out}, []int{v.number}, weights, bias)
}

func (t *translator) convolution(n *graph.Node, op graph.Conv) {
	x, w := n.Args[0], n.Args[1]
	p, v := t.picture(x, t.values[x])
	filters, inGroup := w.Dims[0], w.Dims[1]
	kernel := op.Kernel
	window := windowOf(p, op.Window)
	padded := window.Top+window.Left+window.Bottom+window.Right > 0
	if s := v.scale; s != nil && (len(s.slope) > 1 && len(s.slope) != p.shape.Channels || padded && slices.ContainsFunc(s.shift, func(v float64) bool { return v != 0 })) {
		v = t.settled(v)
	}
	weights, bias := make([]float32, w.Elements()), make([]float32, filters)
	for f := range filters {
		sum := 0.0
		for c := range inGroup {
			slope, shift := 1.0, 0.0
			if v.scale != nil {
				slope, shift = v.scale.at(f/(filters/op.Groups)*inGroup + c)
			}
			for ky := range kernel[0] {
				for kx := range kernel[1] {
					value := w.Data[((f*inGroup+c)*kernel[0]+ky)*kernel[1]+kx]
					tap := ky*kernel[1] + kx
					if p.exchanged {
						tap = kx*kernel[0] + ky
					}
					weights[(tap*inGroup+c)*filters+f] = float32(value * slope)
					sum += value * shift
				}
			}
		}
		bias[f] = float32(sum)
	}
	kind := nn.Convolution{Filters: filters, Window: window, Groups: op.Groups}
	switch {
	case op.Groups == 1:
		kind.Groups = 0
	case op.Groups == p.shape.Channels:
		kind.Filters, kind.Groups, kind.Depthwise = filters/op.Groups, 0, true
	}
	t.made(n, t.add(kind, []int{t.as(v, p.shape)}, weights, bias), p.result(n.Out.Dims))
}

// windowOf is a window over a picture as it lies.
func windowOf(p picture, w graph.Window) glcompute.Window {
	var out glcompute.Window
	out.KernelHeight, out.KernelWidth = p.turned(w.Kernel)
	out.StrideY, out.StrideX = p.turned(w.Stride)
	out.DilationY, out.DilationX = p.turned(w.Dilation)
	out.Top, out.Left = p.turned(w.Before)
	out.Bottom, out.Right = p.turned(w.After)
	return out
}

// batchNorm is a layer of its own where its places are the channels of a network's value, else
// a factor and a summand for each place.
func (t *translator) batchNorm(n *graph.Node, op graph.BatchNorm) {
	x, channels := n.Args[0], n.Args[0].Dims[1]
	v := t.whole(t.values[x], x.Elements())
	shape := t.shapes[v.number]
	if channels == x.Elements() {
		shape = nn.Vector(channels)
	}
	inner := x.Elements() / (x.Dims[0] * channels)
	channel := func(i int) int { return i / inner % channels }
	for i := range x.Elements() {
		if v.order.of(i)%shape.Channels != channel(i) {
			t.moved(n, v, v.order)
			a := affineBy(x.Elements(), shape.Channels, func(i int) (int, float64, float64) {
				scale, shift, mean, variance := n.Args[1].Data, n.Args[2].Data, n.Args[3].Data, n.Args[4].Data
				c := channel(i)
				slope := scale[c] / math.Sqrt(variance[c]+float64(op.Epsilon))
				return v.order.of(i), slope, shift[c] - mean[c]*slope
			})
			t.values[n.Out].scale = a.after(v.scale)
			return
		}
	}
	kind := nn.BatchNormalisation{Epsilon: op.Epsilon}
	if op.Epsilon == 1e-5 {
		kind.Epsilon = 0
	}
	var values [][]float32
	for _, a := range n.Args[1:] {
		values = append(values, float32s(a.Data))
	}
	t.made(n, t.add(kind, []int{t.as(t.settled(v), shape)}, values...), v.order)
}

func float32s(x []float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v)
	}
	return out
}
