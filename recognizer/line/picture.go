package line

import (
	"context"
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
	results, err := read(ctx, [][]row{cutParts(intoRows(parts), piece.cutPicture)}, o, ask)
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
		parts = append(parts, piece{box: boxOfPixels(pixels), pixels: pixels, stroke: len(parts), last: true})
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
		parts[i].box, parts[i].stroke, parts[i].part, parts[i].last = boxOfPixels(parts[i].pixels), p.stroke, i, i == len(places)
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
