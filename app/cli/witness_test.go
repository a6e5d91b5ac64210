package cli

import (
	"fmt"
	"testing"

	"inkshade/glcompute"
)

func TestTheWitnessTellsWhatAutoChose(t *testing.T) {
	flag := deviceFlag{kind: glcompute.Auto}
	dev := flag.open(newEval())
	defer dev.Close()
	if kind := dev.last().Kind; kind != glcompute.Auto {
		t.Errorf("before anything was compiled it tells of %q, want auto", kind)
	}
	p := glcompute.NewProgram()
	x := p.Input(1, 4)
	y := p.Map(x, glcompute.Tanh)
	run, err := dev.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float32, 4)
	for range 20 { // far more than Auto needs to choose
		if err := run.Do(glcompute.In(x, []float32{1, 2, 3, 4}), glcompute.Out(y, out)); err != nil {
			t.Fatal(err)
		}
	}
	choice, ok := glcompute.Chosen(run)
	if got := dev.last(); !ok || !choice.Decided || got != choice.Device || got.Kind == glcompute.Auto {
		t.Errorf("Auto chose %v, the witness tells of %v", choice, fmt.Sprint(got))
	}
}
