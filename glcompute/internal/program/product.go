package program

import (
	"fmt"
	"slices"

	"inkshade/glcompute/expr"
)

// Product is the matrix product of two operands, each read through a view:
//
//	Out[m][n] = Σ_k A'[m][k] · B'[k][n]        or, with Distance,        Σ_k (A'[m][k] - B'[k][n])²
//
// A plain A' is A, or A transposed where A.Trans; B' likewise. The forward pass of a layer is
// x·W, its gradients are dW = xᵀ·dy and dx = dy·Wᵀ, so no operand is ever transposed in memory.
// Inner product and transposed product of the pixel-shader patent (US 7,219,085, Microsoft,
// claim 1; CN1627251); of a single row and a transposed one it is the outer product of its
// description.
//
// Where A is gathered through a table (View.Table) the product is a convolution: see Gathered.
// Where A is sparse (View.Sparse) see SparseProduct and SparseGradient.
//
// With an Epilogue the sums are no result: they go into its formulas at once (see Fuse).
type Product struct {
	A, B     View
	Distance bool
	Out      *Tensor
	Epilogue *Epilogue // nil for none
}

// View says how a product reads an operand.
type View struct {
	*Tensor
	Trans  bool
	Table  *Table // of a gathered operand: see Gathered
	Groups int    // of a convolution, at least 1 where there is a Table
	Sparse *Sparse
}

// Plain is the tensor t as it is.
func Plain(t *Tensor) View { return View{Tensor: t} }

// Transposed is the tensor t with rows and columns changed over.
func Transposed(t *Tensor) View { return View{Tensor: t, Trans: true} }

// Epilogue are formulas that take the result of the operation before as their operand number
// Sum; that result is not written.
type Epilogue struct {
	*Elementwise
	Sum int
}

func (o *Product) Name() string {
	name := "product"
	switch {
	case o.A.Table != nil:
		name = "convolution"
	case o.A.Sparse != nil:
		name = "sparse product"
	case o.Distance:
		name = "distances"
	}
	return withEpilogue(name, o.Epilogue)
}

// withEpilogue adds the name of what is done in the same pass.
func withEpilogue(name string, e *Epilogue) string {
	if e == nil {
		return name
	}
	return name + ", " + e.Name()
}

func (o *Product) Reads() []*Tensor {
	all := []*Tensor{o.A.Tensor, o.B.Tensor}
	switch s := o.A.Sparse; {
	case s != nil && o.A.Trans:
		all = []*Tensor{s.Values, s.Order, s.Sources, s.Runs, o.B.Tensor}
	case s != nil:
		all = []*Tensor{s.Values, s.Columns, s.Starts, o.B.Tensor}
	}
	return append(all, o.Epilogue.reads()...)
}

func (o *Product) Writes() []*Tensor { return o.Epilogue.writes(o.Out) }

// reads are the operands but for the result of the operation before.
func (e *Epilogue) reads() []*Tensor {
	if e == nil {
		return nil
	}
	return slices.Delete(tensorsOf(e.Args), e.Sum, e.Sum+1)
}

func (e *Epilogue) writes(out *Tensor) []*Tensor {
	if e == nil {
		return []*Tensor{out}
	}
	return e.Outs
}

// Dims gives the rows and columns of the result and the length of the sums; of a convolution
// the length of one group.
func (o *Product) Dims() (m, n, k int) {
	switch {
	case o.A.Table != nil:
		return o.Out.Rows, o.Out.Cols, o.Gathered().Inner
	case o.A.Sparse != nil:
		return o.Out.Rows, o.Out.Cols, o.A.Sparse.Rows + o.A.Sparse.Cols - o.Out.Rows
	}
	m, k = o.A.dims()
	_, n = o.B.dims()
	return m, n, k
}

// dims are the rows and columns of a plain or transposed operand.
func (x View) dims() (rows, cols int) {
	if x.Trans {
		return x.Cols, x.Rows
	}
	return x.Rows, x.Cols
}

