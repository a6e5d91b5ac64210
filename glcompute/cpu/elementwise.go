package cpu

import "inkshade/glcompute/program"

// Costs of one element in additions, for the decision to use threads.
const (
	costCopy       = 1
	costArithmetic = 2
	costExp        = 16
)

func init() {
	register(func(b *builder, op *program.Map) func() {
		x, out := b.Of(op.X), b.Of(op.Out)
		if op.Activation == program.Identity {
			return func() { copy(out, x) }
		}
		return parallel(len(x), activationCost(op.Activation), func(from, to int) {
			activate(out[from:to], x[from:to], op.Activation)
		})
	})
	register(func(b *builder, op *program.ActivationGrad) func() {
		dy, y, dx := b.Of(op.DY), b.Of(op.Y), b.Of(op.DX)
		return parallel(len(y), costArithmetic, func(from, to int) {
			activationGrad(dx[from:to], dy[from:to], y[from:to], op.Activation)
		})
	})
	register(func(b *builder, op *program.Combine) func() {
		a, c, out := b.Of(op.A), b.Of(op.B), b.Of(op.Out)
		return parallel(len(out), costArithmetic, func(from, to int) {
			combine(out[from:to], a[from:to], c[from:to], op.Alpha, op.Beta)
		})
	})
}

func activationCost(f program.Activation) int {
	switch f {
	case program.Tanh, program.Sigmoid:
		return costExp
	}
	return costCopy
}

// activate is out = f(x); out may be x.
func activate(out, x []float32, f program.Activation) {
	if vectorActivate(out, x, f) {
		return
	}
	switch f {
	case program.Identity:
		copy(out, x)
	case program.Tanh:
		tanhs(out, x)
	case program.Sigmoid:
		sigmoids(out, x)
	case program.ReLU:
		relus(out, x)
	default:
		panic("cpu: no kernel for " + f.String())
	}
}

// activationGrad is dx = dy ∘ f', f' in terms of y = f(x).
func activationGrad(dx, dy, y []float32, f program.Activation) {
	dx, dy = dx[:len(y)], dy[:len(y)]
	switch f {
	case program.Identity:
		copy(dx, dy)
	case program.Tanh:
		for i, v := range y {
			dx[i] = dy[i] * (1 - v*v)
		}
	case program.Sigmoid:
		for i, v := range y {
			dx[i] = dy[i] * (v * (1 - v))
		}
	case program.ReLU:
		for i, v := range y {
			dx[i] = dy[i] * positive(v)
		}
	default:
		panic("cpu: no kernel for the derivative of " + f.String())
	}
}

// combine is out = alpha·a + beta·b.
func combine(out, a, b []float32, alpha, beta float32) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		out[i] = alpha*a[i] + beta*b[i]
	}
}
