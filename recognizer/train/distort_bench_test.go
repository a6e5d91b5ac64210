package train

import (
	"math/rand/v2"
	"testing"

	"inkshade/glcompute"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
)

// BenchmarkDistort compares distorting a mini-batch of 128 images on the processor, by
// dataset.Apply on one core, with the Warp operation of each device and the drawing of its
// random numbers on one core.
func BenchmarkDistort(b *testing.B) {
	const batch = 128
	d := dataset.DefaultDistortion()
	d.Thickness = 0
	images := make([]float32, batch*pixels)
	for i, s := range bars(batch, 1, "v", "h", "d") {
		copy(images[i*pixels:], s.Image.Pix)
	}
	b.Run("apply", func(b *testing.B) {
		out := make([]float32, len(images))
		rng := rand.New(rand.NewPCG(1, 1))
		for b.Loop() {
			for i := range batch {
				d.Apply(out[i*pixels:(i+1)*pixels], images[i*pixels:(i+1)*pixels], rng)
			}
		}
	})
	g := d.WarpGrid()
	affine, grid := make([]float32, batch*affineValues), make([]float32, batch*2*g*g)
	draw := func(rng *rand.Rand) {
		for i := range batch {
			d.DrawWarp(affine[i*affineValues:(i+1)*affineValues], grid[i*2*g*g:(i+1)*2*g*g], rng)
		}
	}
	b.Run("draw", func(b *testing.B) {
		rng := rand.New(rand.NewPCG(1, 1))
		for b.Loop() {
			draw(rng)
		}
	})
	draw(rand.New(rand.NewPCG(1, 1)))
	for _, kind := range []glcompute.DeviceKind{glcompute.CPU, glcompute.Fragment, glcompute.Compute} {
		dev, err := glcompute.Open(kind)
		if err != nil {
			b.Fatal(err)
		}
		p := glcompute.NewProgram()
		x, a, c := p.Input(batch, pixels), p.Input(batch, affineValues), p.Input(batch*2*g, g)
		p.Sum(glcompute.AlongRows, p.Warp(x, a, c, ink.Side, ink.Side)) // reads what was written
		run, err := dev.Compile(p)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("warp "+string(kind), func(b *testing.B) {
			sum := 0.0
			for b.Loop() {
				t, err := run.Measure(glcompute.In(x, images), glcompute.In(a, affine), glcompute.In(c, grid))
				if err != nil {
					b.Fatal(err)
				}
				sum += t.Passes[0].Time.Seconds()
			}
			b.ReportMetric(sum/float64(b.N)*1e3, "ms/warp")
		})
		run.Close()
		dev.Close()
	}
}
