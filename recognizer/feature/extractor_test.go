package feature

import (
	"slices"
	"strings"
	"testing"

	"inkshade/recognizer/ink"
)

func TestExtractors(t *testing.T) {
	image := ink.Image{Width: side, Height: side, Pix: make([]float32, side*side)}
	for i := range image.Pix {
		image.Pix[i] = float32(i%7) / 7
	}
	for _, name := range Names() {
		e, err := ByName(name)
		if err != nil || e.Name != name {
			t.Fatalf("%s: got %s, error %v", name, e.Name, err)
		}
		v := e.Vector(image, nil)
		if len(v) != e.Size || !slices.ContainsFunc(v, func(x float32) bool { return x > 0 }) {
			t.Errorf("%s: a vector of %d values, want %d that are not all zero", name, len(v), e.Size)
		}
	}
	if pixels, _ := ByName("mnist28"); !slices.Equal(pixels.Vector(image, nil), image.Pix) {
		t.Error("mnist28 is not the image itself")
	}
	if _, err := ByName("sonar"); err == nil || !strings.HasSuffix(err.Error(), "say the scale of its pixels, 0..1 or 0..255; else a newer Inkshade may know it") {
		t.Errorf("an unknown extractor gives %v", err)
	}
}
