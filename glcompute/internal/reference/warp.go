package reference

import "math"

// Warp computes one image, out[i][j] = x sampled bilinearly at the affine map of (j, i)
// plus the B-splines of grid: g x g control points of the displacement along x, then as many
// along y. What lies outside the image is zero.
func Warp(out, x, affine, grid []float64, width, height, g int) {
	pixel := func(i, j int) float64 {
		if i < 0 || j < 0 || i >= height || j >= width {
			return 0
		}
		return x[i*width+j]
	}
	for i := range height {
		down := splineWeights(i, height, g)
		for j := range width {
			along := splineWeights(j, width, g)
			dx, dy := 0.0, 0.0
			for r := range g {
				for c := range g {
					w := down[r] * along[c]
					dx += w * grid[r*g+c]
					dy += w * grid[(g+r)*g+c]
				}
			}
			// Further out than one pixel all is zero.
			px := affine[0]*float64(j) + affine[1]*float64(i) + affine[2] + dx
			py := affine[3]*float64(j) + affine[4]*float64(i) + affine[5] + dy
			px = math.Max(-1, math.Min(px, float64(width)))
			py = math.Max(-1, math.Min(py, float64(height)))
			left, top := math.Floor(px), math.Floor(py)
			u, v := px-left, py-top
			row, column := int(top), int(left)
			above := (1-u)*pixel(row, column) + u*pixel(row, column+1)
			below := (1-u)*pixel(row+1, column) + u*pixel(row+1, column+1)
			out[i*width+j] = (1-v)*above + v*below
		}
	}
}

// splineWeights are the cubic B-spline weights of g control points at index i of n, whose
// pieces stretch from index 0 to n-1.
func splineWeights(i, n, g int) []float64 {
	at := float64(i) * float64(g-3) / math.Max(1, float64(n-1))
	piece := min(int(at), g-4)
	t := at - float64(piece)
	w := make([]float64, g)
	w[piece] = (1 - t) * (1 - t) * (1 - t) / 6
	w[piece+1] = (4 - 6*t*t + 3*t*t*t) / 6
	w[piece+2] = (1 + 3*t + 3*t*t - 3*t*t*t) / 6
	w[piece+3] = t * t * t / 6
	return w
}
