package cpu

import (
	"inkshade/glcompute/expr"
	"inkshade/glcompute/program"
)

// modern gives the operation over expressions that does the same as one of those that it replaces.
func modern(op program.Op) program.Op {
	a, b, c := expr.Arg(0), expr.Arg(1), expr.Arg(2)
	each := func(e *expr.Expr, out *program.Tensor, args ...*program.Tensor) *program.Elementwise {
		return &program.Elementwise{Args: wholes(args), Exprs: []*expr.Expr{e}, Outs: []*program.Tensor{out}}
	}
	product := func(p program.Product, accumulate bool) *program.Product {
		if accumulate {
			p.Epilogue = &program.Epilogue{Elementwise: each(expr.Add(a, b), p.Out, p.Out, p.Out)}
		}
		return &p
	}
	reduce := func(kind program.ReduceKind, along program.Along, term *expr.Expr, out *program.Tensor, args ...*program.Tensor) program.Op {
		return &program.Reduce{Kind: kind, Along: along, Term: term, Args: wholes(args), ExtentRows: args[0].Rows, ExtentCols: args[0].Cols, Out: out}
	}
	switch o := op.(type) {
	case *program.Map:
		return each(activation(o.Activation, a), o.Out, o.X)
	case *program.ActivationGrad:
		return each(slope(o.Activation, a, b), o.DX, o.DY, o.Y)
	case *program.Combine:
		return each(expr.Add(expr.Scale(o.Alpha, a), expr.Scale(o.Beta, b)), o.Out, o.A, o.B)
	case *program.MatMul:
		p := product(program.Product{A: program.View{Tensor: o.A, Trans: o.TransA}, B: program.View{Tensor: o.B, Trans: o.TransB}, Out: o.Out}, o.Accumulate)
		if o.Bias != nil {
			p.Epilogue = &program.Epilogue{Elementwise: each(activation(o.Activation, expr.Add(a, b)), o.Out, o.Out, o.Bias)}
		} else if o.Activation != program.Identity {
			p.Epilogue = &program.Epilogue{Elementwise: each(activation(o.Activation, a), o.Out, o.Out)}
		}
		return p
	case *program.Outer:
		return product(program.Product{A: program.Transposed(o.A), B: program.Plain(o.B), Out: o.Out}, o.Accumulate)
	case *program.ColumnSums:
		return reduce(program.Sum, program.Columns, a, o.Out, o.X)
	case *program.RowSums:
		return reduce(program.Sum, program.Rows, a, o.Out, o.X)
	case *program.MeanSquaredError:
		return reduce(program.Mean, program.Rows, expr.Square(expr.Sub(a, b)), o.Loss, o.Y, o.Target)
	case *program.SGD:
		if o.Low == nil {
			return descend(o)
		}
	case *program.Adam:
		args := wholes([]*program.Tensor{o.W, o.M, o.V, o.DW})
		for i := range program.AdamSettings {
			args = append(args, program.ValueOf(o.Settings, i))
		}
		rate, beta1, beta2, epsilon, decay, correction1, correction2 := expr.Arg(4), expr.Arg(5), expr.Arg(6), expr.Arg(7), expr.Arg(8), expr.Arg(9), expr.Arg(10)
		g := expr.Add(expr.Arg(3), expr.Mul(decay, a))
		moment := func(old, beta, value *expr.Expr) *expr.Expr {
			return expr.Add(expr.Mul(beta, old), expr.Mul(expr.Sub(expr.Const(1), beta), value))
		}
		return &program.Elementwise{Args: args, Outs: []*program.Tensor{o.M, o.V, o.W}, Exprs: []*expr.Expr{
			moment(b, beta1, g), moment(c, beta2, expr.Square(g)),
			expr.Sub(a, expr.Div(expr.Mul(rate, expr.Div(expr.NewValue(0), correction1)), expr.Add(expr.Sqrt(expr.Div(expr.NewValue(1), correction2)), epsilon))),
		}}
	}
	return op
}

func wholes(tensors []*program.Tensor) []program.Operand {
	var all []program.Operand
	for _, t := range tensors {
		all = append(all, program.Whole(t))
	}
	return all
}

func activation(f program.Activation, x *expr.Expr) *expr.Expr {
	switch f {
	case program.Tanh:
		return expr.Tanh(x)
	case program.Sigmoid:
		return expr.Sigmoid(x)
	case program.ReLU:
		return expr.ReLU(x)
	}
	return x
}

// slope is dy times the derivative in terms of the result y.
func slope(f program.Activation, dy, y *expr.Expr) *expr.Expr {
	switch f {
	case program.Tanh:
		return expr.Mul(dy, expr.Sub(expr.Const(1), expr.Square(y)))
	case program.Sigmoid:
		return expr.Mul(dy, expr.Mul(y, expr.Sub(expr.Const(1), y)))
	case program.ReLU:
		return expr.Select(y, dy, expr.Scale(0, dy))
	}
	return dy
}

func descend(o *program.SGD) program.Op {
	args := append(wholes([]*program.Tensor{o.V, o.W, o.DW}), program.ValueOf(o.Settings, 0), program.ValueOf(o.Settings, 1), program.ValueOf(o.Settings, 2))
	rate, momentum, decay, towards := expr.Arg(3), expr.Arg(4), expr.Arg(5), expr.Arg(1)
	if o.Anchor != nil {
		args = append(args, program.Whole(o.Anchor))
		towards = expr.Sub(towards, expr.Arg(6))
	}
	v := expr.Add(expr.Add(expr.Mul(momentum, expr.Arg(0)), expr.Arg(2)), expr.Mul(decay, towards))
	return &program.Elementwise{Args: args, Outs: []*program.Tensor{o.V, o.W}, Exprs: []*expr.Expr{v, expr.Sub(expr.Arg(1), expr.Mul(rate, expr.NewValue(0)))}}
}
