package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

// PairName is the name under which a product is chosen together with the operation after it.
const PairName = "product and the next"

// The operations that may follow a product in its pass.
const (
	nextGradient = iota // the backward pass of a nonlinearity
	nextStep            // a step of SGD
)

// PairClass is the class of a product without columns (see ByRows) with what follows it; ok is
// false where no pass does both.
func PairClass(o *program.MatMul, next program.Op) (class gldevice.Class, ok bool) {
	if o.Bias != nil || o.Accumulate || o.Activation != program.Identity {
		return class, false
	}
	m, n, inner := o.Dims()
	class = gldevice.Class{
		Op: PairName, Options: []int{number(o.TransA), number(o.TransB), 0, 0}, Sizes: []int{m, n, inner},
	}
	var result *program.Tensor // of the product, as the next reads it
	switch next := next.(type) {
	case *program.ActivationGrad:
		class.Options[2], class.Options[3], result = nextGradient, int(next.Activation), next.DY
		ok = next.Y.ID != o.Out.ID
	case *program.SGD:
		class.Options[2], class.Options[3], result = nextStep, number(next.Anchor != nil), next.DW
		ok = next.Low == nil
	}
	return class, ok && result.ID == o.Out.ID
}

// pairChoosable gives numbered ways to do both in one pass; that which does not is before them.
func pairChoosable(inOnePass []string) gldevice.Choosable {
	return gldevice.Choosable{
		Name: PairName, Variants: append([]string{"apart"}, inOnePass...), Describe: describePair, Record: recordPair,
	}
}

func describePair(c gldevice.Class) string {
	product := c
	product.Options = []int{c.Options[0], c.Options[1], biasNone, 0}
	switch {
	case c.Options[2] == nextGradient:
		return describeProduct(product) + ", gradient of " + program.Activation(c.Options[3]).String()
	case c.Options[3] == 1:
		return describeProduct(product) + ", step with anchor"
	}
	return describeProduct(product) + ", step"
}

func recordPair(p *program.Program, c gldevice.Class) {
	product := c
	product.Options = []int{c.Options[0], c.Options[1], biasNone, 0}
	recordProduct(p, product)
	out := p.Ops()[len(p.Ops())-1].(*program.MatMul).Out
	if c.Options[2] == nextGradient {
		p.ActivationGrad(out, p.Input(out.Rows, out.Cols), program.Activation(c.Options[3]))
		return
	}
	variable := func() *program.Tensor { return p.Variable(program.NewParameter("", out.Rows, out.Cols, nil)) }
	var anchor *program.Tensor
	if c.Options[3] == 1 {
		anchor = variable()
	}
	p.SGD(variable(), variable(), out, anchor, p.Input(1, 3))
}
