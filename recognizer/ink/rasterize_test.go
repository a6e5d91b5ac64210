package ink

import (
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
)

// curve is an open stroke with bends of all sizes, n points.
func curve(n int) Stroke {
	s := make(Stroke, n)
	for i := range s {
		t := float64(i) / float64(n-1)
		s[i] = Point{
			X: 100 + 60*math.Sin(5*t) + 25*math.Sin(17*t),
			Y: 40 + 180*t + 20*math.Cos(11*t),
		}
	}
	return s
}

// shapes are drawings of every kind, none wider than a few hundred units.
func shapes() map[string]Ink {
	circle := make(Stroke, 60)
	for i := range circle {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 59)
		circle[i] = Point{X: 50 + 30*cos, Y: 70 + 44*sin}
	}
	return map[string]Ink{
		"curve":   {curve(80)},
		"circle":  {circle},
		"two":     {curve(30), {{X: 10, Y: 10}, {X: 200, Y: 30}}},
		"corner":  {{{X: 0, Y: 0}, {X: 70, Y: 0}, {X: 5, Y: 90}}},
		"hatched": {{{X: 0, Y: 0}, {X: 90, Y: 3}, {X: 0, Y: 6}, {X: 90, Y: 9}, {X: 0, Y: 12}}},
		"i":       {{{X: 20, Y: 30}, {X: 22, Y: 80}}, {{X: 21, Y: 10}}},
		"line":    {{{X: 3, Y: 4}, {X: 80, Y: 4}}},
		"upright": {{{X: 3, Y: 4}, {X: 3, Y: 90}}},
		"dot":     {{{X: 12, Y: 14}}},
	}
}

func (k Ink) transformed(scale, dx, dy float64) Ink {
	out := make(Ink, len(k))
	for i, s := range k {
		for _, p := range s {
			p.X, p.Y = p.X*scale+dx, p.Y*scale+dy
			out[i] = append(out[i], p)
		}
	}
	return out
}

func drawn(t *testing.T, k Ink) Image {
	t.Helper()
	img, err := Rasterize(k)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range img.Pix {
		if !(v >= 0 && v <= 1) {
			t.Fatalf("pixel %d is %g", i, v)
		}
	}
	return img
}

func difference(a, b Image) (most, mean float64) {
	for i := range a.Pix {
		d := math.Abs(float64(a.Pix[i] - b.Pix[i]))
		most = max(most, d)
		mean += d / float64(len(a.Pix))
	}
	return most, mean
}

// TestPlaceAndSizeDoNotMatter states the tolerance: two grey levels of 255.
func TestPlaceAndSizeDoNotMatter(t *testing.T) {
	const tolerance = 2.0 / 255
	worst := 0.0
	for name, k := range shapes() {
		want := drawn(t, k)
		for _, c := range []struct{ scale, dx, dy float64 }{
			{1, -1000, 3},
			{1, 0.37, 0.71},
			{0.01, 0, 0},
			{1e-6, 0, 0},
			{1e-6, 1e-3, -1e-3},
			{1.7, 33, 5},
			{1000, -1e6, 1e5},
			{1e12, 1e12, 0},
			{1e300, 0, 0},
			{1e-290, 0, 0},
			{1, 1e6, 1e6},
		} {
			got := drawn(t, k.transformed(c.scale, c.dx, c.dy))
			most, _ := difference(got, want)
			worst = max(worst, most)
			if most > tolerance {
				t.Errorf("%s, %+v: a pixel differs by %.4f, more than %.4f", name, c, most, tolerance)
			}
		}
	}
	t.Logf("largest difference of a pixel: %.5f", worst)
}

func TestProtocol(t *testing.T) {
	for name, k := range shapes() {
		img := drawn(t, k)
		mass, x, y := centreOfMass(img.Pix, Side)
		// Resampling moves the mass within a pixel to its middle.
		if math.Abs(x-centre) > 0.03 || math.Abs(y-centre) > 0.03 {
			t.Errorf("%s: centre of mass at %.3f, %.3f, want %g", name, x, y, centre)
		}
		x0, y0, x1, y1 := sides(img.inkedBox())
		size := max(x1-x0, y1-y0)
		switch {
		case name == "dot":
			if size < dotWidth || size > dotWidth+1 || math.Abs(mass-math.Pi*dotWidth*dotWidth/4) > 0.3 {
				t.Errorf("dot: %d pixels wide, %.2f of ink", size, mass)
			}
		case size != boxSide && size != boxSide+1:
			t.Errorf("%s: the longer side is %d pixels", name, size)
		}
		again, err := Normalize(img)
		if most, _ := difference(img, again); err != nil || most != 0 {
			t.Errorf("%s: Normalize changed it by %g (%v)", name, most, err)
		}
	}
}

