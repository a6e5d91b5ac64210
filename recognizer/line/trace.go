package line

import (
	"math"

	"inkshade/recognizer/ink"
)

// Trace turns a picture of lines of writing, as ink.LineFromPicture gives it, into strokes along the middle of what is
// written (ink.Trace), and levels lines that rise or fall. A picture without ink is ink.ErrEmpty.
func Trace(img ink.Image) (ink.Ink, error) {
	parts := components(img)
	if len(parts) == 0 {
		return nil, ink.ErrEmpty
	}
	whole := boxesOf(parts)
	longer := max(whole.width(), whole.height())
	const finest = 4096 // pixels along a side
	k, err := ink.Trace(img, min(ink.TracedSide*longer/sizeOf(parts), finest))
	if err != nil {
		return nil, err
	}
	return level(k), nil
}

// level turns ink until its lines are level: until its points lie in as few rows as they can. Of a line that is short beside its height
// nobody can tell.
func level(k ink.Ink) ink.Ink {
	const (
		most, step = 15, 0.5 // degrees
		clearly    = 1.1     // as crowded at least, for ink to be turned
		short      = 5       // times the size of the writing
		rows       = 8       // in the size of the writing
	)
	var pieces []piece
	for _, s := range k {
		pieces = append(pieces, piece{box: boxOf(s)})
	}
	size := sizeOf(pieces)
	if boxesOf(pieces).width() < short*size {
		return k
	}
	crowded := func(degrees float64) (sum float64) {
		points := map[int]float64{}
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		for _, s := range k {
			for _, p := range s {
				points[int(math.Floor((p.Y*cos-p.X*sin)/size*rows))]++
			}
		}
		for _, n := range points {
			sum += n * n
		}
		return sum
	}
	best, most0 := 0.0, clearly*crowded(0)
	for degrees := -float64(most); degrees <= most; degrees += step {
		if c := crowded(degrees); c > most0 {
			best, most0 = degrees, c
		}
	}
	sin, cos := math.Sincos(best * math.Pi / 180)
	for _, s := range k {
		for i, p := range s {
			s[i].X, s[i].Y = p.X*cos+p.Y*sin, p.Y*cos-p.X*sin
		}
	}
	return k
}
