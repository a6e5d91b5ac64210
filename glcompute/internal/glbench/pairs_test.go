package glbench

import (
	"slices"
	"testing"
	"time"

	"inkshade/glcompute/internal/cache"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/internal/program"
)

// checkPairs checks that a product with the step that takes it is measured both ways, and that
// trials change nothing.
func checkPairs(t *testing.T, open opener) {
	const batch, in, out = 64, 48, 68
	w, v := program.NewParameter("w", in, out, nil), program.NewParameter("v", in, out, nil)
	for i := range w.Data {
		w.Data[i], v.Data[i] = float32(i%7)-3, float32(i%5)-2
	}
	before := slices.Concat(w.Data, v.Data)
	p := program.New()
	x, dy, settings := p.Input(batch, in), p.Input(batch, out), p.Input(1, 3)
	p.SGD(p.Variable(w), p.Variable(v), p.Product(program.Transposed(x), program.Plain(dy)), nil, settings)

	dev, err := open(cache.In(t.TempDir()), time.Minute, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	held := dev.Memory()
	run, err := dev.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	all, err := dev.(measuring).Selections()
	if err != nil {
		t.Fatal(err)
	}
	ways := map[bool]bool{} // measured apart, in one pass
	for _, s := range all {
		for _, v := range s.Trials {
			if s.Operation == glops.ProductName && v.Time > 0 {
				ways[v.Name == glops.ApartName] = true
			}
		}
	}
	if len(ways) < 2 {
		t.Errorf("measured %+v, want the product with its step in one pass and apart", all)
	}
	for _, par := range []*program.Parameter{w, v} {
		clear(par.Data)
		if err := dev.Download(par); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(slices.Concat(w.Data, v.Data), before) {
		t.Error("trials changed the parameters")
	}
	ones := func(n int) []float32 { return slices.Repeat([]float32{1}, n) }
	if err := run.Do(program.In(x, ones(batch*in)), program.In(dy, ones(batch*out)), program.In(settings, []float32{0.5, 1, 0})); err != nil {
		t.Fatal(err)
	}
	if err := dev.Download(w); err != nil {
		t.Fatal(err)
	}
	for i, got := range w.Data {
		if want := before[i] - 0.5*(before[in*out+i]+batch); got != want {
			t.Fatalf("weight %d is %g after the step, want %g", i, got, want)
		}
	}
	run.Close()
	dev.Forget(w)
	dev.Forget(v)
	if now := dev.Memory(); now != held {
		t.Errorf("%d bytes held in the end, %d before", now, held)
	}
}
