package ink

import (
	"math"
	"math/bits"
	"slices"
)

// removeStray sets to 0 what is a speck, connected ink that is less than a share of the whole and, on a page of which
// any dot is a small share, less than part of a square as wide as the strokes; and before that, of a whole picture, what
// lies around the paper.
func (img Image) removeStray(whole bool) {
	const speck, square = 0.004, 0.6
	var all []component
	for _, pixels := range img.Components(math.SmallestNonzeroFloat32) {
		all = append(all, img.component(pixels))
	}
	if whole {
		all = img.removeSurroundings(all)
	}
	total, largest := float32(0), component{}
	for _, c := range all {
		total += c.mass
		if c.mass > largest.mass {
			largest = c
		}
	}
	for _, c := range all {
		if c.mass < min(speck*total, square*largest.thickness*largest.thickness) {
			img.remove(c)
		}
	}
}

// removeSurroundings removes a frame, the lines of a form, or the table on which a page was photographed, and gives what
// is left: what reaches two sides of the picture, where all of some size in the rest keeps clear of every side, and one of
// what is removed is much thicker than the largest of the rest, or all of it is much thinner. So the box
// of 回 stays, and small pictures, which may show one character from edge to edge, stay as they are.
func (img Image) removeSurroundings(all []component) (left []component) {
	const (
		least = 200  // pixels of the shorter side
		share = 3e-4 // of all pixels
		much  = 1.5  // times as thick
	)
	if min(img.Width, img.Height) < least {
		return all
	}
	largest := component{mass: share * float32(len(img.Pix))}
	some := largest.mass
	var around []component
	for _, c := range all {
		if c.sides >= 2 {
			around = append(around, c)
			continue
		}
		if c.sides == 1 && c.mass >= some {
			return all
		}
		if left = append(left, c); c.mass >= largest.mass {
			largest = c
		}
	}
	thick := slices.ContainsFunc(around, func(c component) bool { return c.thickness >= largest.thickness*much })
	alike := slices.ContainsFunc(around, func(c component) bool { return c.thickness > largest.thickness/much })
	if largest.pixels == nil || alike && !thick {
		return all
	}
	for _, c := range around {
		img.remove(c)
	}
	return left
}

// component is connected ink.
type component struct {
	pixels    []int
	mass      float32
	sides     int     // of the picture that it reaches
	thickness float32 // about that of its strokes: twice the area for each pixel on the edge of it
}

func (img Image) component(pixels []int) component {
	c := component{pixels: pixels}
	edge, sides := float32(1), uint(0)
	for _, j := range pixels {
		c.mass += img.Pix[j]
		at := uint(0)
		for i, reached := range [4]bool{j%img.Width == 0, j < img.Width, (j+1)%img.Width == 0, j >= len(img.Pix)-img.Width} {
			if reached {
				at |= 1 << i
			}
		}
		if sides |= at; at > 0 || img.Pix[j-1] == 0 || img.Pix[j+1] == 0 || img.Pix[j-img.Width] == 0 || img.Pix[j+img.Width] == 0 {
			edge++
		}
	}
	c.sides, c.thickness = bits.OnesCount(sides), 2*float32(len(pixels))/edge
	return c
}

// Components gives the pixels of each part of the picture that hangs together by edge or corner, of those that hold at least so
// much ink.
func (img Image) Components(least float32) (all [][]int) {
	seen := make([]bool, len(img.Pix))
	for i, v := range img.Pix {
		if v < least || seen[i] {
			continue
		}
		seen[i] = true
		pixels := []int{i}
		for next := 0; next < len(pixels); next++ {
			x, y := pixels[next]%img.Width, pixels[next]/img.Width
			for ny := max(y-1, 0); ny <= min(y+1, img.Height-1); ny++ {
				for nx := max(x-1, 0); nx <= min(x+1, img.Width-1); nx++ {
					if j := ny*img.Width + nx; img.Pix[j] >= least && !seen[j] {
						seen[j] = true
						pixels = append(pixels, j)
					}
				}
			}
		}
		all = append(all, pixels)
	}
	return all
}

func (img Image) remove(c component) {
	for _, j := range c.pixels {
		img.Pix[j] = 0
	}
}
