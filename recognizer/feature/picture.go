package feature

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"inkshade/glcompute/message"
	"inkshade/recognizer/ink"
)

// Scale is the value of a pixel without ink and of one full of ink; what lies between is
// linear. The zero Scale is unknown.
type Scale struct{ Paper, Ink float64 }

// ParseScale reads a range from paper to ink, such as "0..255" or "-1..1", or the mean and the
// standard deviation that 0..1 was normalised by, such as "0.1307,0.3081".
func ParseScale(text string) (Scale, error) {
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || math.Abs(v) > math.MaxFloat32 {
			return math.NaN()
		}
		return v
	}
	s := Scale{math.NaN(), math.NaN()}
	if paper, full, ok := strings.Cut(text, ".."); ok {
		s = Scale{number(paper), number(full)}
	} else if mean, deviation, ok := strings.Cut(text, ","); ok {
		m, d := number(mean), number(deviation)
		s = Scale{-m / d, (1 - m) / d}
	}
	if d := math.Abs(s.Ink - s.Paper); !(d > 0 && d <= math.MaxFloat32) {
		return Scale{}, message.Errorf("%.40q is no scale of pixels; write it like 0..1, 0..255, -1..1, or as mean and standard deviation like 0.1307,0.3081", text)
	}
	return s, nil
}

// String writes the scale as ParseScale reads it, to the precision of a float32.
func (s Scale) String() string {
	short := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 32) }
	return short(s.Paper) + ".." + short(s.Ink)
}

// Inverted is the scale with paper and ink exchanged.
func (s Scale) Inverted() Scale { return Scale{s.Ink, s.Paper} }

// Picture says how the 28x28 image of a character becomes the input of a network that was
// trained elsewhere. It is an Extractor whose name says it all, such as
// "picture 32x32 0..255 transposed resized".
type Picture struct {
	Height, Width int
	Scale
	Transposed bool // rows are columns, as in the files of EMNIST
	Fit        Fit
}

// Fit says how the image of 28x28 becomes one of another size.
type Fit string

// The fits. The ink of an image lies in its middle 20x20 pixels.
const (
	Padded  Fit = ""        // paper is put around, or cut off
	Resized Fit = "resized" // the whole image is resized
	Cut     Fit = "cut"     // the middle 20x20 pixels are, as in sets without margins
)

// inkSide is that of the middle.
const inkSide = 20

// pictureName begins the names of pictures.
const pictureName = "picture "

// LargestPicture is the most pixels along a side of one.
const LargestPicture = 512

// String is the name of the extractor.
func (p Picture) String() string {
	name := fmt.Sprintf("%s%dx%d %s", pictureName, p.Height, p.Width, p.Scale)
	if p.Transposed {
		name += " transposed"
	}
	if p.Fit != Padded {
		name += " " + string(p.Fit)
	}
	return name
}

// parsePicture reads what String writes.
func parsePicture(name string) (p Picture, err error) {
	words := strings.Fields(strings.TrimPrefix(name, pictureName))
	if len(words) >= 2 {
		height, width, _ := strings.Cut(words[0], "x")
		p.Height, _ = strconv.Atoi(height)
		p.Width, _ = strconv.Atoi(width)
		p.Scale, err = ParseScale(words[1])
		for _, w := range words[2:] {
			if w == "transposed" {
				p.Transposed = true
			} else if f := Fit(w); f == Resized || f == Cut {
				p.Fit = f
			}
		}
	}
	if err != nil || min(p.Height, p.Width) < 1 || max(p.Height, p.Width) > LargestPicture || p.String() != name {
		return p, message.Errorf("the preprocessing %.80q is not understood; a picture is written like %q, at most %d pixels along a side",
			name, Picture{Height: side, Width: side, Scale: Scale{0, 1}, Transposed: true}, LargestPicture)
	}
	return p, nil
}

// Extractor makes pictures.
func (p Picture) Extractor() Extractor {
	mix, span := p.mix(), float32(p.Scale.Ink-p.Paper)
	return Extractor{Name: p.String(), Size: p.Height * p.Width, Fill: func(dst []float32, image ink.Image, _ ink.Ink) {
		dst = dst[:p.Height*p.Width]
		clear(dst)
		mix(func(i, at int, weight float32) { dst[i] += weight * image.Pix[at] })
		for i, v := range dst {
			dst[i] = float32(p.Paper) + v*span
		}
	}}
}

// mix gives a function that goes through the pixels of the picture and, for each, those of the
// 28x28 image that it is made of.
func (p Picture) mix() func(each func(pixel, at int, weight float32)) {
	rows, columns := p.taps(p.Height), p.taps(p.Width)
	down, right := side, 1
	if p.Transposed {
		down, right = right, down
	}
	return func(each func(pixel, at int, weight float32)) {
		for y, row := range rows {
			for x, column := range columns {
				for _, r := range row {
					for _, c := range column {
						each(y*p.Width+x, r.at*down+c.at*right, r.weight*c.weight)
					}
				}
			}
		}
	}
}

// tap is a pixel of the 28x28 image along one axis and how much it counts.
type tap struct {
	at     int
	weight float32
}

// taps gives for each of size pixels along an axis those that it is made of. Where they are resized,
// they are weighted by a triangle around its middle that is as wide as the larger of both pixels on
// either side: linear interpolation, and an average where the picture becomes smaller.
func (p Picture) taps(size int) [][]tap {
	all := make([][]tap, size)
	for i := range all {
		if at := i - (size-side)/2; p.Fit == Padded {
			if at >= 0 && at < side {
				all[i] = []tap{{at, 1}}
			}
			continue
		}
		part := float64(side)
		if p.Fit == Cut {
			part = inkSide
		}
		step := part / float64(size)
		reach, sum := max(step, 1), float32(0)
		middle := (side-part)/2 + (float64(i)+0.5)*step - 0.5
		for at := range side {
			if w := float32(1 - math.Abs(float64(at)-middle)/reach); w > 0 {
				all[i] = append(all[i], tap{at, w})
				sum += w
			}
		}
		for k := range all[i] {
			all[i][k].weight /= sum
		}
	}
	return all
}
