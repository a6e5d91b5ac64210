package glbench

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"inkshade/glcompute/optest"
	"inkshade/glcompute/program"
)

// shape is a product of [m][k] by [k][n] with its transposes.
type shape struct {
	m, n, k        int
	transA, transB bool
}

func (s shape) String() string {
	mark := map[bool]string{true: "'"}
	return fmt.Sprintf("%dx%d%s · %[2]dx%[4]d%s", s.m, s.k, mark[s.transA], s.n, mark[s.transB])
}

// timed are the shapes of the table: one drawing, a mini-batch forward and its two
// gradients, and a large product.
var timed = []shape{
	{1, 800, 784, false, false},
	{128, 800, 784, false, false},
	{784, 800, 128, true, false},
	{128, 800, 10, false, true},
	{512, 512, 512, false, false},
}

// Workbench checks the numbered variants of the product, each on a device of its own, and
// then times them, with -v.
func Workbench(t *testing.T, names []string, open func(variant int) (program.Device, error)) {
	var table strings.Builder
	for i, name := range names {
		t.Run(fmt.Sprintf("%d %s", i+1, name), func(t *testing.T) {
			dev, err := open(i + 1)
			if err != nil {
				t.Fatal(err)
			}
			defer dev.Close()
			optest.Products(t, dev)
			if !testing.Verbose() || t.Failed() {
				return
			}
			for _, s := range timed {
				d := s.time(t, dev)
				fmt.Fprintf(&table, "%3d  %-36s %-18s %9.3f ms %8.2f GFLOP/s\n", i+1, name, s,
					d.Seconds()*1e3, 2*float64(s.m)*float64(s.n)*float64(s.k)/d.Seconds()/1e9)
			}
		})
	}
	if table.Len() > 0 {
		t.Log("\n" + table.String())
	}
}

// trials is the number of replays of which the shortest counts.
const trials = 7

// time is that of the product's pass on the device's own clock.
func (s shape) time(t *testing.T, dev program.Device) time.Duration {
	t.Helper()
	am, ak, bk, bn := s.m, s.k, s.k, s.n
	if s.transA {
		am, ak = ak, am
	}
	if s.transB {
		bk, bn = bn, bk
	}
	a, b := parameter(am, ak), parameter(bk, bn)
	p := program.New()
	p.MatMul(p.Variable(a), p.Variable(b), s.transA, s.transB)
	run, err := dev.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Forget(a)
	defer dev.Forget(b)
	defer run.Close()
	best := time.Duration(0)
	for n := range trials {
		timing, err := run.Measure()
		if err != nil {
			t.Fatal(err)
		}
		// The driver compiles in the first replay.
		if d := timing.Passes[0].Time; n > 0 && (best == 0 || d < best) {
			best = d
		}
	}
	return best
}
