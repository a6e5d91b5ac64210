package glops

import (
	"fmt"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

// The variants of column sums.
const (
	sumsWhole   = iota + 1 // a thread sums all rows
	sumsStrided            // partial sums of rows far apart, about as many as each has rows, then their sum
	sumsByEight            // partial results of eight rows, and of eight of these, until one is left
)

// columnSumsChoosable: by eight is how the description of the pixel-shader patent
// (US 7,219,085, Microsoft) reduces long sums.
var columnSumsChoosable = gldevice.Choosable{
	Name: "column sums", Variants: []string{"one pass", "two passes", "eight rows a pass"},
	Describe: func(c gldevice.Class) string { return fmt.Sprintf("%dx%d", c.Sizes[0], c.Sizes[1]) },
	Record:   func(p *program.Program, c gldevice.Class) { p.ColumnSums(p.Input(c.Sizes[0], c.Sizes[1])) },
}

func planColumnSums[T any](b *gldevice.Builder[T], o *program.ColumnSums) (gldevice.Step, error) {
	if x := b.Of(o.X); x.Column() {
		return rowReduction(b, o.Name(), "row_sums.glsl", x.Lying(), x.Lying(), b.Of(o.Out))
	}
	return columnSumsAs(b, o, chooseColumnSums(b, o))
}

// chooseColumnSums gives the variant that suits a matrix of more than one column.
func chooseColumnSums[T any](b *gldevice.Builder[T], o *program.ColumnSums) int {
	x := b.Of(o.X)
	class := gldevice.Class{Op: columnSumsChoosable.Name, Sizes: []int{x.Rows, x.Cols}}
	return b.Pick(class, columnSumsCandidates(x.Rows, x.Stride(), b.Software()), func(variant int) (gldevice.Step, error) {
		return columnSumsAs(b, o, variant)
	})
}

func columnSumsAs[T any](b *gldevice.Builder[T], o *program.ColumnSums, variant int) (gldevice.Step, error) {
	kernels, rest, err := columnSumsBefore(b, o, b.Of(o.X), variant)
	if err != nil {
		return nil, err
	}
	file := "column_sums.glsl"
	if rest.Rows <= PartsAtOnce {
		file = "column_sums_by_eight.glsl"
	}
	return b.Plan(append(kernels, columnSumsStage(o, file, rest, b.Of(o.Out)))...)
}

// columnSumsBefore gives the passes of a variant but for the last, and what that adds up.
func columnSumsBefore[T any](b *gldevice.Builder[T], o *program.ColumnSums, x gldevice.Matrix[T], variant int) (
	kernels []gldevice.Kernel[T], rest gldevice.Matrix[T], err error,
) {
	pass := func(file string, rows int) error {
		sums, err := b.Scratch("column sums", rows, x.Cols)
		if err != nil {
			return err
		}
		kernels = append(kernels, columnSumsStage(o, file, x, sums))
		x = sums
		return nil
	}
	switch variant {
	case sumsStrided:
		err = pass("column_sums.glsl", squareRoot(x.Rows))
	case sumsByEight:
		for x.Rows > PartsAtOnce && err == nil {
			err = pass("column_sums_by_eight.glsl", (x.Rows+PartsAtOnce-1)/PartsAtOnce)
		}
	}
	return kernels, x, err
}

// sumsTall is the number of rows beyond which two passes are too few by rule of thumb: on
// llvmpipe they took three to five times as long as eight rows a pass for 16,384.
const sumsTall = 1024

// columnSumsCandidates are the variants worth measuring, the first by rule of thumb: llvmpipe
// gains nothing from more threads than there are columns.
func columnSumsCandidates(rows, stride int, software bool) []int {
	switch {
	case rows > LongestPart:
		return []int{sumsByEight, sumsStrided}
	case software && parts(rows) > 1:
		return []int{sumsWhole, sumsByEight, sumsStrided}
	case rows > sumsTall:
		return []int{sumsByEight, sumsStrided, sumsWhole}
	case parts(rows) > 1:
		return []int{sumsStrided, sumsByEight, sumsWhole}
	case rows > PartsAtOnce && rows*stride >= worthReducing:
		return []int{sumsWhole, sumsByEight}
	}
	return []int{sumsWhole}
}

// worthReducing is the number of texels below which a reduction takes a few microseconds in
// any way.
const worthReducing = 1 << 10

// columnSumsStage runs the shader that leaves in row p of its result the sum of the rows p,
// p + P, p + 2P, ... of its operand, P being the number of rows of the result, or the one
// that leaves there that of eight rows from 8p.
func columnSumsStage[T any](o *program.ColumnSums, file string, from, to gldevice.Matrix[T]) gldevice.Kernel[T] {
	return gldevice.Kernel[T]{
		Op: o.Name(), File: file, Reads: operands(from, from), Out: to,
		Work: gldevice.TexelValues * (from.Rows/to.Rows + 1),
	}
}
