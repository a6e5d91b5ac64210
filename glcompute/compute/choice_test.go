package compute

import (
	"slices"
	"strings"
	"testing"
	"time"

	"inkshade/glcompute/internal/cache"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/internal/program"
)

// What is tried is the default first and each variant once, no block much larger than the product, in software nothing
// that llvmpipe can only lose by, and of a large product more than one.
func TestCandidates(t *testing.T) {
	for name, e := range map[string]*executor{
		"gpu":      {minItems: 16384, blocks: blocksInRegisters},
		"software": {minItems: 64, blocks: blocksInCache, software: true},
	} {
		for _, m := range []int{1, 3, 128, 4096} {
			for _, quads := range []int{3, 196, 1024} {
				s := productShape{m: m, innerQuads: 200, quads: quads}
				got := e.candidates(s)
				if got[0] != e.defaultVariant(s) || len(slices.Compact(slices.Sorted(slices.Values(got)))) != len(got) {
					t.Errorf("%s, %d x %d: %v; by rule of thumb %d", name, m, 4*quads, got, e.defaultVariant(s))
				}
				if m*quads >= 1<<14 && len(got) < 3 {
					t.Errorf("%s, %d x %d: only %v", name, m, 4*quads, got)
				}
				for _, i := range got[1:] {
					v := variants[i-1]
					if v.Block.Rows > 2*m || v.Block.Quads > quads {
						t.Errorf("%s, %d x %d: blocks of %d x %d", name, m, 4*quads, v.Block.Rows, 4*v.Block.Quads)
					}
					if e.software && (v.Way == glops.OtherReads || v.Way == glops.Tiled || v.Way == glops.Direct) {
						t.Errorf("%d x %d: variant %d in software", m, 4*quads, i)
					}
				}
			}
		}
	}
}

// A device with a cache measures, chooses, gives the right product, and holds no more
// memory than one that measures nothing.
func TestChoosing(t *testing.T) {
	const rows, inner, cols = 5, 300, 120
	p := program.New()
	a := p.Input(rows, inner)
	w := program.NewParameter("w", inner, cols, nil)
	for i := range w.Data {
		w.Data[i] = float32(i%7) - 3
	}
	out := p.Product(program.Plain(a), program.Plain(p.Variable(w)))
	held := map[bool]int64{}
	results := map[bool][]float32{}
	for _, choosing := range []bool{false, true} {
		var o Options
		if choosing {
			o.Cache = cache.In(t.TempDir())
		}
		dev, err := OpenWith(o)
		if err != nil {
			t.Fatal(err)
		}
		run, err := dev.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		pixels := make([]float32, rows*inner)
		for i := range pixels {
			pixels[i] = float32(i%5) - 2
		}
		results[choosing] = make([]float32, rows*cols)
		if err := run.Do(program.In(a, pixels), program.Out(out, results[choosing])); err != nil {
			t.Fatal(err)
		}
		held[choosing] = dev.Memory()
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
	}
	if !slices.Equal(results[true], results[false]) { // small integers: exact in any order
		t.Error("choosing changed the product")
	}
	if extra := held[true] - held[false]; extra < 0 || extra > glops.PartsAtOnce*rows*cols*8*bytesPerValue {
		t.Errorf("%d bytes held with choosing, %d without", held[true], held[false])
	}
}

// Trials leave parameters as they are, and the update is the same in every variant.
func TestTrialsChangeNoParameters(t *testing.T) {
	const rows, cols = 90, 300
	w, v := program.NewParameter("w", rows, cols, nil), program.NewParameter("v", rows, cols, nil)
	for i := range w.Data {
		w.Data[i], v.Data[i] = float32(i%7)-3, float32(i%5)-2
	}
	p := program.New()
	x, dy, settings := p.Input(128, rows), p.Input(128, cols), p.Input(1, 3)
	p.SGD(p.Variable(w), p.Variable(v), p.Product(program.Transposed(x), program.Plain(dy)), nil, settings)
	dev, err := OpenWith(Options{Cache: cache.In(t.TempDir()), TrialTime: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	before := slices.Concat(w.Data, v.Data)
	run, err := dev.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	all, err := dev.(interface {
		Selections() ([]program.Selection, error)
	}).Selections()
	if err != nil {
		t.Fatal(err)
	}
	// Where the update apart from the product wins, the product alone is measured, too.
	measured := func(s program.Selection) bool { return strings.HasSuffix(s.Work, ", sgd") && s.Left() == 0 }
	if !slices.ContainsFunc(all, measured) {
		t.Fatalf("measured %+v", all)
	}
	clear(w.Data)
	clear(v.Data)
	for _, par := range []*program.Parameter{w, v} {
		if err := dev.Download(par); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(slices.Concat(w.Data, v.Data), before) {
		t.Error("trials changed the parameters")
	}
	if err := run.Do(program.In(settings, []float32{0.5, 1, 0})); err != nil {
		t.Fatal(err)
	}
	if err := dev.Download(w); err != nil {
		t.Fatal(err)
	}
	for i, got := range w.Data {
		if want := before[i] - 0.5*before[rows*cols+i]; got != want {
			t.Fatalf("value %d is %g after the update, want %g", i, got, want)
		}
	}
}
