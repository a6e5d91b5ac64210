package ink

import (
	"image"
	"math"
	"slices"

	"golang.org/x/image/draw"
)

// TracedSide is the longer side, in pixels, at which one character is traced.
const TracedSide = 112

// Trace turns a picture of ink, such as FromPicture gives, into strokes along the middle of its lines: its inked
// part is scaled so that its longer side has so many pixels, cut at half of its strongest ink, thinned (Zhang and Suen, "A
// fast parallel algorithm for thinning digital patterns", 1984), and the lines followed from their ends, straight on
// through crossings. The strokes are in the pixels of the picture. The width of the pen, its time and the order of strokes are lost;
// each stroke is drawn to the right and down.
// It fails with ErrEmpty when there is no ink.
func Trace(img Image, side float64) (Ink, error) {
	strongest := float32(0)
	for _, v := range img.Pix {
		strongest = max(strongest, v)
	}
	if !(strongest > 0) {
		return nil, ErrEmpty
	}
	var inked image.Rectangle
	grey := image.NewGray(image.Rect(0, 0, img.Width, img.Height))
	for i, v := range img.Pix {
		grey.Pix[i] = uint8(255 * max(v, 0) / strongest)
		if x, y := i%img.Width, i/img.Width; 2*v >= strongest {
			inked = inked.Union(image.Rect(x-1, y-1, x+2, y+2))
		}
	}
	inked = inked.Intersect(grey.Bounds())
	scale := side / float64(max(inked.Dx(), inked.Dy()))
	width := max(1, int(math.Round(scale*float64(inked.Dx()))))
	height := max(1, int(math.Round(scale*float64(inked.Dy()))))
	scaled := image.NewGray(image.Rect(0, 0, width, height))
	draw.CatmullRom.Scale(scaled, scaled.Bounds(), grey, inked, draw.Src, nil)
	// A ring of paper around it, so that every pixel has eight neighbours.
	b := bitmap{width: width + 2, set: make([]bool, (width+2)*(height+2))}
	for i, v := range scaled.Pix {
		b.set[(i/width+1)*b.width+i%width+1] = v >= 128
	}
	b.thin()
	k := b.follow()
	if len(k) == 0 {
		return nil, ErrEmpty
	}
	for i, s := range k {
		if a, b := s[0], s[len(s)-1]; b.X-a.X+b.Y-a.Y < 0 {
			slices.Reverse(s)
		}
		k[i] = s.smooth()
		for j := range k[i] {
			p := &k[i][j]
			p.X, p.Y = float64(inked.Min.X)+(p.X-0.5)/scale, float64(inked.Min.Y)+(p.Y-0.5)/scale
		}
	}
	return k, nil
}

// smooth takes the steps of pixels out of a stroke: each point becomes the mean of so many on either side.
func (s Stroke) smooth() Stroke {
	const around = 2
	mean := slices.Clone(s)
	for i := range s {
		n := min(around, i, len(s)-1-i)
		var x, y float64
		for _, p := range s[i-n : i+n+1] {
			x, y = x+p.X, y+p.Y
		}
		mean[i].X, mean[i].Y = x/float64(2*n+1), y/float64(2*n+1)
	}
	return mean
}

// bitmap is black and white; its outermost ring is not set.
type bitmap struct {
	width int
	set   []bool
}

// around are the neighbours of pixel i, from above it clockwise.
func (b *bitmap) around(i int) [8]int {
	w := b.width
	return [8]int{i - w, i - w + 1, i + 1, i + w + 1, i + w, i + w - 1, i - 1, i - w - 1}
}

// thin leaves lines one pixel wide. The conditions are those of the paper: A counts the steps from paper to ink around a pixel, B
// the neighbours that are ink; each of the two passes peels two sides.
func (b *bitmap) thin() {
	for changed := true; changed; {
		changed = false
		for pass := range 2 {
			var peel []int
			for i, set := range b.set {
				if !set {
					continue
				}
				n := b.around(i)
				steps, inked := 0, 0
				for j := range n {
					if b.set[n[j]] {
						inked++
					} else if b.set[n[(j+1)%8]] {
						steps++
					}
				}
				up, right, down, left := b.set[n[0]], b.set[n[2]], b.set[n[4]], b.set[n[6]]
				open := !(up && right && down) && !(right && down && left)
				if pass == 1 {
					open = !(up && right && left) && !(up && down && left)
				}
				if steps == 1 && inked >= 2 && inked <= 6 && open {
					peel = append(peel, i)
				}
			}
			for _, i := range peel {
				// The paper's rule would remove the last four pixels of a square together, and with them a dot.
				if n := b.around(i); slices.ContainsFunc(n[:], func(j int) bool { return b.set[j] }) {
					b.set[i] = false
					changed = true
				}
			}
		}
	}
}

// links are the neighbours that a line goes on to from pixel i: those beside and above, and the diagonal ones that no
// such neighbour leads to.
func (b *bitmap) links(i int) []int {
	n := b.around(i)
	var links []int
	for j := range n {
		if b.set[n[j]] && (j%2 == 0 || !b.set[n[j-1]] && !b.set[n[(j+1)%8]]) {
			links = append(links, n[j])
		}
	}
	return links
}

// follow takes the lines apart into strokes that use every link once: first from ends, then from crossings, then rings;
// a pixel without links is a dot.
func (b *bitmap) follow() Ink {
	used := map[[2]int]bool{}
	var k Ink
	for _, from := range []func(links int) bool{
		func(links int) bool { return links == 1 },
		func(links int) bool { return links > 2 },
		func(int) bool { return true },
	} {
		for i, set := range b.set {
			if !set || !from(len(b.links(i))) {
				continue
			}
			for {
				stroke := b.walk(i, used)
				if len(stroke) < 2 && len(b.links(i)) > 0 {
					break
				}
				k = append(k, stroke)
				if len(b.links(i)) == 0 {
					break
				}
			}
		}
	}
	return k
}

// walk follows unused links from pixel i as straight as it can, and marks them used.
func (b *bitmap) walk(i int, used map[[2]int]bool) Stroke {
	at := func(i int) Point { return Point{X: float64(i % b.width), Y: float64(i / b.width)} }
	stroke := Stroke{at(i)}
	for {
		here := at(i)
		back := stroke[max(0, len(stroke)-5)]
		next, straightest := -1, math.Inf(-1)
		for _, j := range b.links(i) {
			there := at(j)
			dx, dy := there.X-here.X, there.Y-here.Y
			along := ((here.X-back.X)*dx + (here.Y-back.Y)*dy) / math.Hypot(dx, dy)
			if !used[link(i, j)] && along > straightest {
				next, straightest = j, along
			}
		}
		if next < 0 {
			return stroke
		}
		used[link(i, next)] = true
		i = next
		stroke = append(stroke, at(i))
	}
}

func link(i, j int) [2]int { return [2]int{min(i, j), max(i, j)} }
