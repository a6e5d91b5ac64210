package cpu

import "inkshade/glcompute/program"

// Costs of one element in additions, for the decision to use threads.
const (
	costCopy       = 1
	costArithmetic = 2
	costExp        = 16
)

func init() {
	register(func(b *builder, op *program.Elementwise) func() { return b.formula(op, -1).all() })
}
