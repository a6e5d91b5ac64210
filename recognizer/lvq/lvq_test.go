package lvq

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"inkshade/recognizer/nn/nntest"

	"inkshade/glcompute"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/dataset/datatest"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/train"
)

func normal(rng *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

// The network of prototypes must answer with the class of the nearest, its logits be as far apart as
// squared distances, and a file of it bring the prototypes back.
func TestNetworkAnswersWithTheNearest(t *testing.T) {
	dev := nntest.CPU(t)
	for _, perClass := range []int{1, 3} {
		for _, projected := range []bool{false, true} {
			rng := seeded(7, perClass)
			p := &Prototypes{Classes: 5, PerClass: perClass, Scale: 0.25, Projection: Projection{In: 6, Out: 6}}
			if projected {
				p.Projection = Projection{In: 9, Out: 6, Weights: normal(rng, 54), Bias: normal(rng, 6)}
			}
			p.Points = normal(rng, p.Classes*perClass*6)
			if perClass > 1 {
				copy(p.Points[6*(perClass*2+1):], []float32{absent, absent, absent, absent, absent, absent})
			}
			m := &nn.Model{Network: p.Network(), Labels: strings.Split("abcde", ""), Preprocessing: "of a test"}
			var file bytes.Buffer
			if err := onnx.Write(&file, m); err != nil {
				t.Fatal(err)
			}
			read, err := onnx.Read(t.Context(), &file)
			if err != nil {
				t.Fatal(err)
			}
			again, err := Of(read.Network)
			if err != nil {
				t.Fatal(err)
			}
			if again.PerClass != perClass || again.Classes != 5 || math.Abs(again.Scale/p.Scale-1) > 1e-5 {
				t.Fatalf("%d prototypes of %d classes, scale %g", again.PerClass, again.Classes, again.Scale)
			}
			for i, v := range again.Points {
				if math.Abs(float64(v-p.Points[i])) > 1e-5*math.Abs(float64(v))+1e-5 {
					t.Fatalf("coordinate %d is %g, was %g", i, v, p.Points[i])
				}
			}
			rows := [][]float32{normal(rng, p.In), normal(rng, p.In)}
			for _, net := range []nn.Network{m.Network, read.Network} {
				logits, err := nn.Apply(t.Context(), dev, net, rows, nil)
				if err != nil {
					t.Fatal(err)
				}
				for i, x := range rows {
					y := p.of(x)
					first, _ := p.nearest(y, 0)
					for c, z := range logits[i] {
						d, _ := p.nearest(y, c)
						if want := p.Scale * (first - d); math.Abs(float64(z-logits[i][0])-want) > 1e-3*(1+math.Abs(want)) {
							t.Errorf("%d prototypes, projected %t: logit of class %d is %g above the first, want %g", perClass, projected, c, z-logits[i][0], want)
						}
					}
				}
			}
		}
	}
	if _, err := Of(nn.NewNetwork([]int{4, 3}, "relu", 1)); err == nil {
		t.Error("a network without prototypes has some")
	}
}

// of projects a row.
func (p *Prototypes) of(x []float32) []float32 {
	if p.Weights == nil {
		return x
	}
	y := make([]float32, p.Out)
	for d := range y {
		sum := float64(p.Bias[d])
		for i, v := range x {
			sum += float64(v) * float64(p.Weights[i*p.Out+d])
		}
		y[d] = float32(sum)
	}
	return y
}

// Of two classes with the covariance C around means a and b the only direction is C⁻¹·(a-b), and
// the width of each class along it is one; other classes must not be told apart by more directions
// than there are.
func TestDiscriminants(t *testing.T) {
	const n, width = 20000, 3
	rng := seeded(3, 3)
	rows, classes := make([]float32, n*width), make([]float32, n)
	for i := range n {
		u, v, w := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		x := []float64{u, u + 0.5*v, 3 * w} // C = [1 1 0; 1 1.25 0; 0 0 9]
		if i%2 == 1 {
			classes[i] = 1
			x[0], x[2] = x[0]+1, x[2]+1
		}
		for j, v := range x {
			rows[i*width+j] = float32(v + 5)
		}
	}
	dev := nntest.CPU(t)
	s, err := newScatter(dev, 500, width, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for i := 0; i < n; i += 500 {
		if err := s.add(rows[i*width:(i+500)*width], classes[i:i+500]); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.discriminants(2, 1); err != nil {
		t.Errorf("with all shrinkage that is allowed: %v", err)
	}
	p, err := s.discriminants(2, 0)
	if err != nil {
		t.Fatal(err)
	}
	if p.Out != 1 || p.In != width {
		t.Fatalf("from %d to %d dimensions, want 3 to 1", p.In, p.Out)
	}
	// C⁻¹·(1, 0, 1) = (5, -4, 1/9)
	for i, want := range []float64{5, -4, 1.0 / 9} {
		if got := float64(p.Weights[i]) / float64(p.Weights[0]) * 5; math.Abs(got-want) > 0.15 {
			t.Errorf("coordinate %d of the direction is %g, want %g", i, got, want)
		}
	}
	var sums, squares [2]float64
	for i := range n {
		y := float64((&Prototypes{Projection: p}).of(rows[i*width : (i+1)*width])[0])
		sums[i%2] += y
		squares[i%2] += y * y
	}
	for c := range 2 {
		mean := sums[c] / (n / 2)
		if variance := squares[c]/(n/2) - mean*mean; math.Abs(variance-1) > 0.03 {
			t.Errorf("class %d has the variance %g, want 1", c, variance)
		}
	}
	if math.Abs(sums[0]+sums[1]) > 1 {
		t.Errorf("the mean of all samples is %g, want 0", (sums[0]+sums[1])/n)
	}
	same, err := newScatter(dev, 2, width, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer same.close()
	if err := same.add(make([]float32, 2*width), []float32{0, 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := same.discriminants(1, 0); !errors.Is(err, errDegenerate) {
		t.Errorf("of samples that are all the same: %v", err)
	}
}

// lesson is one on rows that are the same in every pass.
func lesson(dev glcompute.Device, batch, width, classes int, rows, class []float32) train.Lesson {
	var labels []string
	for c := range classes {
		labels = append(labels, fmt.Sprint(c))
	}
	return train.Lesson{
		Dev: dev, Model: &nn.Model{Labels: labels}, Width: width, Batch: batch, Seed: 1,
		Pass: func(_ context.Context, use func(input, classes []float32) error) error {
			for i := 0; i+batch <= len(class); i += batch {
				if err := use(rows[i*width:(i+batch)*width], class[i:i+batch]); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// errorsOf counts the rows that the learner's state answers wrongly.
func errorsOf(t *testing.T, l train.Learner, rows, class []float32) int {
	t.Helper()
	inference, err := l.Inference()
	if err != nil {
		t.Fatal(err)
	}
	width := len(rows) / len(class)
	var all [][]float32
	for i := range class {
		all = append(all, rows[i*width:(i+1)*width])
	}
	wrong := 0
	if err := inference.Each(all, func(i int, logits []float32) {
		if nn.Best(logits) != int(class[i]) {
			wrong++
		}
	}); err != nil {
		t.Fatal(err)
	}
	return wrong
}

// Two boxes that touch, one thrice as wide as the other: the means put the boundary into the wide
// one, where an eighth of all samples is wrong; the optimum of GLVQ is where they touch.
func TestReachesTheOptimum(t *testing.T) {
	dev := nntest.CPU(t)
	const n, batch = 1024, 16
	rng := seeded(5, 5)
	rows, class := make([]float32, 2*n), make([]float32, n)
	for i := range n {
		x := 3 * (rng.Float32() - 1)
		if i%2 == 1 {
			class[i], x = 1, rng.Float32()
		}
		rows[2*i], rows[2*i+1] = x, rng.Float32()
	}
	o := Default()
	o.LDA, o.Slope = 0, 20
	l, err := o.Learner(t.Context(), lesson(dev, batch, 2, 2, rows, class))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if before := errorsOf(t, l, rows, class); before < n/16 {
		t.Fatalf("the means are wrong on %d of %d, which leaves nothing to learn", before, n)
	}
	loss := make([]float32, batch)
	margin := make([]float32, batch)
	for epoch := range 40 {
		for i := 0; i < n; i += batch {
			rate := float32(0.2) * float32(40-epoch) / 40
			b := nn.Batch{Input: rows[2*i : 2*(i+batch)], Target: class[i : i+batch], Settings: []float32{rate}, Loss: &glcompute.AsyncRead{Data: loss}, Probabilities: &glcompute.AsyncRead{Data: margin}}
			if err := l.Step(b); err != nil {
				t.Fatal(err)
			}
		}
	}
	if after := errorsOf(t, l, rows, class); after > n/100 {
		t.Errorf("%d of %d are wrong at the end, want at most one in a hundred", after, n)
	}
}

func shapes(writers int) []dataset.Sample {
	var all []dataset.Sample
	for w := range writers {
		all = append(all, datatest.Shapes(string(rune('a'+w)), 6, uint64(w), "L", "O", "T", "V", "Z")...)
	}
	return all
}

// config trains prototypes on few samples.
func config(o Options) train.Config {
	cfg := train.Default()
	cfg.Learner, cfg.Preprocessing, cfg.Epochs, cfg.Batch, cfg.HoldOut, cfg.Rate = o.Learner, "gradient512", 4, 16, 0.25, Rate
	cfg.Distortion = dataset.Distortion{}
	return cfg
}

func TestTrains(t *testing.T) {
	dev := nntest.CPU(t)
	held := dev.Memory()
	for _, o := range []Options{Default(), {PerClass: 2, Slope: 4, Mixture: true}, {PerClass: 2}} {
		r, err := train.Run(t.Context(), dev, shapes(8), config(o), nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.HoldOut == nil || r.HoldOut.Errors > r.HoldOut.Samples/10 {
			t.Errorf("%+v: %+v", o, r.HoldOut)
		}
		cfg := config(o)
		cfg.Start, cfg.Epochs, cfg.Rate = r.Model, 1, 1e-12
		next, err := train.Run(t.Context(), dev, shapes(8), cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		if next.HoldOut.Errors != r.HoldOut.Errors || math.Abs(next.HoldOut.Loss-r.HoldOut.Loss) > 1e-4 {
			t.Errorf("going on begins with %d errors and the loss %g, it ended with %d and %g", next.HoldOut.Errors, next.HoldOut.Loss, r.HoldOut.Errors, r.HoldOut.Loss)
		}
		if dev.Memory() != held {
			t.Errorf("%d bytes are held after training, %d before", dev.Memory(), held)
		}
	}
}

// Samples that go up once teach the same as those that go up in every mini-batch; distorted ones cannot go up once.
func TestSamplesGoUpOnce(t *testing.T) {
	dev := nntest.CPU(t)
	var ends []*train.Result
	for _, wanted := range []bool{true, false} {
		cfg := config(Default())
		cfg.Learner = func(ctx context.Context, l train.Lesson) (train.Learner, error) {
			if !wanted {
				l.Samples = 0
			}
			learner, err := Default().Learner(ctx, l)
			if err == nil && learner.Holds() != wanted {
				t.Errorf("samples are held: %t", learner.Holds())
			}
			return learner, err
		}
		r, err := train.Run(t.Context(), dev, shapes(8), cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, r)
	}
	if a, b := ends[0].HoldOut, ends[1].HoldOut; a.Errors != b.Errors || math.Abs(a.Loss-b.Loss) > 1e-4 {
		t.Errorf("held samples end with %d errors and the loss %g, others with %d and %g", a.Errors, a.Loss, b.Errors, b.Loss)
	}
	cfg := config(Default())
	cfg.Distortion, cfg.Epochs = dataset.DefaultDistortion(), 1
	cfg.Learner = func(ctx context.Context, l train.Lesson) (train.Learner, error) {
		if l.Samples != 0 {
			t.Errorf("%d samples are said to stay as they are", l.Samples)
		}
		return Default().Learner(ctx, l)
	}
	if _, err := train.Run(t.Context(), dev, shapes(2), cfg, nil); err != nil {
		t.Fatal(err)
	}
}

// What chance is in the rows that go up once, such as the width of the pen, does not come from who makes which of them.
func TestHeldRowsDoNotDependOnTheWorkers(t *testing.T) {
	var points [][]float32
	for _, workers := range []int{1, 3} {
		cfg := config(Options{PerClass: 1, Slope: 30})
		cfg.Preprocessing, cfg.Workers, cfg.Batch, cfg.Epochs = feature.DirectionMaps, workers, 4, 1
		r, err := train.Run(t.Context(), nntest.CPU(t), shapes(8), cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		points = append(points, r.Model.Network.Layers[0].Values[0])
	}
	if !slices.Equal(points[0], points[1]) {
		t.Error("three workers teach another model than one")
	}
}

func TestCancelKeepsTheBest(t *testing.T) {
	stopped := errors.New("the user pressed stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	r, err := train.Run(ctx, nntest.CPU(t), shapes(8), config(Default()), func(e train.Event) {
		if e.EpochDone && e.Epoch == 2 {
			cancel(stopped)
		}
	})
	if !errors.Is(err, stopped) || r == nil || r.Ending != train.Cancelled || r.Model.Check() != nil {
		t.Errorf("%v, %+v", err, r)
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{{}, {PerClass: 65, Slope: 1}, {PerClass: 1, LDA: -1, Slope: 1}, {PerClass: 1, Shrinkage: math.NaN(), Slope: 1}, {PerClass: 1, Slope: -1}} {
		if o.Check() == nil {
			t.Errorf("%+v passes", o)
		}
	}
	if err := Default().Check(); err != nil {
		t.Error(err)
	}
}
