package glops

import (
	"fmt"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
)

// The names under which variants are chosen.
const (
	ProductName = "product"
	SoftmaxName = "softmax"
	NearestName = "nearest"
)

// Tunables lists the operations that have numbered variants, those of the product being the
// executor's own.
func Tunables(products []Variant) []gldevice.Tunable {
	var names []string
	for _, v := range products {
		names = append(names, v.Name)
	}
	return []gldevice.Tunable{
		{Name: ProductName, Variants: names, Of: (*program.Product)(nil)},
		// The variants of softmax are numbered by their passes, those of nearest as below.
		{Name: SoftmaxName, Variants: []string{"one pass", "statistics of rows first", "statistics of parts of rows first"}, Of: (*program.Softmax)(nil)},
		{Name: NearestName, Variants: []string{"reduction", "compare and exchange"}, Of: (*program.Nearest)(nil)},
	}
}

// describe says what the product o is, as it lies in memory, and what follows it.
func (p *Product[T]) describe(o *program.Product) string {
	mark := map[bool]string{true: "'"}
	text := fmt.Sprintf("%dx%d%s · %dx%d%s", p.M, p.Inner, mark[p.TransA], p.Inner, p.Sums.Cols, mark[p.TransB])
	if p.Distance {
		text += ", distances"
	}
	if g := p.Gathered; g != nil {
		form := [...]string{program.Forward: "forward", program.InputGradient: "gradient of images", program.FilterGradient: "gradient of filters"}[g.Form]
		text = fmt.Sprintf("convolution, %s: %dx%dx%d to %dx%d, %d taps", form, g.Images, g.SourceRows, g.SourceCols, g.Rows, g.Channels, g.Taps)
	}
	if o.Epilogue != nil {
		text += ", " + o.Epilogue.Name()
	}
	return text
}