func TestLinesKeepTheWidthOfThePen(t *testing.T) {
	const length = boxSide - penWidth
	want := length*penWidth + math.Pi*penWidth*penWidth/4
	for _, name := range []string{"line", "upright"} {
		mass, _, _ := centreOfMass(drawn(t, shapes()[name]).Pix, Side)
		if math.Abs(mass-want) > 0.01*want {
			t.Errorf("%s: %.3f of ink, want %.3f", name, mass, want)
		}
	}
	// Diagonally the longer side of the box is the shorter side of the stroke.
	mass, _, _ := centreOfMass(drawn(t, Ink{{{X: 0, Y: 0}, {X: 1, Y: 1}}}).Pix, Side)
	want += (math.Sqrt2 - 1) * length * penWidth
	if math.Abs(mass-want) > 0.01*want {
		t.Errorf("diagonal: %.3f of ink, want %.3f", mass, want)
	}
}

// TestAgainstDistance compares with the definition: a point is inked when it lies within
// half the pen of a segment.
func TestAgainstDistance(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for name, k := range shapes() {
		checkDistance(t, name, k)
	}
	for range 20 {
		k := Ink{make(Stroke, 2+rng.IntN(30)), make(Stroke, 1+rng.IntN(4))}
		for _, s := range k {
			x, y := rng.Float64()*50, rng.Float64()*50
			for i := range s {
				x, y = x+rng.NormFloat64()*6, y+rng.NormFloat64()*6
				s[i] = Point{X: x, Y: y}
			}
		}
		checkDistance(t, "random walk", k)
	}
}

func checkDistance(t *testing.T, name string, k Ink) {
	t.Helper()
	const fine = 12
	got := drawn(t, k)
	f, _ := fitInk(k, fineSide, penWidth*oversampling, dotWidth*oversampling)
	// Where Rasterize put the box: undo its centring by the mass of the definition.
	covered := func(x, y float64) bool {
		x, y = x*oversampling, y*oversampling
		for _, s := range k {
			for i := range s {
				a, b := f.apply(s[i]), f.apply(s[max(i-1, 0)])
				d, p := b.minus(a), vec{x, y}.minus(a)
				along := 0.0
				if n := d.dot(d); n > 0 {
					along = min(max(p.dot(d)/n, 0), 1)
				}
				if off := p.minus(d.times(along)); off.dot(off) <= f.radius*f.radius {
					return true
				}
			}
		}
		return false
	}
	const n = (boxSide + 2) * fine
	grid := make([]float32, n*n)
	for y := range n {
		for x := range n {
			if covered((float64(x)+0.5)/fine-1, (float64(y)+0.5)/fine-1) {
				grid[y*n+x] = 1
			}
		}
	}
	w, h := f.inked()
	want := Image{Width: Side, Height: Side, Pix: make([]float32, Side*Side)}
	place(want.Pix, grid, n, box{fine, fine, fine + w/oversampling*fine, fine + h/oversampling*fine}, 1.0/fine, new(placing))
	most, mean := difference(got, want)
	if most > 0.13 || mean > 0.004 {
		t.Errorf("%s: a pixel is off by %.3f, %.4f on average", name, most, mean)
	}
}

