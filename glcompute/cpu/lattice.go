package cpu

import "inkshade/glcompute/program"

// lattice is a virtual image matrix whose rows are multiplied where they lie, in an image with its border of zeros:
// value l of the position at y, x stands at[l] behind pixel y·StrideY, x·StrideX. The offsets are the same for all
// positions (claim 1 of US 10,255,547, NVIDIA), so that a tile of neighbouring ones needs no copy.
type lattice struct {
	images
	program.Window
	across, width int // positions and pixels side by side
	at            []int32
	borders       [][]float32 // of each thread: as many lines as rows positions see; nil without a border
}

// leastRows is how many rows of a lattice its tiles must have; a tile of gathered ones is always full, and faster
// than a smaller one.
const leastRows = 5

// lattice gives the image matrix of a window that is wide enough to fill tiles; nil for another table. It is used
// for so many rows at a time.
func (b *builder) lattice(m images, channels, rows int, w *program.Window) *lattice {
	if !inPlace || w == nil {
		return nil
	}
	height, across := w.Output()
	if tiles := (across + tileRows() - 1) / tileRows(); across < leastRows*tiles {
		return nil
	}
	g := &lattice{images: m, Window: *w, across: across, width: w.Left + w.Width + w.Right}
	for y := range w.KernelHeight {
		for x := range w.KernelWidth {
			for c := range channels {
				g.at = append(g.at, int32((y*w.DilationY*g.width+x*w.DilationX)*m.ld+c))
			}
		}
	}
	if w.Top+w.Left+w.Bottom+w.Right > 0 {
		g.borders = b.threadScratch(g.lines(min(rows/across+1, height)) * g.width * m.ld)
	}
	return g
}

// lines is how many lines of pixels so many lines of positions see.
func (g *lattice) lines(positions int) int {
	return (positions-1)*g.StrideY + (g.KernelHeight-1)*g.DilationY + 1
}

// each calls f for the rows from to to-1 of the image matrix, a line of positions at a time, with the number of the
// first and where its pixels begin.
func (g *lattice) each(thread, from, to int, f func(first, count int, pixels []float32)) {
	for from < to {
		number, position := from/g.positions, from%g.positions
		end := min(to, from-position+g.positions)
		top, bottom := position/g.across, (position+end-from-1)/g.across
		pixels := g.bordered(thread, g.pixels[number*g.size:], top*g.StrideY, g.lines(bottom-top+1))
		for from < end {
			y, x := position/g.across, position%g.across
			count := min(g.across-x, end-from)
			f(from, count, pixels[((y-top)*g.StrideY*g.width+x*g.StrideX)*g.ld:])
			from, position = from+count, position+count
		}
	}
}

// bordered gives so many lines of an image in its border.
func (g *lattice) bordered(thread int, image []float32, first, lines int) []float32 {
	if g.borders == nil {
		return image[first*g.width*g.ld:]
	}
	out, width := g.borders[thread], g.Window.Width*g.ld
	for y := range lines {
		line := out[y*g.width*g.ld:][:g.width*g.ld]
		from := first + y - g.Top
		if from < 0 || from >= g.Height {
			clear(line)
			continue
		}
		clear(line[:g.Left*g.ld])
		copy(line[g.Left*g.ld:], image[from*width:][:width])
		clear(line[g.Left*g.ld+width:])
	}
	return out
}
