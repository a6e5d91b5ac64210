package glops

import (
	"slices"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
)

// Gathered is what a product has more where A is the virtual image matrix of program.Gathered, which
// is read through a table and never stored: source addresses are what start addresses and
// offsets come to, which have been computed beforehand (US 10,255,547, NVIDIA, claim 1). Its sums are
// made in turns, of a tap each, four of a single channel, or of an image for the gradient of filters.
type Gathered struct {
	program.Gathered
	Blocks     bool            // all variants are possible, not the direct one alone
	entries    *program.Table  // of the gradient of filters transposed, so that positions lie side by side
	table      *gldevice.Table // the device's copy
	padded     bool            // some entries that are read see no pixel
	turnLength int             // inner indices of a turn
	turnTaps   int             // taps of a turn: four of a single channel, of which a texel has one each
	turnQuads  int             // their texels
	resultRows int
	resultCols int
	column     bool // the result is a single one
}

// DirectName is the name of the variant that suits few channels: see Direct.
const DirectName = "direct convolution"

// gather makes p the convolution o.
func (p *Product[T]) gather(o *program.Product, a, b, out gldevice.Matrix[T]) {
	g := &Gathered{
		Gathered: o.Gathered(), entries: o.A.Table, padded: slices.Contains(o.A.Table.Values(), -1),
		resultRows: out.Rows, resultCols: out.Cols, column: out.Column(),
	}
	g.Blocks = g.Groups == 1 && !g.column
	p.Turns, g.turnLength, g.turnTaps = g.Taps, g.SourceCols, 1
	walked := 0 // entries that the inner length has side by side; past the last of them there is no pixel
	switch {
	case g.Form == program.FilterGradient:
		p.Turns, g.turnLength, g.entries, walked = g.Images, g.Rows, g.entries.Transposed(), g.Rows
	case g.Form == program.Forward && g.SourceCols == 1:
		g.turnTaps, g.turnLength, walked = gldevice.TexelValues, gldevice.TexelValues, g.Taps
		p.Turns = (g.Taps + g.turnTaps - 1) / g.turnTaps
	}
	g.padded = g.padded || walked%gldevice.TexelValues > 0
	g.turnQuads = (g.turnLength + gldevice.TexelValues - 1) / gldevice.TexelValues
	p.A, p.TransA, p.B, p.TransB, p.Gathered = a, o.A.Trans, b, o.B.Trans, g
}

// FewChannels reports whether the direct variant may be faster.
func (g *Gathered) FewChannels() bool { return g != nil && g.SourceCols < gldevice.TexelValues }

// addGathered gives a kernel what its shader asks for.
func (p *Product[T]) addGathered(k *gldevice.Kernel[T]) {
	g := p.Gathered
	k.Define("GATHERED", g != nil)
	if g == nil {
		return
	}
	k.Table = g.table
	k.Define("PADDED", g.padded).Define("WHOLE", g.SourceCols%gldevice.TexelValues == 0).Define("TURN_TAPS", g.turnTaps)
	turnRows := map[program.Form]int{program.Forward: g.turnTaps * g.SourceCols, program.InputGradient: g.Channels, program.FilterGradient: g.Rows}[g.Form]
	k.Int("positions", g.Rows).Int("pixels", g.SourceRows).Int("taps", g.Taps).Int("turnQuads", g.turnQuads).Int("turnRows", turnRows).
		Int("sources", g.SourceCols).Int("channels", g.Channels).Int("resultRows", g.resultRows).Int("resultCols", g.resultCols)
}

// Direct plans p with a texel of so many rows of the result for each thread, whatever the geometry. It takes
// a pixel at a time, which suits few channels. No thread has more rounds than llvmpipe allows.
func (p *Product[T]) Direct(b *gldevice.Builder[T], rows int) gldevice.Step {
	g := p.Gathered
	rounds := g.turnTaps * (g.SourceCols + 2) // of a turn, with those that find a loop at its end
	if g.Form == program.FilterGradient {
		rounds = g.turnQuads + 2
	}
	rows *= lanes(g.column)
	limit(p.Op, rounds*rows, 2*LongestPart)
	turns := 2 * LongestPart / (rounds * rows)
	return p.InSpans(b, Block{Rows: 1, Quads: 1}, turns, func(k *gldevice.Kernel[T]) gldevice.Step {
		k.File = "convolution.glsl"
		k.Define("FORM", int(g.Form)).Define("GROUPED", g.Groups > 1).Define("COLUMN", g.column).
			Define("DEPTHWISE", g.Groups > 1 && g.SourceCols == 1 && g.Channels == 1)
		return b.Plan(k)
	})
}
