package glops

import (
	"fmt"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

// Choosable lists the operations that have numbered variants, those of the product, alone and
// in one pass with the operation after it, being the executor's own.
func Choosable(products, pairs []string) []gldevice.Choosable {
	return []gldevice.Choosable{
		{Name: ProductName, Variants: products, Describe: describeProduct, Record: recordProduct},
		pairChoosable(pairs), columnSumsChoosable, softmaxChoosable,
	}
}

// ProductName is the name under which products are chosen.
const ProductName = "product"

// WorthMeasuring is the number of multiplications below which a product takes a few
// microseconds in any way.
const WorthMeasuring = 1 << 17

// ProductClass is the class of a product without columns (see ByRows): its transposes and what
// follows the sum, which its shaders depend on, and its sizes.
func ProductClass(o *program.MatMul) gldevice.Class {
	m, n, inner := o.Dims()
	return gldevice.Class{
		Op:      ProductName,
		Options: []int{number(o.TransA), number(o.TransB), biasOption(o), int(o.Activation)},
		Sizes:   []int{m, n, inner},
	}
}

// How products have a bias.
const (
	biasNone = iota
	biasOfColumns
	biasOfAll
)

func biasOption(o *program.MatMul) int {
	switch {
	case oneBias(o):
		return biasOfAll
	case o.Bias != nil:
		return biasOfColumns
	}
	return biasNone
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func describeProduct(c gldevice.Class) string {
	mark := func(transposed int) string {
		if transposed == 1 {
			return "'"
		}
		return ""
	}
	m, n, inner := c.Sizes[0], c.Sizes[1], c.Sizes[2]
	text := fmt.Sprintf("%dx%d%s · %dx%d%s", m, inner, mark(c.Options[0]), inner, n, mark(c.Options[1]))
	switch c.Options[2] {
	case biasOfAll:
		text += ", one bias"
	case biasOfColumns:
		text += ", bias"
	}
	if f := program.Activation(c.Options[3]); f != program.Identity {
		text += ", " + f.String()
	}
	return text
}

func recordProduct(p *program.Program, c gldevice.Class) {
	m, n, inner := c.Sizes[0], c.Sizes[1], c.Sizes[2]
	transA, transB := c.Options[0] == 1, c.Options[1] == 1
	if c.Options[2] == biasOfAll { // the layer is a column
		p.Linear(p.Input(n, inner), p.Input(inner, 1), p.Input(1, 1), program.Activation(c.Options[3]))
		return
	}
	if transA || transB { // products of layers alone have more to them
		a, b := [2]int{m, inner}, [2]int{inner, n}
		if transA {
			a[0], a[1] = a[1], a[0]
		}
		if transB {
			b[0], b[1] = b[1], b[0]
		}
		p.MatMul(p.Input(a[0], a[1]), p.Input(b[0], b[1]), transA, transB)
		return
	}
	var bias *program.Tensor
	if c.Options[2] == biasOfColumns {
		bias = p.Input(1, n)
	}
	p.Linear(p.Input(m, inner), p.Input(inner, n), bias, program.Activation(c.Options[3]))
}
