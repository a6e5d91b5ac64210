package program

import "inkshade/glcompute/reference"

// ColumnSums is Out[1][c] = Σ_r X[r][c]: the gradient of a bias from that of a layer.
type ColumnSums struct{ X, Out *Tensor }

func (o *ColumnSums) Name() string      { return "column-sums" }
func (o *ColumnSums) Reads() []*Tensor  { return []*Tensor{o.X} }
func (o *ColumnSums) Writes() []*Tensor { return []*Tensor{o.Out} }
func (o *ColumnSums) Reference(v Values) {
	reference.ColumnSums(v.Of(o.Out), v.Of(o.X), o.X.Rows, o.X.Cols)
}

// ColumnSums records the sums over the rows of x, shape [1][cols].
func (p *Program) ColumnSums(x *Tensor) *Tensor {
	out := p.result(1, x.Cols)
	p.Record(&ColumnSums{X: x, Out: out})
	return out
}

// RowSums is Out[r][1] = Σ_c X[r][c].
type RowSums struct{ X, Out *Tensor }

func (o *RowSums) Name() string      { return "row-sums" }
func (o *RowSums) Reads() []*Tensor  { return []*Tensor{o.X} }
func (o *RowSums) Writes() []*Tensor { return []*Tensor{o.Out} }
func (o *RowSums) Reference(v Values) {
	reference.RowSums(v.Of(o.Out), v.Of(o.X), o.X.Rows, o.X.Cols)
}

// RowSums records the sums over the columns of x, shape [rows][1].
func (p *Program) RowSums(x *Tensor) *Tensor {
	out := p.result(x.Rows, 1)
	p.Record(&RowSums{X: x, Out: out})
	return out
}
