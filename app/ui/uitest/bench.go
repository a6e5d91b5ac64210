package uitest

import (
	"context"
	"errors"
	"time"

	"inkshade/glcompute"
	"inkshade/recognizer"
	"inkshade/recognizer/bench"
)

// MeasuredBy gives a report of a machine whose GPU is faster from 64 drawings on, event by
// event; it waits for next before each size of the recognition.
func MeasuredBy(next <-chan struct{}) func(context.Context, bench.Options, func(bench.Event)) (*bench.Report, error) {
	return func(ctx context.Context, o bench.Options, progress func(bench.Event)) (*bench.Report, error) {
		r := &bench.Report{Version: "1.2.3", Quick: o.Quick, Machine: bench.Machine{Processor: "A processor", Cores: 2, System: "linux/amd64", Load: 3}}
		for _, d := range []bench.Device{
			{Name: "cpu", Info: glcompute.Info{Kind: glcompute.CPU}},
			{Name: "fragment", Missing: errors.New("no OpenGL 3.3")},
			{Name: "compute", Info: glcompute.Info{Kind: glcompute.Compute, Name: "A renderer", Version: "4.6 of a driver", Software: true}},
		} {
			r.Devices = append(r.Devices, d)
			progress(bench.Event{Device: &d, Total: 8})
		}
		drawing := bench.Drawing{
			Device: "compute", Network: []int{784, 800, 10}, Total: bench.Spread{Median: 260 * time.Microsecond, Repeats: 5},
			Timing: recognizer.Timing{
				Preprocess: 30 * time.Microsecond, Upload: 10 * time.Microsecond,
				Compute: 200 * time.Microsecond, Readback: 20 * time.Microsecond, Compile: 12 * time.Millisecond,
				Passes: []glcompute.Pass{{Name: "product, tanh", Time: 150 * time.Microsecond}, {Name: "product, softmax", Time: 40 * time.Microsecond}},
			},
		}
		r.Drawings = append(r.Drawings, drawing)
		progress(bench.Event{Experiment: bench.OneDrawing, Size: 1, Drawings: r.Drawings, Done: 1, Total: 8})
		for i, n := range bench.Recognition.Sizes(true) {
			if next != nil {
				select {
				case <-next:
				case <-ctx.Done():
				}
			}
			if err := ctx.Err(); err != nil {
				r.Crossovers = bench.Compare(r)
				return r, err
			}
			cpu := time.Duration(10+25*n) * time.Microsecond
			gpu := time.Duration(1000+3*n) * time.Microsecond
			readings := []bench.Reading{
				{Experiment: bench.Recognition, Size: n, Device: "cpu", Spread: bench.Spread{Median: cpu, Fastest: cpu, Slowest: cpu, Repeats: 9}},
				{Experiment: bench.Recognition, Size: n, Device: "compute", Spread: bench.Spread{Median: gpu, Fastest: gpu / 2, Slowest: gpu, Repeats: 9, Disturbed: n == 4096}},
			}
			r.Readings = append(r.Readings, readings...)
			progress(bench.Event{Experiment: bench.Recognition, Size: n, Readings: readings, Done: 2 + i, Total: 8})
		}
		r.Crossovers, r.Complete, r.Elapsed = bench.Compare(r), true, 3*time.Second
		return r, nil
	}
}
