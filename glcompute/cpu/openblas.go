//go:build openblas

package cpu

/*
#cgo pkg-config: openblas
#cgo noescape cblas_sgemm
#cgo nocallback cblas_sgemm
#cgo noescape cblas_sgemv
#cgo nocallback cblas_sgemv
#include <cblas.h>
*/
import "C"

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/gonum"
)

func init() { blas32.Use(openBLAS{}) }

// blasName is OpenBLAS's own description of itself: version, options, processor.
func blasName() string { return C.GoString(C.openblas_get_config()) }

// tilesPay: OpenBLAS knows its tiles best.
const tilesPay = false

// openBLAS is gonum's BLAS with the two routines that cost the time replaced by OpenBLAS's,
// behind the same interface. As in gonum matrices are row-major; unlike there, shapes are
// not checked: programs checked theirs when they were recorded.
type openBLAS struct{ gonum.Implementation }

// Sgemm computes c = alpha·a'·b' + beta·c for a'[m][k], b'[k][n], c[m][n].
func (openBLAS) Sgemm(transA, transB blas.Transpose, m, n, k int, alpha float32, a []float32, lda int, b []float32, ldb int, beta float32, c []float32, ldc int) {
	C.cblas_sgemm(C.CblasRowMajor, cTrans(transA), cTrans(transB), C.blasint(m), C.blasint(n), C.blasint(k),
		C.float(alpha), (*C.float)(&a[0]), C.blasint(lda), (*C.float)(&b[0]), C.blasint(ldb),
		C.float(beta), (*C.float)(&c[0]), C.blasint(ldc))
}

// Sgemv computes y = alpha·a'·x + beta·y for a[m][n].
func (openBLAS) Sgemv(trans blas.Transpose, m, n int, alpha float32, a []float32, lda int, x []float32, incX int, beta float32, y []float32, incY int) {
	C.cblas_sgemv(C.CblasRowMajor, cTrans(trans), C.blasint(m), C.blasint(n),
		C.float(alpha), (*C.float)(&a[0]), C.blasint(lda), (*C.float)(&x[0]), C.blasint(incX),
		C.float(beta), (*C.float)(&y[0]), C.blasint(incY))
}

func cTrans(t blas.Transpose) C.enum_CBLAS_TRANSPOSE {
	if t == blas.NoTrans {
		return C.CblasNoTrans
	}
	return C.CblasTrans
}
