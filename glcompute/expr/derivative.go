package expr

// Derivative is that of the formula by its operand number i. Where the rule of a primitive can
// be written in terms of its own value it is (Rumelhart, Hinton and Williams, 1986): so the
// derivative of tanh(a0 + a1) reads nothing but that value, and the sum need not be kept.
func (e *Expr) Derivative(i int) *Expr { return e.derivative(i, map[string]*Expr{}) }

func (e *Expr) derivative(i int, done map[string]*Expr) *Expr {
	if d, ok := done[e.key]; ok {
		return d
	}
	d := Const(0)
	switch {
	case e.Kind == LeafOperand && e.Index == i:
		d = Const(1)
	case e.Kind >= OpAdd:
		args := make([]*Expr, len(e.Args))
		for n, a := range e.Args {
			args[n] = a.derivative(i, done)
		}
		d = e.rule(args)
	}
	done[e.key] = d
	return d
}

// rule gives the derivative of a primitive from those of its arguments.
func (e *Expr) rule(d []*Expr) *Expr {
	switch e.Kind {
	case OpAdd:
		return Add(d[0], d[1])
	case OpSub:
		return Sub(d[0], d[1])
	case OpMul:
		return Add(Mul(d[0], e.Args[1]), Mul(e.Args[0], d[1]))
	case OpDiv:
		return Sub(Div(d[0], e.Args[1]), Div(Mul(e, d[1]), e.Args[1]))
	case OpMax:
		return e.larger(d[0], d[1], Sub)
	case OpMin:
		return e.larger(d[0], d[1], func(a, b *Expr) *Expr { return Sub(b, a) })
	case OpExp:
		return Mul(d[0], e)
	case OpLog:
		return Div(d[0], e.Args[0])
	case OpSqrt:
		return Div(d[0], Scale(2, e))
	case OpTanh:
		return Mul(d[0], Sub(Const(1), Square(e)))
	case OpSigmoid:
		return Mul(d[0], Mul(e, Sub(Const(1), e)))
	case OpSelect:
		return Select(e.Args[0], d[1], d[2])
	}
	panic("expr: no derivative of " + e.key)
}

// larger is the rule of the maximum, and of the minimum with above turned round. Beside a
// constant, which comes last, the value itself tells which of the two it is.
func (e *Expr) larger(da, db *Expr, above func(a, b *Expr) *Expr) *Expr {
	a, b := e.Args[0], e.Args[1]
	if b.Kind == LeafConstant {
		a = e
	}
	return Select(above(a, b), da, db)
}
