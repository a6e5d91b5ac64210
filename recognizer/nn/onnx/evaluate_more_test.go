package onnx

import (
	"math"
	"slices"
	"strings"

	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// The operators of moreExports, as they are defined.
func init() {
	for name, f := range map[string]func(f fields, x float64) float64{
		"ThresholdedRelu": func(f fields, x float64) float64 { return x * truth(x > f.f("alpha", 1)) },
		"Celu": func(f fields, x float64) float64 {
			return max(x, 0) + min(0, f.f("alpha", 1)*math.Expm1(x/f.f("alpha", 1)))
		},
		"Swish":    func(f fields, x float64) float64 { return x / (1 + math.Exp(-f.f("alpha", 1)*x)) },
		"Sign":     func(_ fields, x float64) float64 { return truth(x > 0) - truth(x < 0) },
		"IsNaN":    func(_ fields, x float64) float64 { return truth(math.IsNaN(x)) },
		"Floor":    func(_ fields, x float64) float64 { return math.Floor(x) },
		"Ceil":     func(_ fields, x float64) float64 { return math.Ceil(x) },
		"Round":    func(_ fields, x float64) float64 { return math.RoundToEven(x) },
		"CastLike": func(_ fields, x float64) float64 { return x },
	} {
		unaryFunctions[name] = f
	}
	for name, f := range map[string]func(f fields) array{
		"Size": func(f fields) array {
			return array{onnxpb.TensorProto_INT64, nil, []float64{float64(len(f.in[0].data))}}
		},
		"DepthToSpace": func(f fields) array {
			x, n := f.in[0], f.i("blocksize", 0)
			c := x.dims[1] / (n * n)
			mode := f.attribute("mode")
			return fill([]int{x.dims[0], c, x.dims[2] * n, x.dims[3] * n}, func(at []int) float64 {
				channel := (at[2]%n*n+at[3]%n)*c + at[1]
				if mode != nil && string(mode.S) == "CRD" {
					channel = at[1]*n*n + at[2]%n*n + at[3]%n
				}
				return x.at(at[0], channel, at[2]/n, at[3]/n)
			})
		},
		"SpaceToDepth": func(f fields) array {
			x, n := f.in[0], f.i("blocksize", 0)
			c := x.dims[1]
			return fill([]int{x.dims[0], c * n * n, x.dims[2] / n, x.dims[3] / n}, func(at []int) float64 {
				block := at[1] / c
				return x.at(at[0], at[1]%c, at[2]*n+block/n, at[3]*n+block%n)
			})
		},
		"Einsum":   einsum,
		"Resize":   resized,
		"Upsample": resized,
		"ConvTranspose": func(f fields) array {
			x, w, groups := f.in[0], f.in[1], f.i("group", 1)
			stride, pads, extra := f.list("strides", -1, []int{1, 1}), f.list("pads", -1, []int{0, 0, 0, 0}), f.list("output_padding", -1, []int{0, 0})
			dims := []int{x.dims[0], w.dims[1] * groups, 0, 0}
			for d := range 2 {
				dims[2+d] = stride[d]*(x.dims[2+d]-1) + extra[d] + w.dims[2+d] - pads[d] - pads[2+d]
			}
			out := fill(dims, func(at []int) float64 { return f.in[2].at(at[1]) })
			fill([]int{x.dims[0], x.dims[1], x.dims[2], x.dims[3], w.dims[1], w.dims[2], w.dims[3]}, func(at []int) float64 {
				y, xx := at[2]*stride[0]+at[5]-pads[0], at[3]*stride[1]+at[6]-pads[1]
				if y >= 0 && y < dims[2] && xx >= 0 && xx < dims[3] {
					channel := at[1]/(x.dims[1]/groups)*w.dims[1] + at[4]
					out.data[((at[0]*dims[1]+channel)*dims[2]+y)*dims[3]+xx] += x.at(at[:4]...) * w.at(at[1], at[4], at[5], at[6])
				}
				return 0
			})
			return out
		},
		"GroupNormalization": func(f fields) array {
			x, groups := *f.in[0], f.i("num_groups", 0)
			size := x.dims[1] / groups
			wide := reshaped(x, []int{x.dims[0], groups, size * x.dims[2] * x.dims[3]})
			f.in[0] = &wide
			y := reshaped(normalised(f, []int{2}, func(i int, _ []int) float64 { return float64(2 - i) }), x.dims)
			return fill(x.dims, func(at []int) float64 {
				c := at[1]
				if f.opset < 21 {
					c /= size
				}
				return y.at(at...)*f.in[1].at(c) + f.in[2].at(c)
			})
		},
		"RMSNormalization": func(f fields) array {
			x := *f.in[0]
			square := reduction(fill(x.dims, func(at []int) float64 { return x.at(at...) * x.at(at...) }), "Mean", []int{-1}, true)
			return fill(x.dims, func(at []int) float64 { return x.at(at...) / math.Sqrt(square.at(at...)+1e-5) * f.in[1].at(at...) })
		},
		"LRN": func(f fields) array {
			x, size := f.in[0], f.i("size", 0)
			return fill(x.dims, func(at []int) float64 {
				sum, c := 0.0, slices.Clone(at)
				for c[1] = max(0, at[1]-(size-1)/2); c[1] <= min(x.dims[1]-1, at[1]+size/2); c[1]++ {
					sum += x.at(c...) * x.at(c...)
				}
				return x.at(at...) / math.Pow(f.f("bias", 1)+f.f("alpha", 1e-4)/float64(size)*sum, f.f("beta", 0.75))
			})
		},
	} {
		otherOperators[name] = func(f2 fields) []array { return []array{f(f2)} }
	}
	for name, of := range map[string][3]func(x float64) float64{
		"ReduceMin": {negated, nil, negated}, "ReduceL1": {math.Abs}, "ReduceL2": {squared, nil, math.Sqrt}, "ReduceSumSquare": {squared},
		"ReduceLogSum": {nil, nil, math.Log}, "ReduceLogSumExp": {math.Exp, nil, math.Log},
	} {
		by := "Sum"
		if name == "ReduceMin" {
			by = "Max"
		}
		otherOperators[name] = func(f fields) []array {
			each := func(x array, g func(float64) float64) array {
				if g == nil {
					return x
				}
				y := slices.Clone(x.data)
				for i := range y {
					y[i] = g(y[i])
				}
				return array{x.kind, x.dims, y}
			}
			x := each(*f.in[0], of[0])
			f.in = append([]*array{&x}, f.in[1:]...)
			return []array{each(reductionNode(by)(f)[0], of[2])}
		}
	}
	otherOperators["Split"] = func(f fields) []array {
		x, n := f.in[0], len(f.node.Output)
		axis := within(f.i("axis", 0), len(x.dims))
		each := (x.dims[axis] + n - 1) / n
		sizes := f.list("split", 1, nil)
		var parts []array
		from := 0
		for i := range n {
			size := min(each, x.dims[axis]-from)
			if sizes != nil {
				size = sizes[i]
			}
			dims, start := slices.Clone(x.dims), from
			dims[axis] = size
			parts = append(parts, fill(dims, func(at []int) float64 {
				at = slices.Clone(at)
				at[axis] += start
				return x.at(at...)
			}))
			from += size
		}
		return parts
	}
}

func negated(x float64) float64 { return -x }
func squared(x float64) float64 { return x * x }

// einsum adds products over all values of the labels that the result does not have.
func einsum(f fields) array {
	from, to, _ := strings.Cut(strings.ReplaceAll(string(f.attribute("equation").S), " ", ""), "->")
	terms := strings.Split(from, ",")
	sizes, labels := map[byte]int{}, to
	for i, term := range terms {
		for k := range len(term) {
			sizes[term[k]] = f.in[i].dims[k]
			if !strings.Contains(labels, term[k:k+1]) {
				labels += term[k : k+1]
			}
		}
	}
	dims := make([]int, len(labels))
	for i := range dims {
		dims[i] = sizes[labels[i]]
	}
	out := fill(dims[:len(to)], func([]int) float64 { return 0 })
	fill(dims, func(at []int) float64 {
		product := 1.0
		for i, term := range terms {
			index := make([]int, len(term))
			for k := range index {
				index[k] = at[strings.IndexByte(labels, term[k])]
			}
			product *= f.in[i].at(index...)
		}
		place := 0
		for i := range to {
			place = place*dims[i] + at[i]
		}
		out.data[place] += product
		return 0
	})
	return out
}

// resized takes the nearest value along the dimensions, or interpolates between two.
func resized(f fields) array {
	x := f.in[0]
	text := func(name, otherwise string) string {
		if a := f.attribute(name); a != nil {
			return string(a.S)
		}
		return otherwise
	}
	mode, transform, nearest := text("mode", "nearest"), text("coordinate_transformation_mode", "half_pixel"), text("nearest_mode", "round_prefer_floor")
	scales := make([]float64, len(x.dims))
	dims := slices.Clone(x.dims)
	said := 1
	if f.node.GetOpType() == "Upsample" {
		transform, nearest = "asymmetric", "floor"
	} else if said = 2; f.in[2] == nil {
		said = 3
	}
	axes := f.list("axes", -1, []int{0, 1, 2, 3})
	for i := range scales {
		scales[i] = 1
	}
	for i, a := range axes {
		if scales[a] = f.in[said].data[i]; said == 3 {
			dims[a], scales[a] = int(scales[a]), scales[a]/float64(x.dims[a])
		} else {
			dims[a] = int(math.Floor(float64(x.dims[a]) * scales[a]))
		}
	}
	return fill(dims, func(at []int) float64 {
		places, shares := [][]int{{}}, []float64{1}
		for d, k := range at {
			p := (float64(k)+0.5)/scales[d] - 0.5
			switch transform {
			case "asymmetric":
				p = float64(k) / scales[d]
			case "align_corners":
				p = float64(k) * float64(x.dims[d]-1) / max(float64(dims[d]-1), 1)
			}
			p = min(max(p, 0), float64(x.dims[d]-1))
			low, high, share := int(math.Floor(p)), int(math.Ceil(p)), p-math.Floor(p)
			if mode == "nearest" {
				up := map[string]bool{"floor": false, "ceil": share > 0, "round_prefer_floor": share > 0.5, "round_prefer_ceil": share >= 0.5}[nearest]
				share = truth(up)
			}
			var more [][]int
			var weights []float64
			for i, p := range places {
				more = append(more, append(slices.Clone(p), low), append(slices.Clone(p), high))
				weights = append(weights, shares[i]*(1-share), shares[i]*share)
			}
			places, shares = more, weights
		}
		sum := 0.0
		for i, p := range places {
			sum += shares[i] * x.at(p...)
		}
		return sum
	})
}