// Gathered describes a convolution: a product whose operand A is a virtual image matrix that is
// never stored (US 10,255,547, NVIDIA, 2014, claim 1: source addresses from start addresses
// and offsets, image tiles made on demand, each multiplied by a filter tile). With images X
// [N·Pixels][Groups·In], a table [Positions][Taps] of pixels, filters W [Taps·In][Groups·Out]
// and results Y [N·Positions][Groups·Out], for every group g:
//
//	forward          Y[n·Positions+p][g·Out+j] = Σ_t Σ_c X[n·Pixels+table[p][t]][g·In+c] · W[t·In+c][g·Out+j]
//	input gradient   X[n·Pixels+q][g·In+c]     = Σ_t Σ_j Y[n·Positions+inverse[q][t]][g·Out+j] · W[t·In+c][g·Out+j]
//	filter gradient  W[t·In+c][g·Out+j]        = Σ_n Σ_p X[n·Pixels+table[p][t]][g·In+c] · Y[n·Positions+p][g·Out+j]
//
// An entry of -1 reads as zero. The forward pass has A = X and B = W, the gradient of the input A = Y through
// the inverse table and B = W transposed, that of the filters A = X transposed and B = Y.
type Gathered struct {
	Form                 Form
	Groups, Taps         int
	Images               int // N
	SourceRows, Rows     int // of an image in A, and of the table
	SourceCols, Channels int // columns of A of one group; columns of the result of one group
	Inner                int // length of a sum
}

// Form is which of the three products of a convolution it is.
type Form uint8

const (
	Forward Form = iota
	InputGradient
	FilterGradient
)

// Gathered describes the convolution; A.Table must not be nil.
func (o *Product) Gathered() Gathered {
	table := o.A.Table
	g := Gathered{Groups: o.A.Groups, Taps: table.Cols, Rows: table.Rows, SourceCols: o.A.Cols / o.A.Groups}
	switch {
	case o.A.Trans:
		g.Form = FilterGradient
		g.Images, g.Channels = o.B.Rows/table.Rows, o.B.Cols/g.Groups
		g.Inner = o.B.Rows
	case o.B.Trans:
		g.Form = InputGradient
		g.Channels, g.Images = o.B.Rows/g.Taps, o.Out.Rows/table.Rows
		g.Inner = g.Taps * g.SourceCols
	default:
		g.Channels, g.Images = o.B.Cols/g.Groups, o.Out.Rows/table.Rows
		g.Inner = g.Taps * g.SourceCols
	}
	g.SourceRows = o.A.Rows / g.Images
	return g
}

func (o *Product) Reference(v Values) {
	out := make([]float64, o.Out.Len())
	switch {
	case o.A.Table != nil:
		o.referenceGathered(v, out)
	case o.A.Sparse != nil:
		o.referenceSparse(v, out)
	default:
		_, n, inner := o.Dims()
		a, b := o.A.in(v), o.B.in(v)
		for i := range out {
			for k := range inner {
				if x, y := a(i/n, k), b(k, i%n); o.Distance {
					out[i] += (x - y) * (x - y)
				} else {
					out[i] += x * y
				}
			}
		}
	}
	o.Epilogue.reference(v, o.Out, out)
}

// in gives a function for the elements of a plain or transposed operand.
func (x View) in(v Values) func(row, col int) float64 {
	data := v.Of(x.Tensor)
	if x.Trans {
		return func(row, col int) float64 { return data[col*x.Cols+row] }
	}
	return func(row, col int) float64 { return data[row*x.Cols+col] }
}

// referenceGathered goes through all entries of the table for all images, and adds what the two others of images, results and
// filters give to the third.
func (o *Product) referenceGathered(v Values, out []float64) {
	g, a, b := o.Gathered(), v.Of(o.A.Tensor), v.Of(o.B.Tensor)
	for i := range g.Images * g.Rows * g.Taps {
		image, row, tap := i/g.Taps/g.Rows, i/g.Taps%g.Rows, i%g.Taps
		entry := o.A.Table.At(row, tap)
		if entry < 0 {
			continue
		}
		for c := range g.Groups * g.SourceCols * g.Channels {
			group, source, channel := c/g.Channels/g.SourceCols, c/g.Channels%g.SourceCols, c%g.Channels
			from := ((image*g.SourceRows+entry)*g.Groups+group)*g.SourceCols + source
			to := ((image*g.Rows+row)*g.Groups+group)*g.Channels + channel
			filter := ((tap*g.SourceCols+source)*g.Groups+group)*g.Channels + channel
			switch g.Form {
			case Forward:
				out[to] += a[from] * b[filter]
			case InputGradient: // its filters have the two kinds of channels the other way round
				out[to] += a[from] * b[((tap*g.Channels+channel)*g.Groups+group)*g.SourceCols+source]
			case FilterGradient:
				out[filter] += a[from] * b[to]
			}
		}
	}
}

