package graph

import (
	"slices"
	"strings"
	"unicode"
)

// einsum is a sum of products over labelled dimensions, as a product of matrices: [shared,left,summed] by
// [shared,summed,right].
func einsum(c *call) *Value {
	equation := strings.ReplaceAll(c.text("equation", ""), " ", "")
	refuse := func() {
		Refuse("its equation %q does not fit its inputs, or is not one such as abc,cd->abd of one or two of them", equation)
	}
	from, to, said := strings.Cut(equation, "->")
	terms := strings.Split(from, ",")
	foreign := func(r rune) bool { return r > unicode.MaxASCII }
	if !said || strings.ContainsFunc(equation, foreign) || len(terms) != len(c.inputs) || len(terms) > 2 || strings.Contains(equation, ".") {
		refuse()
	}
	sizes := map[rune]int{}
	for i, term := range terms {
		if len(term) != len(c.inputs[i].Dims) || repeats(term) {
			refuse()
		}
		for k, label := range term {
			if n, ok := sizes[label]; ok && n != c.inputs[i].Dims[k] {
				refuse()
			}
			sizes[label] = c.inputs[i].Dims[k]
		}
	}
	if repeats(to) || strings.Trim(to, from) != "" {
		refuse()
	}
	result, labels := c.only(c.inputs[0], terms[0], to+terms[len(terms)-1]), keep(terms[0], to+terms[len(terms)-1])
	if len(terms) == 2 {
		y, others := c.only(c.inputs[1], terms[1], to+terms[0]), keep(terms[1], to+terms[0])
		shared, summed := keep(keep(labels, others), to), drop(keep(labels, others), to)
		left, right := drop(labels, others), drop(others, labels)
		dims := func(labels string) (dims []int) {
			for _, label := range labels {
				dims = append(dims, sizes[label])
			}
			return dims
		}
		s, l, k, r := count(dims(shared)), count(dims(left)), count(dims(summed)), count(dims(right))
		x := c.reshape(c.transpose(result, places(labels, shared+left+summed)), []int{s, l, k})
		y = c.reshape(c.transpose(y, places(others, shared+summed+right)), []int{s, k, r})
		labels = shared + left + right
		result = c.reshape(c.matMul(x, y), dims(labels))
	} else {
		result, labels = c.only(result, labels, to), keep(labels, to)
	}
	return c.transpose(result, places(labels, to))
}

// only sums over the dimensions of a value that others do not have.
func (c *call) only(v *Value, labels, others string) *Value {
	var axes []int
	for i, label := range labels {
		if !strings.ContainsRune(others, label) {
			axes = append(axes, i)
		}
	}
	if axes == nil {
		return v
	}
	return c.reduce(Sum, v, axes, false)
}

// keep is what labels have in common with others, drop what not.
func keep(labels, others string) string { return drop(labels, drop(labels, others)) }

func drop(labels, others string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(others, r) {
			return -1
		}
		return r
	}, labels)
}

func repeats(labels string) bool {
	all := []rune(labels)
	slices.Sort(all)
	return len(slices.Compact(all)) < len([]rune(labels))
}

// places says where in labels each of to stands.
func places(labels, to string) []int {
	order := make([]int, 0, len(to))
	for _, label := range to {
		order = append(order, strings.IndexRune(labels, label))
	}
	return order
}
