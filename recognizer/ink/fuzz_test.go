package ink

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func FuzzReadJSONLines(f *testing.F) { fuzzReader(f, readAs("JSON Lines")) }
func FuzzReadUNIPEN(f *testing.F)    { fuzzReader(f, readAs("UNIPEN")) }
func FuzzReadInkML(f *testing.F)     { fuzzReader(f, readAs("InkML")) }

// readAs is the reader of a format, whatever a file begins with.
func readAs(format string) func(io.Reader) ([]Labelled, error) {
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == format })
	return func(r io.Reader) ([]Labelled, error) {
		text, err := textOf(r)
		if err != nil {
			return nil, err
		}
		return collect(text, formats[i].Read)
	}
}

// fuzzReader wants that whatever is read can be drawn, and comes back the same from a
// JSON Lines file.
func fuzzReader(f *testing.F, read func(io.Reader) ([]Labelled, error)) {
	for _, r := range readings {
		f.Add([]byte(r.text))
		f.Add([]byte(zip(f, r.text)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		samples, err := read(bytes.NewReader(text))
		if err != nil {
			if samples != nil {
				t.Fatalf("%d samples beside the error %v", len(samples), err)
			}
			return
		}
		var drawable []Labelled
		points := 0
		for _, s := range samples {
			img, err := Rasterize(s.Ink)
			if err != nil {
				if !errors.Is(err, ErrEmpty) || len(s.Ink.Clean()) > 0 {
					t.Fatalf("%v: %v", s.Ink, err)
				}
				continue
			}
			for _, v := range img.Pix {
				if !(v >= 0 && v <= 1) {
					t.Fatalf("a pixel of %g from %v", v, s.Ink)
				}
			}
			s.Ink = s.Ink.Clean()
			points += s.Ink.Points()
			drawable = append(drawable, s)
		}
		if points > MaxMemory/pointMemory {
			t.Fatalf("%d points from %d bytes", points, len(text))
		}
		var b bytes.Buffer
		if err := WriteJSONLines(&b, drawable); err != nil {
			return // the text is no UTF-8
		}
		again, err := readAs("JSON Lines")(&b)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(drawable, again, sameText); d != "" && !invalidText(drawable) {
			t.Fatal(d)
		}
	})
}

// sameText takes an empty map of attributes for none.
var sameText = cmp.Transformer("attributes", func(m map[string]string) []string {
	var all []string
	for name, value := range m {
		all = append(all, name+"="+value)
	}
	slices.Sort(all)
	return all
})

// invalidText tells whether attributes hold what JSON has to replace.
func invalidText(samples []Labelled) bool {
	for _, s := range samples {
		b, err := json.Marshal(s.Attributes)
		if err != nil || bytes.Contains(b, []byte(`\ufffd`)) {
			return true
		}
	}
	return false
}

// FuzzPoints compares the parser of points with encoding/json.
func FuzzPoints(f *testing.F) {
	for _, text := range []string{
		`[]`, `[[]]`, `[[[1,2]]]`, `[[[1.5,-2.25,3],[0,0]],[[1e5,-0.001e-3]]]`, `[[[123456789012345678,0.1]]]`,
		`[[[-0,0.000000000000001]]]`, `[[[1,2,3,0.5]]]`, `[ [ [ 1 , 2 ] ] ]`, `null`, `[[[1,"2"]]]`, `[[[true,2]]]`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			return
		}
		got, err := parseStrokes([]byte(text))
		var want [][][]float64
		if json.Unmarshal([]byte(text), &want) != nil {
			if err == nil {
				t.Fatalf("no error for %q", text)
			}
			return
		}
		if err != nil {
			return // null, or a point of another length
		}
		var values [][][]float64
		for i, s := range got {
			values = append(values, nil)
			for j, q := range s {
				all := [...]float64{q.X, q.Y, q.T, q.Pressure}
				values[i] = append(values[i], all[:min(len(want[i][j]), 4)])
			}
		}
		if d := cmp.Diff(want, values, cmp.Transformer("empty", func(s [][]float64) [][]float64 {
			if len(s) == 0 {
				return nil
			}
			return s
		})); d != "" && len(want) > 0 {
			t.Fatal(d)
		}
	})
}

// FuzzNormalize sends pictures of any size and content through the last steps.
func FuzzNormalize(f *testing.F) {
	f.Add(3, []byte{0, 255, 0, 255, 128, 255})
	f.Add(28, bytes.Repeat([]byte{0, 0, 200, 0}, 196))
	f.Add(1, []byte{9})
	f.Fuzz(func(t *testing.T, width int, grey []byte) {
		if width <= 0 || len(grey) == 0 {
			return
		}
		img := Image{Width: width, Height: len(grey) / width, Pix: make([]float32, len(grey)/width*width)}
		for i := range img.Pix {
			img.Pix[i] = float32(grey[i]) / 255
		}
		out, err := Normalize(img)
		if err != nil {
			if !errors.Is(err, ErrEmpty) {
				t.Fatal(err)
			}
			return
		}
		if out.inkedBox().Empty() || len(out.Pix) != Side*Side {
			t.Fatal("the ink is gone")
		}
		if _, err := Normalize(out); err != nil {
			t.Fatal(err)
		}
	})
}
