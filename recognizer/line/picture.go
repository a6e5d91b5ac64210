package line

import (
	"context"
	"math"
	"slices"

	"inkshade/recognizer/ink"
)

// ReadImage reads a picture of ink as ink.LineFromPicture gives it: its connected parts take the place of strokes, and are cut
// at columns with little ink. A picture without ink is ink.ErrEmpty.
func ReadImage(ctx context.Context, img ink.Image, o Options, ask Ask) (*Result, error) {
	parts := components(img)
	if len(parts) == 0 {
		return nil, ink.ErrEmpty
	}
	o.Text = "" // characters of a picture have no ink that it could be given to
	results, err := read(ctx, nil, [][]row{cutParts(intoRows(parts), piece.cutPicture)}, o, ask)
	if err != nil {
		return nil, err
	}
	return results[0], nil
}

// inked is the least that a pixel holds to count as ink.
const inked = 0.3

// pixel is one that is inked.
type pixel struct {
	x, y int
	v    float32
}

// components are the parts of a picture whose inked pixels touch each other, corners included. Those of a few pixels
// beside a large one are specks.
func components(img ink.Image) []piece {
	var parts []piece
	most := 0
	for _, places := range img.Components(inked) {
		var pixels []pixel
		for _, at := range places {
			pixels = append(pixels, pixel{at % img.Width, at / img.Width, img.Pix[at]})
		}
		most = max(most, len(pixels))
		parts = append(parts, piece{Part: Part{Stroke: len(parts)}, box: boxOfPixels(pixels), pixels: pixels, last: true})
	}
	return slices.DeleteFunc(parts, func(p piece) bool { return len(p.pixels)*specks < most })
}

const specks = 200 // of them make the largest part

// cutPicture parts a component at columns with the least ink around, where that is little, as far apart as narrow
// characters.
func (p piece) cutPicture(size float64) []piece {
	width := int(p.box.width())
	if p.box.width() < 0.7*size {
		return []piece{p}
	}
	heights, left := make([]float64, width), int(p.box.MinX)
	for _, q := range p.pixels {
		heights[q.x-left]++
	}
	narrow := int(0.25 * size)
	var places []int
	for x := narrow; x < width-narrow; x++ {
		around := heights[max(0, x-narrow/2) : x+narrow/2+1]
		if heights[x] <= 0.3*size && heights[x] == slices.Min(around) && (len(places) == 0 || x-places[len(places)-1] > narrow) {
			places = append(places, x)
		}
	}
	parts := make([]piece, len(places)+1)
	for _, q := range p.pixels {
		i, _ := slices.BinarySearch(places, q.x-left+1)
		parts[i].pixels = append(parts[i].pixels, q)
	}
	for i := range parts {
		parts[i].Part, parts[i].box, parts[i].last = Part{p.Stroke, i, i + 1}, boxOfPixels(parts[i].pixels), i == len(places)
	}
	return slices.DeleteFunc(parts, func(p piece) bool { return len(p.pixels) == 0 })
}

// picture draws the pixels of a group, thin strokes thickened.
func (r *row) picture(g group) ink.Image {
	x0, y0 := int(g.box.MinX), int(g.box.MinY)
	img := ink.Image{Width: int(g.box.width()), Height: int(g.box.height())}
	img.Pix = make([]float32, img.Width*img.Height)
	for _, p := range r.pieces[g.first:g.end] {
		for _, q := range p.pixels {
			img.Pix[(q.y-y0)*img.Width+q.x-x0] = q.v
		}
	}
	return img.Thicken()
}

// Trace turns a picture of lines of writing, as ink.LineFromPicture gives it, into strokes along the middle of what is
// written (ink.Trace), and levels lines that rise or fall. A picture without ink is ink.ErrEmpty.
func Trace(img ink.Image) (ink.Ink, error) {
	parts := components(img)
	if len(parts) == 0 {
		return nil, ink.ErrEmpty
	}
	whole := boxesOf(parts)
	longer := max(whole.width(), whole.height())
	const finest = 4096 // pixels along a side
	k, err := ink.Trace(img, min(ink.TracedSide*longer/sizeOf(parts), finest))
	if err != nil {
		return nil, err
	}
	return level(k), nil
}

// level turns ink until its lines are level: until its points lie in as few rows as they can. Of a line that is short beside its height
// nobody can tell.
func level(k ink.Ink) ink.Ink {
	const (
		most, step = 15, 0.5 // degrees
		clearly    = 1.1     // as crowded at least, for ink to be turned
		short      = 5       // times the size of the writing
		rows       = 8       // in the size of the writing
	)
	var pieces []piece
	for _, s := range k {
		pieces = append(pieces, piece{box: boxOf(s)})
	}
	size := sizeOf(pieces)
	if boxesOf(pieces).width() < short*size {
		return k
	}
	crowded := func(degrees float64) (sum float64) {
		points := map[int]float64{}
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		for _, s := range k {
			for _, p := range s {
				points[int(math.Floor((p.Y*cos-p.X*sin)/size*rows))]++
			}
		}
		for _, n := range points {
			sum += n * n
		}
		return sum
	}
	best, most0 := 0.0, clearly*crowded(0)
	for degrees := -float64(most); degrees <= most; degrees += step {
		if c := crowded(degrees); c > most0 {
			best, most0 = degrees, c
		}
	}
	sin, cos := math.Sincos(best * math.Pi / 180)
	for _, s := range k {
		for i, p := range s {
			s[i].X, s[i].Y = p.X*cos+p.Y*sin, p.Y*cos-p.X*sin
		}
	}
	return k
}
