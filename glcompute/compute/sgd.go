package compute

import (
	"fmt"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/program"
)

// sgdRows is the number of rows of which a thread updates a texel, by the number of the
// variant less one. llvmpipe, where short threads are dear, takes three quarters of the time
// with four.
var sgdRows = []int{1, 4}

var sgdChoosable = gldevice.Choosable{
	Name: "sgd", Variants: []string{"a row a thread", "four rows a thread"},
	Describe: func(c gldevice.Class) string {
		text := fmt.Sprintf("%dx%d", c.Sizes[0], c.Sizes[1])
		if c.Options[0] == 1 {
			text += ", anchor"
		}
		if c.Options[1] == 1 {
			text += ", two floats"
		}
		return text
	},
	Record: func(p *program.Program, c gldevice.Class) {
		variable := func() *program.Tensor { return p.Variable(program.NewParameter("", c.Sizes[0], c.Sizes[1], nil)) }
		var anchor *program.Tensor
		if c.Options[0] == 1 {
			anchor = variable()
		}
		w, v, dw, settings := variable(), variable(), p.Input(c.Sizes[0], c.Sizes[1]), p.Input(1, 3)
		if c.Options[1] == 1 {
			p.SGDTwoFloats(w, variable(), v, dw, anchor, settings)
		} else {
			p.SGD(w, v, dw, anchor, settings)
		}
	},
}

// sgdWorthMeasuring is the number of texels below which the update takes a few microseconds
// in any way.
const sgdWorthMeasuring = 1 << 12

// sgdCandidates are the variants worth measuring, the first by rule of thumb.
func (e *executor) sgdCandidates(rows, stride int) []int {
	all := []int{1, 2}
	if e.software && rows >= sgdRows[1] {
		all = []int{2, 1}
	}
	if rows < sgdRows[1] || rows*stride < sgdWorthMeasuring {
		return all[:1]
	}
	return all
}

func (e *executor) planSGD(b *builder, o *program.SGD) (gldevice.Step, error) {
	w := b.Of(o.W).Lying()
	class := gldevice.Class{Op: sgdChoosable.Name, Options: []int{0, 0}, Sizes: []int{w.Rows, w.Cols}}
	if o.Anchor != nil {
		class.Options[0] = 1
	}
	if o.Low != nil {
		class.Options[1] = 1
	}
	return b.Choose(class, e.sgdCandidates(w.Rows, w.Stride()), func(variant int) (gldevice.Step, error) {
		return e.planSGDRows(b, o, glops.PlainGradient(b, o), sgdRows[variant-1])
	})
}

// planStep plans the step of a matrix of one row.
func (e *executor) planStep(b *builder, o *program.SGD, g glops.Gradient[*buffer]) (gldevice.Step, error) {
	return e.planSGDRows(b, o, g, 1)
}

// planSGDRows updates momentum and weights in one pass, where the shared plan needs two: a
// thread reads its texels of both before it writes them, and no other thread reads them.
func (e *executor) planSGDRows(b *builder, o *program.SGD, g glops.Gradient[*buffer], rows int) (gldevice.Step, error) {
	const work = 64
	u, err := glops.InPlace(b, o)
	if err != nil {
		return nil, err
	}
	l := launch{
		Kernel: gldevice.Kernel[*buffer]{Op: o.Name(), File: "sgd.glsl", Out: u.W, Work: work},
		items:  (u.W.Rows + rows - 1) / rows * u.W.Stride(),
	}
	l.Also = []operand{{Name: "V", Matrix: u.V}}
	g.AddTo(&l.Kernel)
	l.work = l.Work * rows
	glops.Settings(b, &l.Kernel, o)
	if o.Low != nil {
		l.Also = append(l.Also, operand{Name: "Low", Matrix: u.Low})
	}
	l.Source.Define("ROWS", rows)
	return e.plan(l)
}
