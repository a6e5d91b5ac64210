package nn

import (
	"slices"

	"inkshade/glcompute/message"
)

// A network whose last value has several columns reads lines: it gives logits for each of them, the last class being
// the blank of Program.CTC of glcompute. Its parameters are the same for images of any width.

// Columns is the number of places that the network gives logits for, 1 unless it reads lines.
func (n Network) Columns() int {
	shapes := n.mustShapes()
	return shapes[len(shapes)-1].Width
}

// Wide is the network, with the same values of its parameters, for images so wide that it gives logits for so many columns. An error
// says what does not fit.
func (n Network) Wide(columns int) (Network, error) {
	before := n.Columns()
	wide := Network{Inputs: slices.Clone(n.Inputs), Layers: n.Layers}
	for i := range wide.Inputs {
		wide.Inputs[i].Shape.Width = wide.Inputs[i].Shape.Width * columns / before
	}
	if _, err := wide.Shapes(); err != nil {
		return Network{}, err
	}
	if got := wide.Columns(); got != columns {
		return Network{}, message.Errorf("the network gives %d columns where %d are wanted", got, columns)
	}
	return wide, nil
}

// Wide are the same parameters for images as wide as Network.Wide has them.
func (p *Parameters) Wide(columns int) (*Parameters, error) {
	net, err := p.net.Wide(columns)
	return &Parameters{net: net, layers: p.layers, learned: p.learned}, err
}

// FewLines, as one line is read in several leanings, are computed at once, and where there are more lineBatch.
const (
	FewLines  = 3
	lineBatch = 16
)

// ColumnClass is the number of columns that lines of so many are computed with: few programs serve all, and few columns are
// computed for nothing.
func ColumnClass(columns int) int {
	step := 4
	for columns > 8*step {
		step *= 2
	}
	return (columns + step - 1) / step * step
}

// Logits computes lines of one class of columns with a network that reads lines. fill gives each: it writes the values of all inputs
// one after another for so many columns. yield is given the logits [columns][classes] of each, which the next call reuses.
func (inf *Inference) Logits(lines, columns int, fill func(i int, row []float32), yield func(i int, logits []float32)) error {
	size := runSize{lineBatch, columns}
	switch {
	case lines == 1:
		size.batch = 1
	case lines <= FewLines:
		size.batch = FewLines
	}
	inf.lines = size
	var rows [][]float32
	return inf.all(size, lines, func(r *inferenceRun, start, n int) [][]float32 {
		for len(rows) < n {
			width := 0
			for _, buf := range r.inBufs {
				width += len(buf) / size.batch
			}
			rows = append(rows, make([]float32, width))
		}
		for i, row := range rows[:n] {
			fill(start+i, row)
		}
		return rows[:n]
	}, yield)
}