// reference puts the result of the operation before, or what the formulas make of it, in its place.
func (e *Epilogue) reference(v Values, t *Tensor, result []float64) {
	copy(v.Of(t), result)
	if e != nil {
		e.Reference(v)
	}
}

// Sharding: a product whose sums run over the samples gives the gradient of
// weights or filters: PartialSum.
func (o *Product) Sharding(s Samples) Sharding {
	a, b := o.A.Tensor, o.B.Tensor
	switch {
	case o.A.Sparse != nil:
		return Unsharded
	case o.A.Table != nil && o.Gathered().Images%s.Count != 0, s.each[b] && !o.A.Trans, o.A.Trans && o.B.Trans:
		return s.None(a, b)
	case o.A.Trans:
		return s.Sum(a, b)
	}
	return s.Rows(a)
}

func (o *Product) With(f func(*Tensor) *Tensor) Op {
	with := *o
	with.A.Tensor, with.B.Tensor, with.Out = f(o.A.Tensor), f(o.B.Tensor), f(o.Out)
	if e := o.Epilogue; e != nil {
		with.Epilogue = &Epilogue{e.With(f).(*Elementwise), e.Sum}
	}
	return &with
}

// Product records the product of two views, each plain or transposed.
func (p *Program) Product(a, b View) *Tensor { return p.ProductOf(a, b, false) }

// Distances records the squared distances of the rows of x[batch][k] to those of y[n][k]:
// [batch][n].
func (p *Program) Distances(x, y *Tensor) *Tensor { return p.ProductOf(Plain(x), Transposed(y), true) }

// ProductOf records the product of two views, or their distances.
func (p *Program) ProductOf(a, b View, distance bool) *Tensor {
	m, k := a.dims()
	inner, n := b.dims()
	if inner != k {
		panic(fmt.Sprintf("program: product: %s (transposed %t) times %s (transposed %t): inner lengths %d and %d differ",
			a.Tensor, a.Trans, b.Tensor, b.Trans, k, inner))
	}
	return p.made(&Product{A: a, B: b, Distance: distance, Out: p.result(m, n)})
}

// Layer records x[batch][in] · w[in][out], with the bias [1][out] added where it is not nil, and
// the nonlinearity f of that.
func (p *Program) Layer(x, w, bias *Tensor, f expr.Activation) *Tensor {
	if bias != nil {
		requireShape("layer", "the bias", bias, 1, w.Cols)
	}
	return p.AfterSum(p.Product(Plain(x), Plain(w)), bias, f)
}

// AfterSum records what follows the product of a layer: the bias [1][out], where it is not nil,
// and the nonlinearity f.
func (p *Program) AfterSum(sum, bias *Tensor, f expr.Activation) *Tensor {
	label, e := f.Name(), expr.Arg(0)
	if bias != nil {
		e = expr.Add(e, expr.Arg(1))
	}
	switch e = f(e); {
	case e.Kind == expr.LeafOperand:
		return sum
	case bias == nil:
		return p.Elementwise(label, e, sum)
	case e.Kind == expr.OpAdd:
		label = "bias"
	}
	return p.Elementwise(label, e, sum, bias)
}

