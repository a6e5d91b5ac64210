package cpu

import (
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/gonum"
)

// sparseBelow is the share of non-zero values in a vector under which a product skips the
// zeros instead of going through the whole matrix.
const sparseBelow = 0.4

// row is the product of one row, a single drawing, where inRow has none: cᵀ = b'ᵀ·aᵀ + beta·cᵀ.
// Most of a drawing is paper: where zeros prevail only the rows of b that count are added up.
// It runs on the calling thread, but OpenBLAS takes several for a large dense product.
func (g gemm) row() func() {
	bl := blas32.Implementation()
	rows, cols := g.k, g.n
	if g.transB {
		rows, cols = cols, rows
	}
	dense := func() {
		bl.Sgemv(trans(!g.transB), rows, cols, 1, g.b, g.ldb, g.a, 1, g.beta, g.c, 1)
	}
	if g.transB || g.n < 32 {
		return dense
	}
	x, c := g.a[:g.k], g.c[:g.n]
	most := int(sparseBelow * float64(g.k))
	var ours gonum.Implementation // its Saxpy is cheap to call, OpenBLAS's is not
	return func() {
		if nonZero(x) > most {
			dense()
			return
		}
		if g.beta == 0 {
			clear(c)
		}
		for l, v := range x {
			if v != 0 {
				ours.Saxpy(len(c), v, g.b[l*g.ldb:], 1, c, 1)
			}
		}
	}
}

// column is the product with a single column: c = a'·b + beta·c.
func (g gemm) column() func() {
	bl := blas32.Implementation()
	rows, cols := g.m, g.k
	if g.transA {
		rows, cols = cols, rows
	}
	return func() {
		bl.Sgemv(trans(g.transA), rows, cols, 1, g.a, g.lda, g.b, 1, g.beta, g.c, 1)
	}
}

func nonZero(x []float32) int {
	n := 0
	for _, v := range x {
		if v != 0 {
			n++
		}
	}
	return n
}
