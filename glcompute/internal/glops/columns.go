package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

// A matrix of one column lies as a row (see gldevice.Executor). Shaders can read and write it
// as the column that it is, but do best with the row.

// lying is a kernel that treats all elements alike, over the rows that columns lie as.
func lying[T any](k gldevice.Kernel[T]) gldevice.Kernel[T] {
	k.Out = k.Out.Lying()
	for i := range k.Reads {
		k.Reads[i].Matrix = k.Reads[i].Lying()
	}
	return k
}

// row is t, or the row that it lies as.
func row(t *program.Tensor) *program.Tensor {
	if t.Cols > 1 || t.Rows == 1 {
		return t
	}
	r := *t
	r.Rows, r.Cols = 1, t.Rows
	return &r
}

// ByRows is o without columns: a factor that is one is the transpose of a row, and a result
// that is one is (A·B)ᵀ = Bᵀ·Aᵀ, to all of which the one bias is added.
func ByRows(o *program.MatMul) *program.MatMul {
	p := *o
	p.A, p.B, p.Out = row(o.A), row(o.B), row(o.Out)
	p.TransA, p.TransB = o.TransA != (p.A != o.A), o.TransB != (p.B != o.B)
	if p.Out != o.Out {
		p.A, p.TransA, p.B, p.TransB = p.B, !p.TransB, p.A, !p.TransA
	}
	return &p
}

// OuterByRows is o without columns: aᵀ·b is a row when b is a single value, (bᵀ·a)ᵀ.
func OuterByRows(o *program.Outer) *program.Outer {
	p := *o
	if p.Out = row(o.Out); p.Out != o.Out {
		p.A, p.B = o.B, o.A
	}
	return &p
}
