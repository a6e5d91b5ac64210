package compute

import (
	"testing"

	"inkshade/glcompute/internal/program"
)

// What goes through staging, larger and smaller, padded or not, arrives, and replays that nobody waits for between them
// each compute with their own values.
func TestStagedValuesArriveInOrder(t *testing.T) {
	dev, err := OpenWith(Options{AsGPU: true})
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	for _, size := range [][3]int{{1, 1, 1}, {128, 784, 10}, {3, 300, 7}, {40, 256, 800}, {1, 2100, 64}} {
		rows, inner, cols := size[0], size[1], size[2]
		w := program.NewParameter("w", inner, cols, nil)
		for i := range w.Data {
			w.Data[i] = float32(i%3) - 1
		}
		p := program.New()
		x := p.Input(rows, inner)
		y := p.Product(program.Plain(x), program.Plain(p.Variable(w)))
		run, err := dev.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		pixels, got := make([]float32, rows*inner), make([]float32, rows*cols)
		for replay := range 3 {
			for i := range pixels {
				pixels[i] = float32((i+replay)%5) - 2
			}
			bindings := []program.Binding{program.In(x, pixels)}
			if replay == 2 {
				bindings = append(bindings, program.Out(y, got))
			}
			if err := run.Do(bindings...); err != nil {
				t.Fatal(err)
			}
		}
		for r := range rows {
			for c := range cols {
				var want float32 // of small whole numbers, exact in any order
				for i := range inner {
					want += pixels[r*inner+i] * w.Data[i*cols+c]
				}
				if got[r*cols+c] != want {
					t.Fatalf("%d x %d x %d: value %d,%d is %g, want %g", rows, inner, cols, r, c, got[r*cols+c], want)
				}
			}
		}
		if err := run.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
