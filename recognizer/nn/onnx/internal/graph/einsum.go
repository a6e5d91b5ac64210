package graph

import (
	"regexp"
	"strings"
)

// equations are those of one or two inputs. Labels are letters.
var equations = regexp.MustCompile(`^([A-Za-z]*)(?:,([A-Za-z]*))?->([A-Za-z]*)$`)

// einsum is a sum of products over labelled dimensions, as a product of matrices: [shared,left,summed] by
// [shared,summed,right].
func einsum(c *call) *Value {
	equation := strings.ReplaceAll(c.text("equation", ""), " ", "")
	fits := func(is bool) {
		Require(is, "its equation %q does not fit its inputs, or is not one such as abc,cd->abd of one or two of them", equation)
	}
	parts := equations.FindStringSubmatch(equation)
	fits(parts != nil && len(c.inputs) == 1+strings.Count(equation, ","))
	to, sizes := parts[3], map[rune]int{}
	for i, v := range c.inputs {
		fits(len(v.Dims) == len(parts[1+i]))
		for k, label := range parts[1+i] {
			n, known := sizes[label]
			fits(strings.Count(parts[1+i], string(label)) == 1 && (!known || n == v.Dims[k]))
			sizes[label] = v.Dims[k]
		}
	}
	for _, label := range to {
		_, known := sizes[label]
		fits(known && strings.Count(to, string(label)) == 1)
	}
	result, labels := c.only(c.inputs[0], parts[1], to+parts[2])
	if len(c.inputs) == 2 {
		y, others := c.only(c.inputs[1], parts[2], to+parts[1])
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
	}
	return c.transpose(result, places(labels, to))
}

// only sums over the dimensions of a value that others do not have, and gives the labels that are left.
func (c *call) only(v *Value, labels, others string) (*Value, string) {
	if axes := places(labels, drop(labels, others)); len(axes) > 0 {
		v = c.reduce(Sum, v, axes, false)
	}
	return v, keep(labels, others)
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

// places says where in labels each of to stands.
func places(labels, to string) []int {
	order := make([]int, 0, len(to))
	for _, label := range to {
		order = append(order, strings.IndexRune(labels, label))
	}
	return order
}