// Convolution records the forward pass of Gathered: images x[N·Pixels][channels], filters
// w[Taps·channels/groups][filters]; the result is [N·Positions][filters].
func (p *Program) Convolution(x, w *Tensor, window Window, groups int) *Tensor {
	if err := window.Check(); err != nil {
		panic("program: convolution: " + err.Error())
	}
	pixels := window.Height * window.Width
	taps := window.KernelHeight * window.KernelWidth
	if groups < 1 || x.Rows%pixels != 0 || x.Cols%groups != 0 || w.Cols%groups != 0 || w.Rows != taps*x.Cols/groups {
		panic(fmt.Sprintf("program: convolution: images %s of %d pixels, filters %s of %d taps, %d groups do not fit", x, pixels, w, taps, groups))
	}
	table := window.Table()
	return p.Gathered(View{Tensor: x, Table: table, Groups: groups}, Plain(w), x.Rows/pixels*table.Rows, w.Cols)
}

// Gathered records any of the products that Gathered describes; the result is [rows][cols].
func (p *Program) Gathered(a, b View, rows, cols int) *Tensor {
	return p.made(&Product{A: a, B: b, Out: p.result(rows, cols)})
}

// Gradient records those of the operands: of plain products, of convolutions (whose three forms
// are the gradients of one another), of sparse rows and of distances.
func (o *Product) Gradient(b *Backward) {
	dy := b.Of(o.Out)
	switch {
	case o.A.Table != nil:
		o.gradientGathered(b, dy)
	case o.A.Sparse != nil:
		o.gradientSparse(b, dy)
	case o.Distance:
		o.gradientDistance(b, dy)
	default:
		o.gradientPlain(b, dy)
	}
}

func (o *Product) gradientPlain(b *Backward, dy *Tensor) {
	x, w := o.A, o.B
	if b.Needs(x.Tensor) {
		if x.Trans { // A'ᵀ = A: dA = B'·dYᵀ
			b.Add(x.Tensor, b.Product(w, Transposed(dy)))
		} else {
			b.Add(x.Tensor, b.Product(Plain(dy), View{Tensor: w.Tensor, Trans: !w.Trans}))
		}
	}
	if b.Needs(w.Tensor) {
		if w.Trans {
			b.Add(w.Tensor, b.Product(Transposed(dy), x))
		} else {
			b.Add(w.Tensor, b.Product(View{Tensor: x.Tensor, Trans: !x.Trans}, Plain(dy)))
		}
	}
}

// gradientGathered: the three forms give images, results and filters of one another, so the gradient of each is another form, with
// that of the result in its place.
func (o *Product) gradientGathered(b *Backward, dy *Tensor) {
	g, table := o.Gathered(), o.A.Table
	inverse := table.Inverse(g.SourceRows)
	var of [3]*Tensor // images, results and filters
	switch g.Form {
	case Forward:
		of = [3]*Tensor{o.A.Tensor, dy, o.B.Tensor}
	case InputGradient:
		of, table, inverse = [3]*Tensor{dy, o.A.Tensor, o.B.Tensor}, inverse, table
	case FilterGradient:
		of = [3]*Tensor{o.A.Tensor, o.B.Tensor, dy}
	}
	for i, t := range of {
		if t == dy || !b.Needs(t) {
			continue
		}
		view, w := View{Tensor: of[0], Table: table, Groups: g.Groups}, Plain(of[2])
		switch i {
		case 0:
			view.Tensor, view.Table, w = of[1], inverse, Transposed(of[2])
		case 2:
			view.Trans, w = true, Plain(of[1])
		}
		b.Add(t, b.Gathered(view, w, t.Rows, t.Cols))
	}
}

// gradientDistance: of Σ (a - b)² by a it is 2·(a·Σ dY - dY·B), and by b likewise.
func (o *Product) gradientDistance(b *Backward, dy *Tensor) {
	x, y := o.A.Tensor, o.B.Tensor // rows of both are compared
	part := func(t, sums, crossed *Tensor) {
		b.Add(t, b.Elementwise("distances-grad", expr.Scale(2, expr.Sub(expr.Mul(expr.Arg(0), expr.Arg(1)), expr.Arg(2))), t, sums, crossed))
	}
	if b.Needs(x) {
		part(x, b.Sum(AlongRows, dy), b.Product(Plain(dy), Plain(y)))
	}
	if b.Needs(y) {
		part(y, b.Transpose(b.Sum(AlongColumns, dy)), b.Product(Transposed(dy), Plain(x)))
	}
}
