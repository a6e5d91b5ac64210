package ink

import "math"

// removeStray sets to 0 what is a speck, connected ink that is less than a share of the
// whole, and before that, of a whole picture, what lies around the paper.
func (img Image) removeStray(whole bool) {
	const speck = 0.004
	var all []component
	for _, pixels := range img.Components(math.SmallestNonzeroFloat32) {
		c := component{pixels: pixels}
		for _, j := range pixels {
			c.mass += img.Pix[j]
		}
		all = append(all, c)
	}
	if whole {
		all = img.removeSurroundings(all)
	}
	total := float32(0)
	for _, c := range all {
		total += c.mass
	}
	for _, c := range all {
		if c.mass < speck*total {
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
	some := share * float32(len(img.Pix))
	var around []component
	largest := component{mass: some}
	for _, c := range all {
		switch sides := c.sides(img); {
		case sides >= 2:
			around = append(around, c)
			continue
		case sides == 1 && c.mass >= some:
			return all
		case c.mass >= largest.mass:
			largest = c
		}
		left = append(left, c)
	}
	if largest.pixels == nil {
		return all
	}
	pen, alike, thick := largest.thickness(img), false, false
	for _, c := range around {
		t := c.thickness(img)
		alike, thick = alike || t > pen/much, thick || t >= pen*much
	}
	if alike && !thick {
		return all
	}
	for _, c := range around {
		img.remove(c)
	}
	return left
}

// component is connected ink.
type component struct {
	pixels []int
	mass   float32
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

// sides is how many sides of the picture the component reaches.
func (c component) sides(img Image) (n int) {
	var left, top, right, bottom bool
	for _, j := range c.pixels {
		x, y := j%img.Width, j/img.Width
		left, top, right, bottom = left || x == 0, top || y == 0, right || x == img.Width-1, bottom || y == img.Height-1
	}
	for _, reached := range []bool{left, top, right, bottom} {
		if reached {
			n++
		}
	}
	return n
}

// thickness is about that of the strokes: twice the area for each pixel on the edge of it.
func (c component) thickness(img Image) float32 {
	edge := float32(1)
	for _, j := range c.pixels {
		x, y := j%img.Width, j/img.Width
		if x == 0 || y == 0 || x == img.Width-1 || y == img.Height-1 ||
			img.Pix[j-1] == 0 || img.Pix[j+1] == 0 || img.Pix[j-img.Width] == 0 || img.Pix[j+img.Width] == 0 {
			edge++
		}
	}
	return 2 * float32(len(c.pixels)) / edge
}

func (img Image) remove(c component) {
	for _, j := range c.pixels {
		img.Pix[j] = 0
	}
}
