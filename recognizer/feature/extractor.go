package feature

import (
	"slices"
	"strings"

	"inkshade/glcompute/message"
	"inkshade/recognizer/ink"
)

// Extractor makes the input of a network from a character. A model names its extractor, so
// that training and recognition do the same.
type Extractor struct {
	Name  string
	Size  int  // length of the vector
	Edges bool // whether the vector begins with the values of Gradient
	// Pen is the number of values after these that the strokes tell it and not the image; those
	// of function Pen come first. 0 for none.
	Pen int
	// Fine says that the vector is made of more than 28x28 pixels: by Directions.
	Fine bool
	// Fill writes the vector of a character into dst: its image of 28x28 and its strokes, nil where
	// there is only a picture.
	Fill func(dst []float32, image ink.Image, k ink.Ink)
}

// GradientPen names the features of the image's edges and of the pen's movement together.
const GradientPen = "gradient+pen"

// GradientPenMaps names these, maps of the strokes and the image itself together: two vectors and
// two images, of 14x14 cells with 10 channels and of 28x28 pixels.
const GradientPenMaps = "gradient+pen+maps"

var extractors = []Extractor{
	{Name: "mnist28", Size: side * side, Fill: func(dst []float32, image ink.Image, _ ink.Ink) { copy(dst, image.Pix) }},
	{Name: "gradient512", Size: GradientSize, Edges: true, Fill: func(dst []float32, image ink.Image, _ ink.Ink) { Gradient(dst, image.Pix) }},
	{Name: GradientPen, Size: GradientSize + PenSize, Edges: true, Pen: PenSize, Fill: gradientPen},
	{Name: GradientPenMaps, Size: GradientSize + PenSize + StrokesSize + side*side, Edges: true, Pen: PenSize + StrokesSize, Fill: func(dst []float32, image ink.Image, k ink.Ink) {
		gradientPen(dst, image, k)
		Strokes(dst[GradientSize+PenSize:], k)
		copy(dst[GradientSize+PenSize+StrokesSize:], image.Pix)
	}},
	{Name: DirectionMaps, Size: MapsSize, Fine: true, Fill: func(dst []float32, image ink.Image, k ink.Ink) {
		var fine [fineSide * fineSide]float32
		finePicture(fine[:], image, k)
		Directions(dst, fine[:])
	}},
}

func gradientPen(dst []float32, image ink.Image, k ink.Ink) {
	Gradient(dst, image.Pix)
	Pen(dst[GradientSize:], k)
}

// Compared is the part of a vector by which characters are compared: the values of Gradient, made
// of the image where the vector lacks them, and those of Pen where it has them.
func (e Extractor) Compared(vector, image []float32) []float32 {
	switch {
	case !e.Edges:
		g := make([]float32, GradientSize)
		Gradient(g, image)
		return g
	case e.Pen > 0:
		return vector[:GradientSize+PenSize]
	}
	return vector[:GradientSize]
}

// WithoutPen makes a vector that of a picture.
func (e Extractor) WithoutPen(vector []float32) {
	if e.Pen > 0 {
		clear(vector[GradientSize : GradientSize+e.Pen])
	}
}

// Names lists all extractors.
func Names() []string {
	var names []string
	for _, e := range extractors {
		names = append(names, e.Name)
	}
	return names
}

// ByName gives the extractor that a model asks for, which may be a Picture.
func ByName(name string) (Extractor, error) {
	if strings.HasPrefix(name, pictureName) {
		p, err := parsePicture(name)
		if err != nil {
			return Extractor{}, err
		}
		return p.Extractor(), nil
	}
	i := slices.IndexFunc(extractors, func(e Extractor) bool { return e.Name == name })
	if i < 0 {
		return Extractor{}, message.Errorf("the preprocessing %q is unknown; if it makes a picture, say the scale of its pixels, 0..1 or 0..255; else a newer Inkshade may know it", name)
	}
	return extractors[i], nil
}

// Vector gives the vector of a character in memory of its own.
func (e Extractor) Vector(image ink.Image, k ink.Ink) []float32 {
	dst := make([]float32, e.Size)
	e.Fill(dst, image, k)
	return dst
}

// Looks is what a network is asked about a character whose answer is the mean of its logits: the vector, or where that is
// Fine three of them, one after another, of the character as it is and leaning to either side.
func (e Extractor) Looks(image ink.Image, k ink.Ink) []float32 {
	_, looks := e.See(image, k)
	return looks
}

// See is Looks with the picture that they are made of: the image, or where the vector is Fine one of ink.DetailSide pixels a side.
func (e Extractor) See(image ink.Image, k ink.Ink) (seen ink.Image, looks []float32) {
	if !e.Fine {
		return image, e.Vector(image, k)
	}
	seen = ink.Image{Width: fineSide, Height: fineSide, Pix: make([]float32, fineSide*fineSide)}
	finePicture(seen.Pix, image, k)
	looks = make([]float32, len(leanings)*e.Size)
	for i, by := range leanings {
		Directions(looks[i*e.Size:][:e.Size], leaning(seen.Pix, by))
	}
	return seen, looks
}
