// Package datatest lets tests that need the data sets skip where there are none, and
// counts these skips.
package datatest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
)

// SkipLog is the variable that names the file to which Require adds a line for each test
// it skips, so that a run of the tests can say at its end what it did not test.
const SkipLog = "INKSHADE_SKIP_LOG"

// Require returns the path of a file or folder of the data sets, such as "mnist" or
// "unipen/digits.jsonl.gz". Without data sets the test is skipped and counted; with data
// sets that lack the file it fails.
func Require(t testing.TB, name ...string) string {
	t.Helper()
	dir := dir()
	if dir == "" {
		record(t)
		t.Skip("SKIPPED, counted: needs the data sets; name their folder in INKSHADE_DATA")
	}
	path := filepath.Join(append([]string{dir}, name...)...)
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("the data sets in %s are incomplete: %v", dir, err)
	}
	return path
}

// dir is the folder of the data sets: $INKSHADE_DATA if that is set, else shared/data beside the
// working directory or above it; "" when there is none.
func dir() string {
	if dir, ok := os.LookupEnv("INKSHADE_DATA"); ok {
		return dir
	}
	dir, err := os.Getwd()
	for below := ""; err == nil && dir != below; dir, below = filepath.Dir(dir), dir {
		data := filepath.Join(dir, "shared", "data")
		if info, err := os.Stat(data); err == nil && info.IsDir() {
			return data
		}
	}
	return ""
}

func record(t testing.TB) {
	path := os.Getenv(SkipLog)
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatalf("%s: %v", SkipLog, err)
	}
	defer f.Close()
	fmt.Fprintln(f, t.Name())
}

// EndsAfter is a context that is cancelled as soon as it has been asked so many times
// whether it is: it ends in the midst of the work that is given it, wherever that looks.
func EndsAfter(looks int) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	e := &ending{Context: ctx, cancel: cancel}
	e.left.Store(int64(looks))
	return e
}

type ending struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

func (e *ending) Err() error {
	if e.left.Add(-1) < 0 {
		e.cancel()
	}
	return e.Context.Err()
}

// shapes are simple signs that tests can draw without data sets, in a box of 100 by 100.
var shapes = map[string][][]ink.Point{
	"L": {{{X: 0, Y: 0}, {X: 0, Y: 100}, {X: 60, Y: 100}}},
	"V": {{{X: 0, Y: 0}, {X: 35, Y: 100}, {X: 70, Y: 0}}},
	"T": {{{X: 0, Y: 0}, {X: 80, Y: 0}}, {{X: 40, Y: 0}, {X: 40, Y: 100}}},
	"O": {circle(40, 50)},
	"Z": {{{X: 0, Y: 0}, {X: 70, Y: 0}, {X: 0, Y: 100}, {X: 70, Y: 100}}},
	"X": {{{X: 0, Y: 0}, {X: 70, Y: 100}}, {{X: 70, Y: 0}, {X: 0, Y: 100}}},
	"★": {{{X: 20, Y: 100}, {X: 50, Y: 0}, {X: 80, Y: 100}, {X: 0, Y: 40}, {X: 100, Y: 40}, {X: 20, Y: 100}}},
	// An L by someone who writes it like no one else.
	"strange L": {{{X: 60, Y: 0}, {X: 60, Y: 100}, {X: 0, Y: 100}, {X: 0, Y: 60}}},
}

func circle(rx, ry float64) []ink.Point {
	var s []ink.Point
	for i := range 33 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 32)
		s = append(s, ink.Point{X: rx + rx*sin, Y: ry - ry*cos})
	}
	return s
}

// Draw draws one of "L", "V", "T", "O", "Z", "X", "★" and "strange L" with a hand that shakes by a few in a hundred. Another name panics.
func Draw(name string, rng *rand.Rand) ink.Ink {
	shape, ok := shapes[name]
	if !ok {
		panic("datatest: there is no shape " + name)
	}
	lean, wide := rng.NormFloat64()*0.08, 1+rng.NormFloat64()*0.08
	var k ink.Ink
	for _, corners := range shape {
		var s ink.Stroke
		for i, p := range corners {
			// Points between the corners, so that a distortion can bend the lines.
			for n := 1; i > 0 && n < 6; n++ {
				q, t := corners[i-1], float64(n)/6
				s = append(s, ink.Point{X: q.X + t*(p.X-q.X), Y: q.Y + t*(p.Y-q.Y)})
			}
			s = append(s, p)
		}
		dx, dy := rng.NormFloat64()*2, rng.NormFloat64()*2
		for i, p := range s {
			s[i].X = (p.X+lean*p.Y)*wide + dx + rng.NormFloat64()
			s[i].Y = p.Y + dy + rng.NormFloat64()
		}
		k = append(k, s)
	}
	return k
}

// Shapes gives n samples of each shape as its own label, all by one writer; the same seed gives the same.
func Shapes(writer string, n int, seed uint64, names ...string) []dataset.Sample {
	rng := rand.New(rand.NewPCG(seed, 0x5a9e))
	var samples []dataset.Sample
	for range n {
		for _, name := range slices.Sorted(slices.Values(names)) {
			samples = append(samples, Sample(name, writer, Draw(name, rng)))
		}
	}
	return samples
}

// Sample makes a sample of a drawing. A drawing without ink panics.
func Sample(label, writer string, k ink.Ink) dataset.Sample {
	image, err := ink.Rasterize(k)
	if err != nil {
		panic(err)
	}
	return dataset.Sample{Label: label, Writer: writer, Source: "shapes", Ink: k, Image: image}
}
