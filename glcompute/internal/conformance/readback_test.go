package conformance

import (
	"errors"
	"slices"
	"testing"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

func newReadback(t *program.Tensor) *program.Readback {
	return &program.Readback{Data: make([]float32, t.Len())}
}

// checkReadbacks binds results of many shapes that need not be there when a replay returns,
// replays again with other inputs, and wants what the first replay gave; twice, through the
// same readbacks, and the last time the run is closed meanwhile.
func checkReadbacks(t *testing.T, dev program.Device) {
	before := dev.Memory()
	r := newRecorder("readbacks")
	type result struct {
		x, y  *program.Tensor
		given []float32
		back  *program.Readback
	}
	var all []result
	for _, shape := range [][2]int{{1, 1}, {1, 5}, {128, 1}, {3, 7}, {8, 8}, {17, 33}, {65, 4}} {
		x := r.Input(shape[0], shape[1])
		y := r.Elementwise("twice", expr.Add(expr.Arg(0), expr.Arg(1)), x, x)
		all = append(all, result{x, y, make([]float32, x.Len()), newReadback(y)})
	}
	run, err := dev.Compile(r.Program)
	must(t, err)
	replay := func(first float32, later bool) {
		t.Helper()
		var bindings []program.Binding
		for _, a := range all {
			for i := range a.given {
				a.given[i] = first + float32(i)
			}
			bindings = append(bindings, program.In(a.x, a.given))
			if later {
				bindings = append(bindings, program.OutLater(a.y, a.back))
			}
		}
		must(t, run.Do(bindings...))
	}
	want := func(first float32) {
		t.Helper()
		for _, a := range all {
			must(t, a.back.Wait())
			for i, v := range a.back.Data {
				if v != 2*(first+float32(i)) {
					t.Fatalf("value %d of %s is %g, want %g", i, a.y, v, 2*(first+float32(i)))
				}
			}
			if arrived, err := a.back.Ready(); !arrived || err != nil {
				t.Errorf("after Wait ready is %t, error %v", arrived, err)
			}
		}
	}
	for _, a := range all {
		if arrived, err := a.back.Ready(); !arrived || err != nil {
			t.Errorf("before any replay ready is %t, error %v", arrived, err)
		}
	}
	replay(1, true)
	replay(50, false)
	want(1)
	held := dev.Memory()
	replay(100, true)
	for _, a := range all { // now and then, without waiting
		for arrived := false; !arrived; {
			arrived, err = a.back.Ready()
			must(t, err)
		}
	}
	want(100)
	if now := dev.Memory(); now != held {
		t.Errorf("%d bytes held after another readback, %d after the first", now, held)
	}
	replay(7, true)
	must(t, run.Close())
	want(7)
	if after := dev.Memory(); after != before {
		t.Errorf("memory held is %d bytes, %d before", after, before)
	}
}

// checkMeasuredReadback: what Measure reads is there when it returns.
func checkMeasuredReadback(t *testing.T, dev program.Device) {
	d := newSummer(t, dev, program.NewParameter("w", 2, 3, []float32{1, 2, 3, 4, 5, 6}))
	defer d.free(t, dev, d.run)
	back := newReadback(d.out)
	if _, err := d.run.Measure(program.In(d.x, []float32{1, 1}), program.OutLater(d.out, back)); err != nil {
		t.Fatal(err)
	}
	if want := []float32{5, 7, 9}; !slices.Equal(back.Data, want) {
		t.Errorf("Measure left %v, want %v", back.Data, want)
	}
}

// checkReadbackAfterClose: what was on its way when the device was closed is there or fails
// with ErrClosed.
func checkReadbackAfterClose(t *testing.T, back *program.Readback, want []float32) {
	if err := back.Wait(); err != nil {
		if !errors.Is(err, program.ErrClosed) {
			t.Errorf("a readback after Close gives %v, want ErrClosed", err)
		}
	} else if !slices.Equal(back.Data, want) {
		t.Errorf("a readback after Close gives %v, want %v", back.Data, want)
	}
}
