package glbench

import (
	"strings"
	"testing"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// checkLong checks that loops which llvmpipe would end before their end, and say nothing, are refused.
func checkLong(t *testing.T, open opener) {
	dev, err := open(nil, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	const many = 70_000
	for name, record := range map[string]func(p *program.Program){
		"a window of a whole image": func(p *program.Program) {
			p.Pool(program.ReduceMax, p.Input(400*400, 3), program.Window{Height: 400, Width: 400, KernelHeight: 400, KernelWidth: 400})
		},
		"sparse rows":               func(p *program.Program) { p.SparseProduct(p.SparseInput(2, many, many), p.Input(many, 2)) },
		"sparse rows by one column": func(p *program.Program) { p.SparseProduct(p.SparseInput(2, many/4, many), p.Input(many/4, 1)) },
		"sparse columns":            func(p *program.Program) { p.SparseGradient(p.SparseInput(many, 2, many), p.Input(many, 2)) },
		"rows that are added": func(p *program.Program) {
			p.ScatterAdd(p.Variable(program.NewParameter("w", 3, 2, nil)), p.Input(many, 2), p.Input(many, 1))
		},
	} {
		p := program.New()
		record(p)
		if _, err := dev.Compile(p); err == nil || !strings.Contains(err.Error(), "values at a time, and OpenGL takes") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	p := program.New()
	p.Apply(expr.Identity, p.Input(2, 3))
	run, err := dev.Compile(p)
	if err != nil {
		t.Fatalf("after what was refused: %v", err)
	}
	run.Close()
}
