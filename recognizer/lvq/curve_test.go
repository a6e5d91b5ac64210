package lvq

import (
	"math"
	"slices"
	"testing"

	"inkshade/recognizer/nn/nntest"

	"inkshade/glcompute"
	"inkshade/glcompute/compare"
	"inkshade/recognizer/nn"
)

// clusters are samples of classes that overlap, each of two clusters.
func clusters(classes, width, n int) (rows, class []float32) {
	rng := seeded(11, classes)
	centres := normal(rng, 2*classes*width)
	for i := range n {
		c := i % classes
		class = append(class, float32(c))
		at := 2*c + rng.IntN(2)
		for d := range width {
			rows = append(rows, centres[at*width+d]+0.7*float32(rng.NormFloat64()))
		}
	}
	return rows, class
}

// Every device must learn as algorithms 1 and 2 do in float64: the same loss at each step, and
// the same prototypes at the end, of single samples and of mini-batches; and the same bits twice,
// and of samples that went up once.
func TestLearningCurves(t *testing.T) {
	const classes, perClass, width, n = 7, 2, 9, 224
	rows, class := clusters(classes, width, n)
	first := &Prototypes{Classes: classes, PerClass: perClass, Projection: Projection{In: width, Out: width}, Points: normal(seeded(2, 2), classes*perClass*width)}
	for _, kind := range []glcompute.DeviceKind{glcompute.CPU, glcompute.Fragment, glcompute.Compute} {
		dev, err := glcompute.Open(kind)
		if err != nil {
			t.Fatal(err)
		}
		for _, batch := range []int{1, 32} {
			want := Serial[float64]{PerClass: perClass, Dims: width, Points: wide(first.Points), Slope: 3}
			var ends [3][]float32
			for again := range ends {
				var h *held
				if again == 2 {
					h = newHeld(rows, width, batch)
				}
				p := *first
				p.Points = slices.Clone(first.Points)
				l, err := newLearner(dev, &p, h, batch, 3, 1)
				if err != nil {
					t.Fatal(err)
				}
				loss, margin := make([]float32, batch), make([]float32, batch)
				for epoch := range 3 {
					for i := 0; i < n; i += batch {
						b := nn.Batch{Input: rows[i*width : (i+batch)*width], Target: class[i : i+batch], Settings: []float32{0.2}, Loss: &glcompute.AsyncRead{Data: loss}, Probabilities: &glcompute.AsyncRead{Data: margin}}
						for at := range batch {
							b.Samples = append(b.Samples, i+at)
						}
						if err := l.Step(b); err != nil {
							t.Fatal(err)
						}
						if again > 0 {
							continue
						}
						got := 0.0
						for _, v := range loss {
							got += float64(v) / float64(batch)
						}
						if ref := want.Step(wide(b.Input), whole(b.Target), float64(b.Settings[0])); math.Abs(got-ref) > 2e-5 {
							t.Fatalf("%s, batches of %d, epoch %d, sample %d: the loss is %g, in float64 %g", kind, batch, epoch+1, i, got, ref)
						}
					}
				}
				if err := l.Save(); err != nil {
					t.Fatal(err)
				}
				ends[again] = p.Points
				l.Close()
			}
			for i, v := range ends[0] {
				if math.Abs(float64(v)-want.Points[i]) > 1e-4 {
					t.Fatalf("%s, batches of %d: coordinate %d is %g at the end, in float64 %g", kind, batch, i, v, want.Points[i])
				}
			}
			if !slices.Equal(ends[0], ends[1]) || !slices.Equal(ends[0], ends[2]) {
				t.Errorf("%s, batches of %d: the same training gives other prototypes", kind, batch)
			}
		}
		dev.Close()
	}
}

// Distances that are found for some samples at a time must give the same step: the prototypes move once, from where they were.
func TestDistancesInParts(t *testing.T) {
	const classes, perClass, width, n = 7, 2, 9, 50
	rows, class := clusters(classes, width, n)
	for _, kind := range []glcompute.DeviceKind{glcompute.CPU, glcompute.Fragment, glcompute.Compute} {
		dev, err := glcompute.Open(kind)
		if err != nil {
			t.Fatal(err)
		}
		var whole, loss []float32
		for _, atOnce := range []int{n, 16, 7, 1} {
			p := glcompute.NewProgram()
			points := glcompute.NewParameter("prototypes", classes*perClass, width, normal(seeded(2, 2), classes*perClass*width))
			x := p.Input(n, width)
			step := glcompute.Must(recordStep(p, x, p.Variable(points), perClass, 3, atOnce))
			run, err := dev.Compile(p)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]float32, n)
			err = run.Do(glcompute.In(x, rows), glcompute.In(step.Classes, class), glcompute.In(step.Rate, []float32{0.2}), glcompute.Out(step.Loss, got))
			if err == nil {
				err = dev.Download(points)
			}
			if err != nil {
				t.Fatal(err)
			}
			if atOnce == n {
				whole, loss = points.Data, got
			}
			limit := compare.Limit{Abs: 1e-6, Rel: 1e-5, Reason: "small batches are summed in another order"}
			if _, err := compare.Slices(points.Data, whole, limit); err != nil {
				t.Errorf("%s, %d samples at once: prototypes: %v", kind, atOnce, err)
			}
			if _, err := compare.Slices(got, loss, limit); err != nil {
				t.Errorf("%s, %d samples at once: losses: %v", kind, atOnce, err)
			}
			run.Close()
		}
		dev.Close()
	}
}

func wide(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

func whole(x []float32) []int {
	y := make([]int, len(x))
	for i, v := range x {
		y[i] = int(v)
	}
	return y
}

// A class that has no prototypes, a single class, and a batch of one move nothing beyond numbers.
func TestClassesWithoutPrototypes(t *testing.T) {
	dev := nntest.CPU(t)
	for _, points := range [][]float32{{absent, absent, 1, 2}, {absent, absent, absent, absent}} {
		p := &Prototypes{Classes: 2, PerClass: 1, Scale: 1, Projection: Projection{In: 2, Out: 2}, Points: slices.Clone(points)}
		l, err := newLearner(dev, p, nil, 1, 4, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, class := range []float32{0, 1, 0, 5, -1} {
			loss, margin := []float32{0}, []float32{0}
			if err := l.Step(nn.Batch{Input: []float32{3, 3}, Target: []float32{class}, Settings: []float32{0.1}, Loss: &glcompute.AsyncRead{Data: loss}, Probabilities: &glcompute.AsyncRead{Data: margin}}); err != nil {
				t.Fatal(err)
			}
			if v := float64(loss[0] + margin[0]); math.IsNaN(v) {
				t.Errorf("a sample of class %g has the loss %g and the margin %g", class, loss[0], margin[0])
			}
		}
		net, err := l.Network()
		if err != nil {
			t.Fatal(err)
		}
		if err := net.Check(); err != nil {
			t.Error(err)
		}
		l.Close()
	}
}
