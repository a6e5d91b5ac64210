package program

import (
	"fmt"

	"inkshade/glcompute/message"
)

// Sparse is a matrix [Rows][Cols] most of whose values are zero, such as a mini-batch of ink,
// uploaded as its non-zero values row after row (CSR) with an index map for its transposed
// (US 12,008,475, NVIDIA, 2018, claims 1, 2 and 10): the values are not stored a second time.
// Numbers are whole and kept as float32, which is exact up to 2^24.
type Sparse struct {
	Rows, Cols, Capacity int // Capacity is the largest number of non-zeros

	Values  *Tensor // [Capacity][1] the non-zeros
	Columns *Tensor // [Capacity][1] the column of each
	Starts  *Tensor // [Rows+1][1] where each row begins in both

	Order   *Tensor // [Capacity][1] the numbers of the non-zeros, column after column: where products accumulate
	Sources *Tensor // [Capacity][1] the row of each, in that order
	Filled  *Tensor // [Cols][1] the columns that hold any
	Runs    *Tensor // [Cols+1][1] where the run of each begins in Order; after the last the end stands again and again
	Places  *Tensor // [Cols][1] the place of each column in Filled, -1 for one that holds none
}

// SparseInput declares a sparse matrix with at most so many non-zeros.
func (p *Program) SparseInput(rows, cols, capacity int) *Sparse {
	if capacity < 1 || max(capacity, cols) >= 1<<24 {
		panic(fmt.Sprintf("program: sparse rows [%d][%d] with %d values", rows, cols, capacity))
	}
	return &Sparse{
		Rows: rows, Cols: cols, Capacity: capacity,
		Values: p.Input(capacity, 1), Columns: p.Input(capacity, 1), Starts: p.Input(rows+1, 1),
		Order: p.Input(capacity, 1), Sources: p.Input(capacity, 1), Filled: p.Input(cols, 1), Runs: p.Input(cols+1, 1),
		Places: p.Input(cols, 1),
	}
}

// tensors lists what describes the matrix.
func (s *Sparse) tensors() []*Tensor {
	return []*Tensor{s.Values, s.Columns, s.Starts, s.Order, s.Sources, s.Filled, s.Runs, s.Places}
}

// Encoder makes the bindings of a Sparse from dense rows, again and again in the same memory.
type Encoder struct {
	s    *Sparse
	data [][]float32 // in the order of tensors
	next []int
}

// NewEncoder makes an encoder for s.
func NewEncoder(s *Sparse) *Encoder {
	e := &Encoder{s: s, next: make([]int, s.Cols+1)}
	for _, t := range s.tensors() {
		e.data = append(e.data, make([]float32, t.Len()))
	}
	return e
}

// Encode gives the bindings for dense values [Rows][Cols], row-major. They hold until the next
// call. It fails where there are more non-zeros than the capacity.
func (e *Encoder) Encode(dense []float32) ([]Binding, error) {
	s := e.s
	values, columns, starts, order, sources := e.data[0], e.data[1], e.data[2], e.data[3], e.data[4]
	filled, runs, places := e.data[5], e.data[6], e.data[7]
	clear(e.next)
	n := 0
	for r := range s.Rows {
		starts[r] = float32(n)
		for c, v := range dense[r*s.Cols : (r+1)*s.Cols] {
			if v == 0 {
				continue
			}
			if n == s.Capacity {
				return nil, message.Errorf("more than %d values of %d x %d are not zero", s.Capacity, s.Rows, s.Cols)
			}
			values[n], columns[n] = v, float32(c)
			e.next[c]++
			n++
		}
	}
	starts[s.Rows] = float32(n)
	count, begin := 0, 0
	for c, many := range e.next[:s.Cols] {
		e.next[c], places[c] = begin, -1
		if many > 0 {
			filled[count], runs[count], places[c] = float32(c), float32(begin), float32(count)
			count++
		}
		begin += many
	}
	for i := count; i <= s.Cols; i++ {
		runs[i] = float32(n)
	}
	for r := range s.Rows {
		for k := int(starts[r]); k < int(starts[r+1]); k++ {
			at := &e.next[int(columns[k])]
			order[*at], sources[*at] = float32(k), float32(r)
			*at++
		}
	}
	bindings := make([]Binding, len(e.data))
	for i, t := range s.tensors() {
		bindings[i] = In(t, e.data[i])
	}
	return bindings, nil
}

// SparseProduct records s · w[Cols][n]: a product whose operand A is sparse rows,
//
//	Out[r][j] = Σ_k Values[k] · w[Columns[k]][j]        Starts[r] <= k < Starts[r+1]
func (p *Program) SparseProduct(s *Sparse, w *Tensor) *Tensor {
	requireShape("sparse product", "the right factor", w, s.Cols, w.Cols)
	return p.made(&Product{A: View{Tensor: s.Values, Sparse: s}, B: Plain(w), Out: p.result(s.Rows, w.Cols)})
}

// SparseGradient records sᵀ · dy[Rows][n] for the filled columns alone, one row for each in
// the order of Filled and zeros after the last, [Cols][n]:
//
//	Out[i][j] = Σ_k Values[Order[k]] · dy[Sources[k]][j]        Runs[i] <= k < Runs[i+1]
//
// Nothing is transposed, and every sum is taken in the order of the rows (claims 1, 3 and 12). Gather puts these rows in
// the places of their columns, by Places; ScatterAdd, by Filled, makes a step of them alone (claims 5, 6 and 11).
func (p *Program) SparseGradient(s *Sparse, dy *Tensor) *Tensor {
	requireShape("sparse gradient", "dy", dy, s.Rows, dy.Cols)
	return p.made(&Product{A: View{Tensor: s.Values, Sparse: s, Trans: true}, B: Plain(dy), Out: p.result(s.Cols, dy.Cols)})
}

func (o *Product) referenceSparse(v Values, out []float64) {
	s, b, cols := o.A.Sparse, v.Of(o.B.Tensor), o.B.Cols
	values, order, starts, rows := v.Of(s.Values), []float64(nil), v.Of(s.Starts), v.Of(s.Columns)
	if o.A.Trans {
		order, starts, rows = v.Of(s.Order), v.Of(s.Runs), v.Of(s.Sources)
	}
	for i := range out {
		for k := int(starts[i/cols]); k < int(starts[i/cols+1]); k++ {
			at := k
			if order != nil {
				at = int(order[k])
			}
			out[i] += values[at] * b[int(rows[k])*cols+i%cols]
		}
	}
}

// gradientSparse: there is none by the sparse values, which are data.
func (o *Product) gradientSparse(b *Backward, dy *Tensor) {
	if o.A.Trans || b.Needs(o.A.Tensor) {
		b.none("%s by sparse rows", o.Name())
		return
	}
	if b.Needs(o.B.Tensor) {
		b.Add(o.B.Tensor, b.Gather(b.SparseGradient(o.A.Sparse, dy), o.A.Sparse.Places))
	}
}
