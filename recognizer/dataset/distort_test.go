package dataset

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// plus is an image with ink in the middle and detail in all directions.
func plus() []float32 {
	img := make([]float32, pixels)
	for i := 6; i < 23; i++ {
		img[14*side+i], img[i*side+14] = 1, 1
		img[15*side+i], img[i*side+15] = 0.5, 0.5
	}
	img[8*side+9] = 0.7
	return img
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func TestNoDistortionIsIdentity(t *testing.T) {
	src := plus()
	dst := make([]float32, pixels)
	Distortion{}.Apply(dst, src, newRand(1))
	for i := range dst {
		if math.Abs(float64(dst[i]-src[i])) > 1e-5 {
			t.Fatalf("pixel %d is %g, want %g", i, dst[i], src[i])
		}
	}
}

func BenchmarkApply(b *testing.B) {
	src, dst, rng := plus(), make([]float32, pixels), newRand(1)
	d := DefaultDistortion()
	b.ReportAllocs()
	for b.Loop() {
		d.Apply(dst, src, rng)
	}
}

// moments are the amount of ink, its centre in pixel indices and its second moments.
func moments(img []float32) (mass, x, y, xx, xy, yy float64) {
	for i, v := range img {
		mass += float64(v)
		x += float64(v) * float64(i%side)
		y += float64(v) * float64(i/side)
	}
	x, y = x/mass, y/mass
	for i, v := range img {
		dx, dy := float64(i%side)-x, float64(i/side)-y
		xx += float64(v) * dx * dx / mass
		xy += float64(v) * dx * dy / mass
		yy += float64(v) * dy * dy / mass
	}
	return mass, x, y, xx, xy, yy
}

// ellipse is smooth, so its moments survive resampling, and longer than wide.
func ellipse() []float32 {
	img := make([]float32, pixels)
	for i := range img {
		dx, dy := float64(i%side-middle)/2.5, float64(i/side-middle)/4
		img[i] = float32(math.Exp(-(dx*dx + dy*dy) / 2))
	}
	return img
}

// TestEachChangeKeepsItsRange draws each kind of change alone, many times, and measures it.
func TestEachChangeKeepsItsRange(t *testing.T) {
	src := ellipse()
	_, x0, y0, xx0, _, yy0 := moments(src)
	for name, c := range map[string]struct {
		d       Distortion
		limit   float64
		measure func(img []float32) float64
	}{
		"shift x": {Distortion{Shift: 2.5}, 2.5, func(img []float32) float64 {
			_, x, _, _, _, _ := moments(img)
			return x - x0
		}},
		"shift y": {Distortion{Shift: 2.5}, 2.5, func(img []float32) float64 {
			_, _, y, _, _, _ := moments(img)
			return y - y0
		}},
		"rotate": {Distortion{Rotate: 20}, 20, func(img []float32) float64 {
			_, _, _, xx, xy, yy := moments(img)
			// The long axis points down; turning to the right in the picture makes xy negative.
			return -math.Atan2(2*xy, yy-xx) / 2 * 180 / math.Pi
		}},
		"scale x": {Distortion{Scale: 0.2}, 0.2, func(img []float32) float64 {
			_, _, _, xx, _, _ := moments(img)
			return math.Log(xx/xx0) / 2
		}},
		"scale y": {Distortion{Scale: 0.2}, 0.2, func(img []float32) float64 {
			_, _, _, _, _, yy := moments(img)
			return math.Log(yy/yy0) / 2
		}},
		"shear": {Distortion{Shear: 0.3}, 0.3, func(img []float32) float64 {
			_, _, _, _, xy, yy := moments(img)
			return xy / yy
		}},
	} {
		rng := newRand(5)
		dst := make([]float32, pixels)
		var most, sum float64
		least := math.Inf(1)
		const n = 600
		for range n {
			c.d.Apply(dst, src, rng)
			v := c.measure(dst)
			most, least = max(most, v), min(least, v)
			sum += v / n
		}
		if most > 1.08*c.limit || least < -1.08*c.limit || most < 0.93*c.limit || least > -0.93*c.limit {
			t.Errorf("%s goes from %.3f to %.3f, want about ±%g", name, least, most, c.limit)
		}
		if math.Abs(sum) > 0.12*c.limit {
			t.Errorf("%s has the mean %.3f, want 0", name, sum)
		}
	}
}

// TestElasticIsSimards compares the spread of the displacement, and its likeness at a
// distance, with noise on every pixel smoothed by a Gaussian: alpha / (sigma √(12π)), and
// exp(-d²/4sigma²).
func TestElasticIsSimards(t *testing.T) {
	for _, c := range []struct{ alpha, sigma float64 }{{34, 4}, {36, 5}, {20, 2.5}, {5, 1}, {60, 8}} {
		rng := newRand(9)
		const draws, distance = 3000, 5
		var power, far, centre, corner float64
		for range draws {
			var f field
			f.addElastic(c.alpha, c.sigma, rng)
			for _, values := range []*[pixels]float32{&f.x, &f.y} {
				for y := 3; y < side; y += 7 {
					for x := 1; x < side-distance; x += 6 {
						v := float64(values[y*side+x])
						power += v * v / (draws * 2 * 4 * 4)
						far += v * float64(values[y*side+x+distance]) / (draws * 2 * 4 * 4)
					}
				}
				centre += float64(values[14*side+14]) * float64(values[14*side+14]) / (2 * draws)
				corner += float64(values[0]) * float64(values[0]) / (2 * draws)
			}
		}
		want := c.alpha / (c.sigma * math.Sqrt(12*math.Pi))
		if got := math.Sqrt(power); math.Abs(got/want-1) > 0.04 {
			t.Errorf("%+v: a spread of %.4f pixels, want %.4f", c, got, want)
		}
		if got, like := far/power, math.Exp(-distance*distance/(4*c.sigma*c.sigma)); math.Abs(got-like) > 0.05 {
			t.Errorf("%+v: likeness %.3f at %d pixels, want %.3f", c, got, distance, like)
		}
		if math.Abs(math.Sqrt(centre/corner)-1) > 0.1 {
			t.Errorf("%+v: the corner moves by %.3f, the middle by %.3f", c, math.Sqrt(corner), math.Sqrt(centre))
		}
	}
}

func TestThickness(t *testing.T) {
	src := plus()
	rng := newRand(2)
	before, _, _, _, _, _ := moments(src)
	var thicker, thinner bool
	for range 50 {
		dst := make([]float32, pixels)
		Distortion{Thickness: 1}.Apply(dst, src, rng)
		after, _, _, _, _, _ := moments(dst)
		thicker, thinner = thicker || after > 1.3*before, thinner || after < 0.7*before
	}
	if !thicker || !thinner {
		t.Errorf("thicker %t, thinner %t", thicker, thinner)
	}
	full := slices.Repeat([]float32{1}, pixels)
	thicken(full, side, 1)
	if !slices.Equal(full, slices.Repeat([]float32{1}, pixels)) {
		t.Error("full ink became something else")
	}
}

func TestApplyStaysWithinRangeAndInPlace(t *testing.T) {
	extreme := Distortion{Shift: 40, Rotate: 180, Scale: 3, Shear: 2, ElasticAlpha: 300, ElasticSigma: 0.1, Thickness: 9}
	for _, d := range []Distortion{DefaultDistortion(), extreme} {
		for seed := range uint64(200) {
			src := plus()
			dst := make([]float32, pixels)
			d.Apply(dst, src, newRand(seed))
			for i, v := range dst {
				if !(v >= -1e-6 && v <= 1+1e-6) {
					t.Fatalf("pixel %d is %g", i, v)
				}
			}
			d.Apply(src, src, newRand(seed))
			if !slices.Equal(src, dst) {
				t.Fatal("in place it gives another image")
			}
		}
	}
}

func TestApplyAllocatesNothing(t *testing.T) {
	src, dst, rng := plus(), make([]float32, pixels), newRand(1)
	if n := testing.AllocsPerRun(50, func() { DefaultDistortion().Apply(dst, src, rng) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestWrongSizesPanic(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Apply takes wrong sizes")
		}
	}()
	Distortion{}.Apply(make([]float32, 783), make([]float32, 784), newRand(1))
}
