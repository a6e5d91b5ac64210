package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"inkshade/recognizer/ink"
)

// outcome is what a command did.
type outcome struct {
	args           []string
	stdout, stderr string
	status         int
}

// command runs a command line as the program would.
func command(t *testing.T, args ...string) outcome {
	t.Helper()
	return commandIn(t, t.Context(), Window{}, args...)
}

func commandIn(t *testing.T, ctx context.Context, w Window, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := run(ctx, w, args, &stdout, &stderr)
	return outcome{args, stdout.String(), stderr.String(), status}
}

func (o outcome) wantStatus(t *testing.T, want int) {
	t.Helper()
	if o.status != want {
		t.Fatalf("inkshade %s: exit status %d, want %d\nstdout: %s\nstderr: %s",
			strings.Join(o.args, " "), o.status, want, o.stdout, o.stderr)
	}
}

// lines of standard output.
func (o outcome) lines() []string { return strings.Split(strings.TrimRight(o.stdout, "\n"), "\n") }

// decode reads JSON with exactly the fields of into.
func decode(t *testing.T, text string, into any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%v in the JSON:\n%s", err, text)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Three shapes that no pen confuses.
var shapes = map[string]func() ink.Ink{
	"0": func() ink.Ink {
		var s ink.Stroke
		for i := range 33 {
			a := 2 * math.Pi * float64(i) / 32
			s = append(s, ink.Point{X: 30 * math.Sin(a), Y: -50 * math.Cos(a)})
		}
		return ink.Ink{s}
	},
	"1": func() ink.Ink { return ink.Ink{{{X: 3, Y: 0}, {X: 0, Y: 100}}} },
	"7": func() ink.Ink { return ink.Ink{{{X: 0, Y: 0}, {X: 60, Y: 0}, {X: 20, Y: 100}}} },
}

// drawn is a shape by a shaky writer.
func drawn(label string, rng *rand.Rand) ink.Ink {
	k := shapes[label]()
	for _, s := range k {
		for i := range s {
			s[i].X += 4 * rng.NormFloat64()
			s[i].Y += 4 * rng.NormFloat64()
		}
	}
	return k
}

// inkLines gives n samples of each of the labels as JSON Lines, by several writers.
func inkLines(n int, seed uint64, labels ...string) string {
	rng := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	for i := range n {
		for _, l := range labels {
			var strokes [][][2]float64
			for _, s := range drawn(l, rng) {
				var points [][2]float64
				for _, p := range s {
					points = append(points, [2]float64{math.Round(p.X), math.Round(p.Y)})
				}
				strokes = append(strokes, points)
			}
			text, err := json.Marshal(strokes)
			if err != nil {
				panic(err)
			}
			fmt.Fprintf(&b, `{"label":%q,"writer":"w%d","strokes":%s}`+"\n", l, i%8, text)
		}
	}
	return b.String()
}

// file writes content into the test's folder.
func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// picture writes a shape as a picture, the way a scanner sees it.
func picture(t *testing.T, name, label string) string {
	t.Helper()
	img, err := ink.Rasterize(shapes[label]())
	if err != nil {
		t.Fatal(err)
	}
	const zoom = 5
	p := image.NewGray(image.Rect(0, 0, zoom*img.Width, zoom*img.Height))
	for y := range p.Rect.Max.Y {
		for x := range p.Rect.Max.X {
			p.SetGray(x, y, color.Gray{Y: uint8(255 - 255*img.Pix[y/zoom*img.Width+x/zoom])})
		}
	}
	var b bytes.Buffer
	switch filepath.Ext(name) {
	case ".png":
		err = png.Encode(&b, p)
	case ".jpg":
		err = jpeg.Encode(&b, p, nil)
	case ".gif":
		err = gif.Encode(&b, p, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file(t, name, b.String())
}

var trained struct {
	sync.Once
	model []byte
	out   outcome
}

// smallModel is an ONNX file that knows the three shapes, made by the train command once
// for all tests.
func smallModel(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.onnx")
	trained.Do(func() {
		data := file(t, "shapes.jsonl", inkLines(60, 1, "0", "1", "7"))
		trained.out = command(t, "train", "--data", data, "--hidden", "16", "--epochs", "12", "--batch", "32",
			"--average", "0", "--seed", "3", "--device", "cpu", "--out", path)
		trained.model, _ = os.ReadFile(path)
	})
	trained.out.wantStatus(t, statusOK)
	if err := os.WriteFile(path, trained.model, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
