package feature

import (
	"fmt"
	"slices"
	"strings"

	"inkshade/recognizer/ink"
)

// Extractor makes the input of a network from a character. A model names its extractor, so
// that training and recognition do the same.
type Extractor struct {
	Name string
	Size int  // length of the vector
	Pen  bool // whether the strokes tell it more than the image alone
	// Fill writes the vector of a character into dst: its image (28*28, row-major, 0 paper
	// to 1 ink) and its strokes, nil where there is only a picture.
	Fill func(dst, image []float32, k ink.Ink)
}

// GradientPen names the features of the image's edges and of the pen's movement together.
const GradientPen = "gradient+pen"

var extractors = []Extractor{
	{"mnist28", side * side, false, func(dst, image []float32, _ ink.Ink) { copy(dst, image) }},
	{"gradient512", GradientSize, false, func(dst, image []float32, _ ink.Ink) { Gradient(dst, image) }},
	{GradientPen, GradientSize + PenSize, true, func(dst, image []float32, k ink.Ink) {
		Gradient(dst, image)
		Pen(dst[GradientSize:], k)
	}},
}

// Names lists all extractors.
func Names() []string {
	var names []string
	for _, e := range extractors {
		names = append(names, e.Name)
	}
	return names
}

// ByName gives the extractor that a model asks for.
func ByName(name string) (Extractor, error) {
	i := slices.IndexFunc(extractors, func(e Extractor) bool { return e.Name == name })
	if i < 0 {
		return Extractor{}, fmt.Errorf("the preprocessing %q is unknown; choose one of %s", name, strings.Join(Names(), ", "))
	}
	return extractors[i], nil
}

// Vector gives the vector of a character in memory of its own.
func (e Extractor) Vector(image []float32, k ink.Ink) []float32 {
	dst := make([]float32, e.Size)
	e.Fill(dst, image, k)
	return dst
}
