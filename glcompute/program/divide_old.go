package program

// How samples go through the operations that formulas, views and reductions replace.

func (o *MatMul) Flow(s Samples) Flow {
	switch {
	case o.Accumulate, s.each[o.B] && !o.TransA, o.TransA && (o.TransB || o.Bias != nil):
		return s.None(o.A, o.B)
	case o.TransA:
		return s.Sum(o.A, o.B)
	}
	return s.Rows(o.A)
}

func (o *MatMul) With(f func(*Tensor) *Tensor) Op {
	with := *o
	with.A, with.B, with.Bias, with.Out = f(o.A), f(o.B), f(o.Bias), f(o.Out)
	return &with
}

func (o *Map) Flow(s Samples) Flow                 { return s.Rows(o.X) }
func (o *ActivationGrad) Flow(s Samples) Flow      { return s.Rows(o.DY, o.Y) }
func (o *Combine) Flow(s Samples) Flow             { return s.Rows(o.A, o.B) }
func (o *ColumnSums) Flow(s Samples) Flow          { return s.Sum(o.X) }
func (o *RowSums) Flow(s Samples) Flow             { return s.Rows(o.X) }
func (o *MeanSquaredError) Flow(s Samples) Flow    { return s.Rows(o.Y, o.Target) }
func (o *Adam) Flow(s Samples) Flow                { return s.None(o.Reads()...) }
func (o *Map) With(f func(*Tensor) *Tensor) Op     { return &Map{f(o.X), f(o.Out), o.Activation} }
func (o *RowSums) With(f func(*Tensor) *Tensor) Op { return &RowSums{f(o.X), f(o.Out)} }

func (o *ActivationGrad) With(f func(*Tensor) *Tensor) Op {
	return &ActivationGrad{f(o.DY), f(o.Y), f(o.DX), o.Activation}
}

func (o *Combine) With(f func(*Tensor) *Tensor) Op {
	return &Combine{f(o.A), f(o.B), f(o.Out), o.Alpha, o.Beta}
}

func (o *ColumnSums) With(f func(*Tensor) *Tensor) Op { return &ColumnSums{f(o.X), f(o.Out)} }

func (o *MeanSquaredError) With(f func(*Tensor) *Tensor) Op {
	return &MeanSquaredError{f(o.Y), f(o.Target), f(o.Loss)}
}

func (o *Adam) With(f func(*Tensor) *Tensor) Op {
	return &Adam{f(o.W), f(o.M), f(o.V), f(o.DW), f(o.Settings)}
}
