package calibrate

import (
	"cmp"
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"inkshade/glcompute"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/lvq"
)

const (
	strokePoints  = 16     // of a stroke of a mean form
	mostForms     = 6      // of a character
	leastShare    = 1. / 8 // of the samples of a character that have as many strokes
	leastSamples  = 8      // of a number of strokes
	letterUnits   = 50     // that the usual height of a writer's characters is divided into
	mostOfLetters = 3000   // samples of a character and a number of strokes
)

// Letters gives the forms in which people write each character: means of samples of single characters with as many strokes, the
// points of which are as far apart, in k-means clusters. The most frequent form of a character comes first. Samples without a
// writer are left out, whose size nothing tells. When ctx ends its cause is returned.
func Letters(ctx context.Context, dev glcompute.Device, samples []dataset.Sample, seed int64) ([]ink.Labelled, error) {
	sizes := map[string]float64{}
	for _, hand := range dataset.LettersOf(samples, 1) {
		sizes[hand.Writer] = hand.Size
	}
	rows, count := map[string]map[int][][]float32{}, map[string]int{} // by label and number of strokes
	for _, s := range samples {
		size := sizes[s.Writer]
		if size == 0 || s.Ink == nil || len([]rune(s.Label)) != 1 {
			continue
		}
		k := s.Ink.Clean()
		x0, _, _, y1, ok := k.Bounds()
		if !ok {
			continue
		}
		var row []float32
		for _, stroke := range k {
			for _, p := range spaced(stroke, strokePoints) {
				row = append(row, float32((p.X-x0)/size), float32((p.Y-y1)/size))
			}
		}
		if rows[s.Label] == nil {
			rows[s.Label] = map[int][][]float32{}
		}
		rows[s.Label][len(k)] = append(rows[s.Label][len(k)], row)
		count[s.Label]++
	}
	var letters []ink.Labelled
	for _, label := range slices.Sorted(maps.Keys(rows)) {
		forms, err := formsOf(ctx, dev, rows[label], float64(count[label]), rand.New(rand.NewPCG(uint64(seed), uint64(len(letters)))))
		if err != nil {
			return nil, err
		}
		for _, k := range forms {
			letters = append(letters, ink.Labelled{Label: label, Ink: k})
		}
	}
	return letters, nil
}

// formsOf are the mean forms of one character, whose samples are known by the number of their strokes.
func formsOf(ctx context.Context, dev glcompute.Device, byStrokes map[int][][]float32, all float64, rng *rand.Rand) ([]ink.Ink, error) {
	type form struct {
		mean    []float32
		samples int
	}
	var forms []form
	for _, strokes := range slices.Sorted(maps.Keys(byStrokes)) {
		rows := byStrokes[strokes]
		if len(rows) < leastSamples || float64(len(rows)) < leastShare*all {
			continue
		}
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		rows = rows[:min(len(rows), mostOfLetters)]
		means, err := lvq.KMeans(ctx, dev, rows, min(mostForms, len(rows)/4), rng)
		if err != nil {
			return nil, err
		}
		counts := make([]int, len(means))
		for _, row := range rows {
			at, _ := feature.Closest(row, means)
			counts[at]++
		}
		for i, mean := range means {
			forms = append(forms, form{mean, counts[i]})
		}
	}
	slices.SortStableFunc(forms, func(a, b form) int { return cmp.Compare(b.samples, a.samples) })
	var inks []ink.Ink
	for _, f := range forms[:min(len(forms), mostForms)] {
		var k ink.Ink
		for stroke := range slices.Chunk(f.mean, 2*strokePoints) {
			var s ink.Stroke
			for p := range slices.Chunk(stroke, 2) {
				s = append(s, ink.Point{X: math.Round(float64(p[0]) * letterUnits), Y: math.Round(float64(p[1]) * letterUnits)})
			}
			k = append(k, s)
		}
		inks = append(inks, k)
	}
	return inks, nil
}

// spaced gives n points on the path of a stroke, as far apart along it.
func spaced(s ink.Stroke, n int) ink.Stroke {
	way := make([]float64, len(s)) // from the beginning
	for i := 1; i < len(s); i++ {
		way[i] = way[i-1] + math.Hypot(s[i].X-s[i-1].X, s[i].Y-s[i-1].Y)
	}
	out, at := make(ink.Stroke, n), 1
	for i := range out {
		want := way[len(s)-1] * float64(i) / float64(n-1)
		for at < len(s)-1 && way[at] < want {
			at++
		}
		before := s[max(0, at-1)]
		if at == len(s) || way[at] == way[at-1] {
			out[i] = before
			continue
		}
		part := (want - way[at-1]) / (way[at] - way[at-1])
		out[i] = ink.Point{X: before.X + part*(s[at].X-before.X), Y: before.Y + part*(s[at].Y-before.Y)}
	}
	return out
}
