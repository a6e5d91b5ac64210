package onnx

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// whole is a tensor of one whole number without dimensions.
func whole(v int64) *onnxpb.TensorProto {
	return &onnxpb.TensorProto{DataType: proto.Int32(int64s), Int64Data: []int64{v}}
}

// floats is a list.
func floats(x ...float32) *onnxpb.TensorProto {
	t := tensor("", x, int64(len(x)))
	t.Name = nil
	return t
}

// moreExports are models whose values are put into another order, normalised, weighed by each other or resized: what
// transformers, mixers, shuffling and attentive networks are exported as. The input is [N,1,8,8] where nothing else is said.
func moreExports() []exportCase {
	var cases []exportCase
	add := func(name string, opset int64, make func(e *export) string, dims ...any) {
		if dims == nil {
			dims = []any{"N", 1, 8, 8}
		}
		e := newExport(opset, dims...)
		output := make(e)
		cases = append(cases, exportCase{name, e.finished(output), 0})
	}
	pads := attr("pads", []int{1, 1, 1, 1})
	perm := func(order ...int) *onnxpb.AttributeProto { return attr("perm", order) }

	// Parts.
	add("Split by an attribute", 11, func(e *export) string {
		v := e.add("Split", e.conv("x", 4, 1, 3), attr("axis", 1), attr("split", []int{1, 3}))
		return e.classes(e.add("Add", e.also(), v), 108)
	})
	add("Split by an input", 13, func(e *export) string {
		v := e.add("Split", e.conv("x", 4, 1, 3), list(2, 2), attr("axis", 1))
		return e.classes(e.add("Mul", v, e.add("Sigmoid", e.also())), 72)
	})
	add("Split into so many", 18, func(e *export) string {
		v := e.add("Split", e.conv("x", 5, 1, 3), attr("axis", 1), attr("num_outputs", 2))
		return e.classes(e.add("Concat", e.also(), v, attr("axis", 1)), 180)
	})
	add("Slice of the picture", 13, func(e *export) string {
		v := e.add("Slice", "x", list(1, 1), list(7, -1), list(2, 3))
		return e.classes(e.conv(e.add("Slice", v, list(-1), list(-100), list(3), list(-1)), 2, 1, 3), 32)
	})
	add("every other row and column", 13, func(e *export) string {
		half := func(top int64) string { return e.add("Slice", "x", list(top, 0), list(9, 9), list(2, 3), list(2, 2)) }
		return e.classes(e.conv(e.add("Concat", half(0), half(1), attr("axis", 1)), 2, 2, 3), 8)
	})
	add("Gather of channels and a row", 13, func(e *export) string {
		v := e.add("Gather", e.conv("x", 4, 1, 3), list(3, 0, -3), attr("axis", 1))
		return e.classes(e.add("Gather", v, whole(2), attr("axis", 2)), 18)
	})
	add("first of three channels", 13, func(e *export) string {
		return e.classes(e.conv(e.add("Slice", "x", list(0), list(1), list(1)), 2, 1, 3), 72)
	}, "N", 3, 8, 8)
	add("channels shuffled", 13, func(e *export) string {
		v := e.add("Transpose", e.add("Reshape", e.conv("x", 4, 1, 3), list(0, 2, 2, 6, 6)), perm(0, 2, 1, 3, 4))
		return e.classes(e.conv(e.add("Reshape", v, list(0, 4, 6, 6)), 2, 4, 3), 32)
	})
	add("SpaceToDepth, DepthToSpace", 13, func(e *export) string {
		v := e.conv(e.add("SpaceToDepth", "x", attr("blocksize", 2)), 8, 4, 3)
		return e.classes(e.add("Concat", e.add("DepthToSpace", v, attr("blocksize", 2)), e.add("DepthToSpace", v, attr("blocksize", 2), attr("mode", "CRD")), attr("axis", 2)), 64)
	})
	add("two orders of the same picture", 13, func(e *export) string {
		return e.classes(e.add("Add", e.conv(e.add("Transpose", "x", perm(0, 1, 3, 2)), 2, 1, 3), e.conv("x", 2, 1, 3)), 72)
	})
	add("halved and padded as a residual", 13, func(e *export) string {
		v := e.add("Relu", e.add("Conv", "x", e.weights(2, 1, 3, 3), pads))
		w := e.add("Conv", v, e.weights(4, 2, 3, 3), pads, attr("strides", []int{2, 2}))
		s := e.add("Slice", v, list(0, 0), list(99, 99), list(2, 3), list(2, 2))
		return e.classes(e.add("Relu", e.add("Add", w, e.add("Pad", s, list(0, 1, 0, 0, 0, 1, 0, 0)))), 64)
	})
	for _, mode := range []string{"edge", "reflect", "wrap"} {
		add("Pad in the mode "+mode, 19, func(e *export) string {
			return e.classes(e.conv(e.add("Pad", "x", list(0, 0, 2, 1, 0, 0, 1, 3), attr("mode", mode)), 2, 1, 3), 180)
		})
	}
	add("Pad that takes off", 13, func(e *export) string {
		return e.classes(e.conv(e.add("Pad", "x", list(0, 0, -1, 2, 0, 0, -2, -1)), 2, 1, 3), 42)
	})
	add("constants joined", 13, func(e *export) string {
		return e.classes(e.conv(e.add("Concat", "x", e.weights(1, 2, 8, 8), attr("axis", 1)), 2, 3, 3), 72)
	}, 1, 1, 8, 8)
	add("means of what lies apart", 13, func(e *export) string {
		return e.classes(e.add("ReduceMean", e.conv("x", 4, 1, 3), attr("axes", []int{1, 3})), 6)
	})

	// Values that weigh each other.
	add("Softmax before the end", 13, func(e *export) string {
		v := e.conv("x", 4, 1, 3)
		return e.add("Softmax", e.classes(e.add("Add", e.add("Mul", v, e.add("Softmax", v, attr("axis", 1))), e.add("LogSoftmax", v)), 144))
	})
	add("attention with a token for the class", 17, func(e *export) string {
		x := e.add("Transpose", e.add("Reshape", e.conv("x", 8, 1, 4, attr("strides", []int{4, 4})), list(0, 8, -1)), perm(0, 2, 1))
		x = e.add("Add", e.add("Concat", e.weights(1, 1, 8), x, attr("axis", 1)), e.weights(1, 5, 8))
		h := e.add("LayerNormalization", x, e.positive(8), e.weights(8))
		h = e.add("Transpose", e.add("Reshape", e.add("MatMul", h, e.weights(8, 24)), list(0, 5, 3, 2, 4)), perm(2, 0, 3, 1, 4))
		part := func(i int64) string { return e.add("Gather", h, whole(i), attr("axis", 0)) }
		s := e.add("MatMul", part(0), e.add("Transpose", part(1), perm(0, 1, 3, 2)))
		s = e.add("Softmax", e.add("Mul", s, one(0.5)))
		s = e.add("Where", e.add("IsNaN", s), one(0), s)
		o := e.add("Reshape", e.add("Transpose", e.add("MatMul", s, part(2)), perm(0, 2, 1, 3)), list(0, 5, 8))
		x = e.add("Add", x, e.add("MatMul", o, e.weights(8, 8)))
		return e.add("Gemm", e.add("Gather", x, whole(0), attr("axis", 1)), e.weights(8, 5))
	}, 1, 1, 8, 8)
	add("patches mixed", 13, func(e *export) string {
		v := e.add("Transpose", e.add("Reshape", "x", list(-1, 2, 4, 2, 4)), perm(0, 1, 3, 2, 4))
		x := e.add("MatMul", e.add("Reshape", v, list(-1, 4, 16)), e.weights(16, 6))
		t := e.add("Relu", e.add("MatMul", e.weights(3, 4), x))
		x = e.add("Add", x, e.add("MatMul", e.weights(4, 3), t))
		return e.add("Gemm", e.add("ReduceMean", x, attr("axes", []int{1}), attr("keepdims", 0)), e.weights(6, 5))
	})
	add("Einsum", 13, func(e *export) string {
		v := e.add("Einsum", e.add("Reshape", "x", list(-1, 4, 16)), e.weights(16, 2, 3), attr("equation", "abc,cde->abde"))
		s := e.add("Einsum", v, v, attr("equation", "aecd, abcd -> acbe"))
		s = e.add("Einsum", s, v, attr("equation", "acbe,aecd->abcd"))
		return e.classes(e.add("Einsum", s, attr("equation", "abcd->adb")), 12)
	})
	add("distances to each class", 13, func(e *export) string {
		d := e.add("Sub", e.add("Unsqueeze", e.add("MatMul", e.add("Flatten", "x"), e.weights(64, 6)), list(1)), e.weights(1, 5, 6))
		return e.add("Neg", e.add("ReduceSum", e.add("Mul", d, d), list(2), attr("keepdims", 0)))
	})
	add("weights multiplied and normalised", 13, func(e *export) string {
		w := e.add("MatMul", e.weights(64, 7), e.store(e.weights(7, 5)))
		return e.add("MatMul", e.add("Flatten", "x"), e.add("Div", w, e.add("ReduceL2", w, attr("axes", []int{0}))))
	})

	// Normalisation and functions.
	for _, opset := range []int64{18, 21} {
		add(fmt.Sprint("GroupNormalization of opset ", opset), opset, func(e *export) string {
			n := int64(2)
			if opset == 21 {
				n = 4
			}
			return e.classes(e.add("GroupNormalization", e.conv("x", 4, 1, 3), e.positive(n), e.weights(n), attr("num_groups", 2)), 144)
		})
	}
	add("PyTorch's GroupNorm", 13, func(e *export) string {
		v := e.conv("x", 4, 1, 3)
		n := e.add("InstanceNormalization", e.add("Reshape", v, list(0, 2, -1)), floats(1, 1), floats(0, 0))
		return e.classes(e.add("Add", e.add("Mul", e.add("Reshape", n, e.add("Shape", v)), e.positive(4, 1, 1)), e.weights(4, 1, 1)), 144)
	})
	add("LayerNormalization of rows", 17, func(e *export) string {
		return e.classes(e.add("LayerNormalization", "x", e.positive(8), e.weights(8)), 64)
	})
	add("RMSNormalization", 23, func(e *export) string {
		return e.classes(e.add("RMSNormalization", e.add("MatMul", "x", e.weights(8, 7)), e.positive(7)), 56)
	})
	add("LRN", 13, func(e *export) string {
		return e.classes(e.add("LRN", e.conv("x", 4, 1, 3), attr("size", 3), attr("alpha", 0.5), attr("bias", 2.0)), 144)
	})
	add("reductions", 13, func(e *export) string {
		v := e.conv("x", 4, 1, 3)
		var parts []any
		for _, op := range []string{"ReduceMin", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSumExp"} {
			parts = append(parts, e.add(op, v, attr("axes", []int{2, 3})))
		}
		parts = append(parts, e.add("ReduceLogSum", e.add("Exp", v), attr("axes", []int{2, 3})))
		dropped := e.add("ReduceLogSumExp", v, attr("axes", []int{2, 3}), attr("keepdims", 0))
		parts = append(parts, e.add("Reshape", dropped, list(-1, 4, 1, 1)))
		return e.classes(e.add("Concat", append(parts, attr("axis", 1))...), 28)
	})
	add("ThresholdedRelu, Celu, Swish, Sign", 24, func(e *export) string {
		v := e.conv("x", 2, 1, 3)
		return e.classes(e.add("Concat", e.add("ThresholdedRelu", v, attr("alpha", 0.2)), e.add("Celu", v, attr("alpha", 0.7)),
			e.add("Swish", v, attr("alpha", 1.5)), e.add("Sign", v), e.add("CastLike", v, one(0)), attr("axis", 1)), 360)
	})
	add("sizes computed", 13, func(e *export) string {
		v := e.conv("x", 4, 1, 3)
		n := e.add("Gather", e.add("Shape", v), whole(0))
		width := e.add("Div", e.add("Size", v), n)
		half := e.add("Floor", e.add("Mul", e.add("Cast", width, attr("to", int(float))), one(0.51)))
		half = e.add("Ceil", e.add("Round", e.add("Sub", half, one(1.2))))
		shape := e.add("Concat", e.add("Reshape", n, list(-1)), list(2), e.add("Reshape", e.add("Cast", half, attr("to", int(int64s))), list(-1)), attr("axis", 0))
		return e.classes(e.add("Reshape", v, shape), 144)
	})

	// Along one dimension, and other sizes.
	add("attention to channels by a convolution over them", 13, func(e *export) string {
		v := e.add("Relu", e.conv("x", 4, 1, 3))
		s := e.add("Transpose", e.add("Squeeze", e.add("GlobalAveragePool", v), list(-1)), perm(0, 2, 1))
		s = e.add("Conv", s, e.weights(1, 1, 3), attr("pads", []int{1, 1}))
		return e.classes(e.add("Mul", v, e.add("Sigmoid", e.add("Unsqueeze", e.add("Transpose", s, perm(0, 2, 1)), list(-1)))), 144)
	})
	add("rows as channels, along one dimension", 13, func(e *export) string {
		v := e.add("Relu", e.add("Conv", "x", e.weights(4, 8, 3), e.weights(4), attr("strides", []int{1}), attr("dilations", []int{1})))
		a := e.add("AveragePool", v, attr("kernel_shape", []int{2}))
		return e.classes(e.add("Concat", e.add("MaxPool", v, attr("kernel_shape", []int{2})), a, e.add("GlobalMaxPool", v), attr("axis", 2)), 44)
	}, "N", 8, 8)
	add("Upsample", 9, func(e *export) string {
		return e.classes(e.conv(e.add("Upsample", "x", floats(1, 1, 2, 3)), 2, 1, 3), 616)
	})
	add("Resize by scales", 13, func(e *export) string {
		v := e.add("Resize", "x", "", floats(1, 1, 1.5, 0.75))
		w := e.add("Resize", "x", "", floats(1, 1, 1.5, 0.75), attr("mode", "linear"), attr("coordinate_transformation_mode", "asymmetric"))
		return e.classes(e.add("Concat", v, w, attr("axis", 1)), 144)
	})
	add("Resize to sizes", 18, func(e *export) string {
		v := e.add("Resize", "x", "", "", list(12, 11), attr("axes", []int{2, 3}), attr("mode", "linear"), attr("coordinate_transformation_mode", "align_corners"))
		w := e.add("Resize", "x", "", "", list(12, 11), attr("axes", []int{2, 3}), attr("nearest_mode", "ceil"), attr("coordinate_transformation_mode", "pytorch_half_pixel"))
		return e.classes(e.add("Add", v, w), 132)
	})
	add("ConvTranspose", 13, func(e *export) string {
		v := e.add("ConvTranspose", e.conv("x", 4, 1, 3), e.weights(4, 2, 3, 2), e.weights(4), attr("group", 2), attr("strides", []int{2, 3}), attr("pads", []int{1, 0, 2, 1}), attr("output_padding", []int{1, 0}))
		return e.classes(v, 704)
	})
	return cases
}

// conv is a convolution with a bias.
func (e *export) conv(v string, out, in, kernel int64, attributes ...any) string {
	return e.add("Conv", append([]any{v, e.weights(out, in, kernel, kernel), e.weights(out)}, attributes...)...)
}
