package conformance

import (
	"testing"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

const (
	memorySteps  = 200 // replays of a training step
	memoryRounds = 12  // compilations beside it
)

// checkMemory holds the device to its account: a training that goes on, other programs
// compiled and closed meanwhile, parameters exchanged, end with no more bytes than after
// the first step (fewer where the device has chosen another by then), and nothing is left
// when all is closed.
func checkMemory(t *testing.T, dev program.Device) {
	before := dev.Memory()
	tr := newTrainer(expr.Tanh, true)
	run, err := dev.Compile(tr.Program)
	must(t, err)
	tr.losses(t, run, 0, 1)
	held := dev.Memory()
	expect := func(when string) {
		t.Helper()
		if now := dev.Memory(); now > held {
			t.Fatalf("%d bytes held %s, %d after the first step", now, when, held)
		}
	}
	for range memorySteps / trainSteps {
		tr.losses(t, run, 0, trainSteps)
		expect("after more steps")
	}
	for range memoryRounds {
		other := newTrainer(expr.ReLU, false)
		beside, err := dev.Compile(other.Program)
		must(t, err)
		other.losses(t, beside, 0, 2)
		other.upload(t, dev, other.download(t, dev))
		if _, err := beside.Measure(); err != nil {
			t.Fatal(err)
		}
		other.free(t, dev, beside)
		expect("after another program")
	}
	tr.free(t, dev, run)
	if now := dev.Memory(); now != before {
		t.Errorf("%d bytes held at the end, %d at the start", now, before)
	}
}

// convolutionMemory holds a convolution and its gradients on dev, which it closes, to input, filters, results and
// tables, and beside them at most so many values of its own that do not grow with the images: the
// image matrix, here 25 times the input, is never stored.
func convolutionMemory(t *testing.T, dev program.Device, beside int) {
	const images, in, out = 16, 32, 64
	window := program.Window{Height: 16, Width: 16, KernelHeight: 5, KernelWidth: 5, Top: 2, Left: 2, Bottom: 2, Right: 2}
	p := program.New()
	x, dy := p.Input(images*16*16, in), p.Input(images*16*16, out)
	w, table := p.Input(25*in, out), window.Table()
	p.Convolution(x, w, window, 1)
	p.Gathered(program.View{Tensor: dy, Table: table.Inverse(16 * 16), Groups: 1}, program.Transposed(w), x.Rows, in)
	p.Gathered(program.View{Tensor: x, Trans: true, Table: table, Groups: 1}, program.Plain(dy), w.Rows, out)
	const tables = 2*16*16*28 + 25*16*16 // taps in whole texels, and of the gradient of filters positions
	want := int64(4 * (2*(x.Len()+dy.Len()+w.Len()) + tables))
	defer dev.Close()
	if _, err := dev.Compile(p); err != nil {
		t.Fatal(err)
	}
	if held := dev.Memory(); held < want || held > want+int64(4*beside) {
		t.Errorf("%d bytes held, want %d of matrices and tables; the image matrix has %d", held, want, 4*images*16*16*25*in)
	}
}
