package gldevice

import (
	"testing"

	"inkshade/glcompute/internal/program"
)

// Tables of the same content are one on the device, for as long as a run has one of them.
func TestTables(t *testing.T) {
	d, _ := open(t)
	pooling := func(kind program.ReduceKind) program.Run {
		p := program.New()
		p.Pool(kind, p.Input(6*5, 1), program.Window{Height: 6, Width: 5, KernelHeight: 2, KernelWidth: 3})
		run, err := d.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	const pixels, positions, taps = 6 * 5, 5 * 3, 8 // taps in whole texels
	expect := func(tables, results int) {
		t.Helper()
		want := int64(bytesPerValue * (tables*positions*taps + results*(pixels+positions)))
		if got := d.Memory(); got != want {
			t.Errorf("%d bytes held, want %d: %d tables", got, want, tables)
		}
	}
	a, b := pooling(program.ReduceSum), pooling(program.ReduceMean)
	expect(1, 2)
	a.Close()
	expect(1, 1)
	b.Close()
	expect(0, 0)
	pooling(program.ReduceSum)
	expect(1, 1)
}