func TestDensityOfPointsDoesNotMatter(t *testing.T) {
	want := drawn(t, Ink{curve(400)})
	for _, n := range []int{10_000, 100_000} {
		got := drawn(t, Ink{curve(n)})
		if most, _ := difference(got, want); most > 0.04 {
			t.Errorf("%d points: a pixel differs by %.3f", n, most)
		}
	}
	// A pen that rests and one that goes over its own line leave no more ink, but for the
	// edges: samples that two outlines cover in part count the sum of both.
	s := curve(80)
	rest := append(append(Stroke{}, s[:40]...), make(Stroke, 500)...)
	for i := range 500 {
		rest[40+i] = s[39]
	}
	rest = append(rest, s[40:]...)
	back := append(Stroke{}, s...)
	for i := len(s) - 2; i >= 0; i-- {
		back = append(back, s[i])
	}
	want = drawn(t, Ink{s})
	for name, k := range map[string]Ink{"rests": {rest}, "returns": {back}, "twice": {s, s}} {
		if most, mean := difference(drawn(t, k), want); most > 0.12 || mean > 0.007 {
			t.Errorf("%s: a pixel differs by %.3f, %.4f on average", name, most, mean)
		}
	}
}

func TestEmptyInk(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, k := range []Ink{nil, {}, {nil, {}}, {{{X: nan, Y: 1}}}, {{{X: 1, Y: inf}}, {{X: -inf, Y: nan}}}} {
		if _, err := Rasterize(k); !errors.Is(err, ErrEmpty) {
			t.Errorf("%v: error %v, want ErrEmpty", k, err)
		}
		if len(k.Clean()) != 0 || k.Clean().Points() != 0 {
			t.Errorf("%v: Clean leaves %v", k, k.Clean())
		}
	}
}

func TestPointsThatAreNotFiniteAreLeftOut(t *testing.T) {
	k := shapes()["two"]
	var dirty Ink
	for _, s := range k {
		var d Stroke
		for _, p := range s {
			d = append(d, Point{X: math.NaN(), Y: p.Y}, p, Point{X: p.X, Y: math.Inf(-1)})
		}
		dirty = append(dirty, d, nil)
	}
	if most, _ := difference(drawn(t, dirty), drawn(t, k)); most != 0 {
		t.Errorf("a pixel differs by %g", most)
	}
	if got := dirty.Clean(); len(got) != len(k) || got.Points() != k.Points() {
		t.Errorf("Clean leaves %d strokes of %d points, want %d of %d", len(got), got.Points(), len(k), k.Points())
	}
	unknown := Ink{{{X: 1, Y: 2, T: math.NaN(), Pressure: math.Inf(1)}}}.Clean()
	if unknown[0][0] != (Point{X: 1, Y: 2}) {
		t.Errorf("Clean leaves %v", unknown)
	}
}

func TestExtremeCoordinates(t *testing.T) {
	const most, least = math.MaxFloat64, math.SmallestNonzeroFloat64
	for _, k := range []Ink{
		{{{X: -most, Y: -most}, {X: most, Y: most}}},
		{{{X: most, Y: most}}},
		{{{X: least, Y: 0}, {X: 0, Y: least}}},
		{{{X: 0, Y: 0}, {X: most, Y: least}}},
		{{{X: 1e15, Y: 1}, {X: 1e15 + 1, Y: 2}}},
	} {
		img := drawn(t, k)
		if mass, _, _ := centreOfMass(img.Pix, Side); mass < 5 {
			t.Errorf("%v: %.2f of ink", k, mass)
		}
	}
}

func TestRasterizeFromManyGoroutines(t *testing.T) {
	want := drawn(t, Ink{curve(50)})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				got, err := Rasterize(Ink{curve(50)})
				if most, _ := difference(got, want); err != nil || most != 0 {
					t.Errorf("differs by %g (%v)", most, err)
				}
			}
		})
	}
	group.Wait()
}

func TestRasterizeIntoAllocatesNothing(t *testing.T) {
	dst, k := make([]float32, Side*Side), Ink{curve(50)}
	f, _ := fitInk(k, fineSide, penWidth*oversampling, dotWidth*oversampling)
	b := brushes.New().(*brush) // the pool itself forgets brushes under the race detector
	if n := testing.AllocsPerRun(50, func() { b.draw(dst, k, f) }); n > 0 {
		t.Errorf("%g allocations a drawing", n)
	}
}

func BenchmarkRasterize(b *testing.B) {
	dst, k := make([]float32, Side*Side), Ink{curve(50)}
	b.ReportAllocs()
	for b.Loop() {
		if err := RasterizeInto(dst, k); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRasterize10000Points(b *testing.B) {
	dst, k := make([]float32, Side*Side), Ink{curve(10000)}
	for b.Loop() {
		if err := RasterizeInto(dst, k); err != nil {
			b.Fatal(err)
		}
	}
}
