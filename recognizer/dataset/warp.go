package dataset

import (
	"math"
	"math/rand/v2"
)

// A cubic B-spline smooths like a Gaussian whose standard deviation is √(1/3) of the
// distance of its control points, and keeps this share of the standard deviation of
// noise on them along each axis, in the mean over all places.
const (
	splineSigma = 0.5773502691896258
	splinePower = 151. / 315 // the mean of the sum of squared weights
)

// WarpGrid is the number of control points along an axis with which DrawWarp's splines
// are as smooth as this distortion's elastic field, as far as a whole number of pieces can be.
func (d Distortion) WarpGrid() int {
	if d.ElasticAlpha == 0 {
		return 4
	}
	distance := max(d.ElasticSigma, 1) / splineSigma
	return 3 + max(1, int(math.Round((side-1)/distance)))
}

// DrawWarp draws one image's distortion as glcompute's Warp operation takes it: affine is
// the map of an output pixel to the place it comes from, 6 values; grid holds the
// control points of the displacement along x, then along y, WarpGrid x WarpGrid each. The
// changes are as likely as those of Apply, but for Thickness, which has no part in them.
func (d Distortion) DrawWarp(affine, grid []float32, rng *rand.Rand) {
	m := d.drawAffine(rng)
	x, y := m.start(0)
	for i, v := range [6]float64{m.xx, m.xy, x, m.yx, m.yy, y} {
		affine[i] = float32(v)
	}
	amount := 0.0
	if d.ElasticAlpha != 0 {
		spread := d.ElasticAlpha / (max(d.ElasticSigma, 1) * math.Sqrt(12*math.Pi))
		amount = spread * math.Sqrt(3) / splinePower
	}
	fill(grid, float32(amount), rng)
}
