package glops

import (
	"fmt"
	"strings"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

// The variants of nearest by number. In a reduction the threads of a row each find the nearest in a part of it,
// and one more those of the parts; else a thread goes through a row, compares each column with what it
// holds and exchanges them (figures 8 and 9 of Su et al., 2016).
const (
	NearestReduced = 1 + iota
	NearestExchanged
)

// manyRows have threads enough for a software renderer.
const manyRows = 64

// NearestName is the name under which the variants of nearest are chosen.
const NearestName = "nearest"

var nearestChoosable = gldevice.Choosable{
	Name: NearestName, Variants: []string{"reduction", "compare and exchange"},
	Describe: func(c gldevice.Class) string {
		return fmt.Sprintf("%dx%d, %d of a class", c.Sizes[0], c.Sizes[1], c.Options[0])
	},
	Record: func(p *program.Program, c gldevice.Class) {
		p.Nearest(p.Input(c.Sizes[0], c.Sizes[1]), p.Input(c.Sizes[0], 1), c.Options[0], expr.Arg(0), expr.Arg(1), expr.Arg(2), expr.Arg(3))
	},
}

func planNearest[T any](b *gldevice.Builder[T], o *program.Nearest) (gldevice.Step, error) {
	d, out := b.Of(o.D), b.Of(o.Out)
	stage := func(first, last bool, from, to gldevice.Matrix[T]) gldevice.Kernel[T] {
		k := gldevice.Kernel[T]{
			Op: o.Name(), File: "nearest.glsl", Out: to, Work: 40 * (from.Stride()/max(to.Stride(), 1) + 1),
			Reads: []gldevice.Operand[T]{{Name: "D", Matrix: from}, {Name: "Class", Matrix: b.Of(o.Class).Lying()}},
		}
		k.Source.Define("FIRST", first).Define("LAST", last).Define("PER_CLASS", o.PerClass).Define("FARTHEST", number32(program.Farthest))
		k.Source.File("found.glsl", foundText(o.Exprs))
		return k
	}
	candidates := []int{NearestReduced, NearestExchanged}
	if o.D.Rows >= manyRows {
		candidates = []int{NearestExchanged, NearestReduced}
	}
	switch {
	case d.Stride() < 4:
		candidates = []int{NearestExchanged}
	case d.Stride() > LongestPart:
		candidates = []int{NearestReduced}
	case d.Texels() < worthReducing:
		candidates = candidates[:1]
	}
	class := gldevice.Class{Op: NearestName, Options: []int{o.PerClass}, Sizes: []int{d.Rows, d.Cols}}
	return b.Choose(class, candidates, func(v int) (gldevice.Step, error) {
		if v == NearestExchanged {
			return b.Plan(stage(true, true, d, out))
		}
		parts, err := b.Scratch("nearest of parts", d.Rows, squareRoot(d.Stride())*gldevice.TexelValues)
		if err != nil {
			return nil, err
		}
		return b.Plan(stage(true, false, d, parts), stage(false, true, parts, out))
	})
}

// foundText are the formulas as a function that gives four results from number 4·quad on.
func foundText(exprs []*expr.Expr) string {
	w := writer{names: map[string]string{}, leaf: func(x *expr.Expr) string { return fmt.Sprintf("VALUE(found[%d])", x.Index) }}
	var results strings.Builder
	for k, e := range exprs {
		fmt.Fprintf(&results, "\tif (quad == %d) results[%d] = LANE(%s, 0);\n", k/gldevice.TexelValues, k%gldevice.TexelValues, w.value(e))
	}
	return "vec4 results(vec4 found, int quad) {\n\tvec4 results = vec4(0.0);\n" + w.lines.String() + results.String() + "\treturn results;\n}\n"
}

// planAttract links the pairs of each row first, as links.glsl has them.
func planAttract[T any](b *gldevice.Builder[T], o *program.Attract) (gldevice.Step, error) {
	if err := tooMany(o.Name(), o.Pairs.Rows*o.Count, 2*LongestPart/lanes(o.W.Cols == 1)); err != nil {
		return nil, err
	}
	w, pairs := b.Of(o.W), b.Of(o.Pairs)
	links, err := b.Scratch("links of pairs", o.W.Rows+o.Pairs.Rows*o.Count, gldevice.TexelValues)
	if err != nil {
		return nil, err
	}
	out, err := b.InPlace("rows", w)
	if err != nil {
		return nil, err
	}
	link := gldevice.Kernel[T]{
		Op: o.Name(), File: "links.glsl", Out: links, Work: 16 * pairs.Rows * o.Count,
		Reads:    []gldevice.Operand[T]{{Name: "Pairs", Matrix: pairs}},
		Uniforms: func(u *gldevice.Uniforms) { u.Int("rows", o.W.Rows) },
	}
	move := gldevice.Kernel[T]{
		Op: o.Name(), File: "attract.glsl", Out: out, Work: 16 * (o.Pairs.Rows*o.Count/o.W.Rows + 1),
		Reads: []gldevice.Operand[T]{{Name: "Links", Matrix: links}, {Name: "X", Matrix: b.Of(o.X)}, {Name: "W", Matrix: w.Lying()}, {Name: "Rate", Matrix: b.Of(o.Rate)}},
	}
	move.Source.Define("COLUMN", w.Column()).Define("ROWS", w.Rows)
	link.Source.Define("PAIRS", o.Count).Define("TEXELS", (o.Count+1)/2)
	return b.Plan(link, move)
}
