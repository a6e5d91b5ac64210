package bench

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// NewGonumStation makes a station of gonum's own BLAS in single precision, as a program in Go
// would call it. It takes part in products alone.
func NewGonumStation() *Station { return newStation(prepareGonum) }

// GonumVersion names the version of gonum, where the binary knows it, and the number of
// threads that its products may use.
func GonumVersion() string {
	version := "unknown version"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "gonum.org/v1/gonum" {
				version = strings.TrimPrefix(m.Version, "v")
			}
		}
	}
	return fmt.Sprintf("%s, %s, %d threads", version, runtime.Version(), runtime.GOMAXPROCS(0))
}

func prepareGonum(r *runner, e Experiment, n int) ([]float32, *lane, func(), error) {
	if e != Product {
		return nil, nil, nil, fmt.Errorf("gonum takes part in products alone, not in %s", e)
	}
	a, b := factors(n)
	c := make([]float32, n*n)
	multiply := func() (time.Duration, error) {
		start := r.clock()
		gonum.Implementation{}.Sgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, a.Data, n, b.Data, n, 0, c, n)
		return r.clock().Sub(start), nil
	}
	_, err := multiply()
	return c, &lane{once: multiply}, func() {}, err
}
