package nn

// lineBatch is how many lines are computed at once where there are several.
const lineBatch = 16

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
	if lines == 1 {
		size.batch = 1
	}
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
