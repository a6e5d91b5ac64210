package feature

import (
	"math"

	"inkshade/recognizer/ink"
)

const (
	fineSide = ink.DetailSide
	mapCells = 16 // of the direction maps, along each axis

	// MapsSize is the length of the vector Directions makes: 16 x 16 cells of 8 directions.
	MapsSize = mapCells * mapCells * directions
)

// DirectionMaps names the maps of Directions.
const DirectionMaps = "directions"

// detailPen is the width of the pen that draws ink for Directions, in pixels of the detail.
const detailPen = 2.4

// finePicture draws the strokes, or without any enlarges the picture, as Directions want it.
func finePicture(dst []float32, image ink.Image, k ink.Ink) {
	if k == nil || ink.DrawDetail(dst, k, detailPen) != nil {
		image.DetailInto(dst)
	}
}

// leanings are by how much of its height a drawing leans further each time that a network of Directions looks at it: what it
// answers in all of them is surer.
var leanings = [...]float32{0, 0.25, -0.25}

// leaning moves each row of a picture by a part of how far it is from the middle, between pixels in proportion.
func leaning(fine []float32, by float32) []float32 {
	out := make([]float32, len(fine))
	for y := range fineSide {
		row, moved := fine[y*fineSide:][:fineSide], out[y*fineSide:][:fineSide]
		shift := float64(by) * (float64(y) - (fineSide-1)/2.0)
		whole := int(math.Floor(shift))
		part := float32(shift - float64(whole))
		for x := max(0, -whole); x < min(fineSide, fineSide-whole); x++ {
			moved[x] += (1 - part) * row[x+whole]
		}
		for x := max(0, -whole-1); x < min(fineSide, fineSide-whole-1); x++ {
			moved[x] += part * row[x+whole+1]
		}
	}
	return out
}

// evenness is how far columns and rows are moved from where they are to where each holds as much
// edge as any other.
const evenness = 0.7

// Directions computes maps of the directions of edges in a picture of ink.DetailSide pixels a
// side: the Sobel gradient of every pixel is split onto its two nearest of eight directions and
// its four nearest cells, of 16 x 16. Where a pixel lies is changed first, so that strokes that
// crowd on one side of a character spread and the box of the ink becomes nearly square, while the gradients
// stay those of the picture as it is: a nonlinear normalisation that cooperates with the features (Liu,
// "Normalization-cooperated gradient feature extraction for handwritten character recognition", IEEE
// PAMI 29, 2007). The root evens out strong and weak edges, and how dark the ink is does not count.
//
// dst has MapsSize elements, ordered row, column, direction, each about 0..1.
func Directions(dst, fine []float32) {
	clear(dst[:MapsSize])
	edges := edgesOf(fine)
	if len(edges.list) == 0 {
		return
	}
	columns, rows := places(edges.columns[:]), places(edges.rows[:])
	square(&columns, &rows)
	for _, e := range edges.list {
		x, y := columns.at[e.x], rows.at[e.y]
		column, row := int(x), int(y)
		u, v := x-float32(column), y-float32(row)
		low, share := direction(float64(e.gx), float64(e.gy))
		high := (low + 1) % directions
		cell := dst[(row*mapCells+column)*directions:]
		for _, c := range [4]struct {
			at     int
			weight float32
		}{{0, (1 - u) * (1 - v)}, {directions, u * (1 - v)}, {mapCells * directions, (1 - u) * v}, {(mapCells + 1) * directions, u * v}} {
			w := c.weight * e.strength
			cell[c.at+low] += w * (1 - share)
			cell[c.at+high] += w * share
		}
	}
	unit := mapScale / edges.typical
	for i, v := range dst[:MapsSize] {
		if v > 0 {
			dst[i] = float32(math.Sqrt(float64(v * unit)))
		}
	}
}

// HalfTurn gives the maps of a drawing turned by half a circle, from those of Directions.
func HalfTurn(maps []float32) []float32 {
	turned := make([]float32, MapsSize)
	for i, v := range maps {
		cell, direction := i/directions, i%directions
		turned[(mapCells*mapCells-1-cell)*directions+(direction+directions/2)%directions] = v
	}
	return turned
}

// mapScale brings the strongest cells to about one.
const mapScale = 0.12

// edge is the gradient of a pixel.
type edge struct {
	x, y             int
	gx, gy, strength float32
}

// edges are the gradients of a picture, with their sums by column and row.
type edges struct {
	list          []edge
	columns, rows [fineSide]float32
	typical       float32 // the mean strength, weighted by itself
}

func edgesOf(fine []float32) (all edges) {
	var sum, squares float32
	for y := 1; y < fineSide-1; y++ {
		above, here, below := fine[(y-1)*fineSide:][:fineSide], fine[y*fineSide:][:fineSide], fine[(y+1)*fineSide:][:fineSide]
		for x := 1; x < fineSide-1; x++ {
			gx, gy := slopes(above[x-1], above[x], above[x+1], here[x-1], here[x+1], below[x-1], below[x], below[x+1])
			square := gx*gx + gy*gy
			if square < 1e-4 {
				continue
			}
			strength := float32(math.Sqrt(float64(square)))
			all.list = append(all.list, edge{x, y, gx, gy, strength})
			all.columns[x] += strength
			all.rows[y] += strength
			sum, squares = sum+strength, squares+square
		}
	}
	all.typical = squares / max(sum, 1e-9)
	return all
}

// placing says where the columns, or rows, of a picture go: in 0..1 along their extent first.
type placing struct {
	at     [fineSide]float32
	extent float32 // in pixels
}

// places spreads columns by their edge.
func places(edge []float32) (p placing) {
	first, last := 0, len(edge)-1
	for edge[first] == 0 {
		first++
	}
	for edge[last] == 0 {
		last--
	}
	total := float32(0)
	for _, v := range edge {
		total += v
	}
	p.extent = float32(last - first + 1)
	before := float32(0)
	for i := first; i <= last; i++ {
		linear := (float32(i-first) + 0.5) / p.extent
		even := (before + edge[i]/2) / total
		before += edge[i]
		p.at[i] = linear + evenness*(even-linear)
	}
	return p
}

// square brings places to the cells. The shorter side of a box of ratio r becomes √sin(πr/2) of the longer one
// (Liu et al., "Handwritten digit recognition: investigation of normalization and feature extraction techniques",
// 2004), and the box keeps half a cell from the margin.
func square(columns, rows *placing) {
	shorter, longer := columns, rows
	if rows.extent < columns.extent {
		shorter, longer = rows, columns
	}
	ratio := math.Sqrt(math.Sin(math.Pi / 2 * float64(shorter.extent/longer.extent)))
	const room = mapCells - 1.02
	for i := range longer.at {
		longer.at[i] *= room
		shorter.at[i] = room/2 + (shorter.at[i]-0.5)*room*float32(ratio)
	}
}
