package gldevice

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/internal/program"
)

func newReadback(t *program.Tensor) *program.Readback {
	return &program.Readback{Data: make([]float32, t.Len())}
}

// What OutLater binds is neither read by its replay nor before Ready or Wait, and passes
// through one buffer that is counted and used again.
func TestReadbackIsNotWaitedFor(t *testing.T) {
	d, e := open(t)
	par := program.NewParameter("w", 1, 3, []float32{1, 2, 3})
	run, out := doubling(t, d, par)
	held := d.Memory()
	back := newReadback(out)
	for i := range 3 {
		clear(back.Data)
		if err := run.Do(program.OutLater(out, back)); err != nil {
			t.Fatal(err)
		}
		if e.reads != 0 || !slices.Equal(back.Data, make([]float32, 3)) {
			t.Errorf("replay %d: %d reads, %v before anyone asked", i, e.reads, back.Data)
		}
		if got := d.Memory(); got != held+3*bytesPerValue {
			t.Errorf("replay %d: %d bytes held, want %d and one buffer", i, got, held)
		}
		if err := run.Do(program.OutLater(out, back)); err == nil || !strings.Contains(err.Error(), "on their way") {
			t.Errorf("replay %d: bound a second time: %v", i, err)
		}
		if err := back.Wait(); err != nil || !slices.Equal(back.Data, []float32{2, 4, 6}) {
			t.Errorf("replay %d: %v, error %v", i, back.Data, err)
		}
	}
	other := newReadback(out)
	if err := run.Do(program.OutLater(out, back), program.OutLater(out, other)); err != nil {
		t.Fatal(err)
	}
	if got := d.Memory(); got != held+2*3*bytesPerValue {
		t.Errorf("%d bytes held, want %d and two buffers", got, held)
	}
	run.Close()
	d.Forget(par)
	if got := d.Memory(); got != 0 {
		t.Errorf("%d bytes held after everything is freed", got)
	}
	for _, r := range []*program.Readback{back, other} {
		if err := r.Wait(); err != nil || !slices.Equal(r.Data, []float32{2, 4, 6}) {
			t.Errorf("after the run was closed: %v, error %v", r.Data, err)
		}
	}
}

// A replay that fails has sent nothing, so that another device may do it with the same readback.
func TestReadbackOfAFailedReplay(t *testing.T) {
	d, e := open(t)
	run, out := doubling(t, d, program.NewParameter("w", 1, 3, []float32{1, 2, 3}))
	back := newReadback(out)
	e.broken = func() { gl.Disable(0xffff) }
	if err := run.Do(program.OutLater(out, back)); err == nil {
		t.Fatal("no error")
	}
	if arrived, err := back.Ready(); !arrived || err != nil {
		t.Errorf("ready is %t, error %v", arrived, err)
	}
	held := d.Memory()
	e.broken = nil
	if err := run.Do(program.OutLater(out, back)); err != nil {
		t.Fatal(err)
	}
	if err := back.Wait(); err != nil || !slices.Equal(back.Data, []float32{2, 4, 6}) || d.Memory() != held {
		t.Errorf("%v, error %v, %d bytes held, %d before", back.Data, err, d.Memory(), held)
	}
}

// What is on its way when the context is lost never comes.
func TestReadbackOfALostContext(t *testing.T) {
	for _, closed := range []bool{false, true} {
		d, _ := open(t)
		run, out := doubling(t, d, program.NewParameter("w", 1, 3, []float32{1, 2, 3}))
		back := newReadback(out)
		if err := run.Do(program.OutLater(out, back)); err != nil {
			t.Fatal(err)
		}
		if err := d.do(func() { Fail(program.ErrLost) }); !errors.Is(err, program.ErrLost) {
			t.Fatal(err)
		}
		if closed {
			run.Close()
		}
		if err := back.Wait(); !errors.Is(err, program.ErrLost) {
			t.Errorf("closed %t: error %v", closed, err)
		}
		if arrived, err := back.Ready(); !arrived || err != nil {
			t.Errorf("closed %t: bound again ready is %t, error %v", closed, arrived, err)
		}
	}
}
