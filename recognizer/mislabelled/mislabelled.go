// Package mislabelled finds samples whose label is probably wrong.
package mislabelled

import (
	"context"
	"maps"
	"slices"
	"strings"

	"inkshade/glcompute"
	"inkshade/recognizer/embedding"
	"inkshade/recognizer/samples"
)

// The rule of Find in numbers.
const (
	neighbours    = 5
	contradicting = 3 // so many of them must agree on another label
	agreeing      = 1 // and at most so many have the sample's own
	thinClass     = 3 // a class of fewer samples cannot give two neighbours of its own
	insideClass   = 1.25
)

// Suspicion is a sample whose neighbours contradict its label.
type Suspicion struct {
	Sample     samples.Sample
	Likely     string           // the label that most neighbours have
	Votes      int              // how many of the neighbours have it
	Neighbours []samples.Sample // the nearest samples, the nearest first
}

// Find returns the samples whose label is probably wrong, those with the most votes against them first: of the
// five nearest others, by the squared distance of points, at least three have one other label and at most one
// has the sample's own. A sample of a class of fewer than three, which cannot have more, is named only if it lies inside
// the other class: its mean squared distance to those neighbours is at most 1.25 times that of the neighbours to theirs.
// Labels that differ only in case do not contradict each other, because the points do not show size.
//
// points are where the samples lie in the embedding, one for each (embedding.OfInks). The time grows with the square of the number of
// samples; ctx cancels.
func Find(ctx context.Context, all []samples.Sample, points [][]float32) ([]Suspicion, error) {
	n := len(all)
	if n <= 1 {
		return nil, nil
	}
	names := make([]string, n)
	classes := map[string]int{}
	for i, s := range all {
		names[i] = strings.ToLower(s.Label)
		classes[names[i]]++
	}
	near, err := nearest(ctx, glcompute.NewParameter("points", n, embedding.Size, slices.Concat(points...)))
	if err != nil {
		return nil, err
	}
	var found []Suspicion
	for i, s := range all {
		votes := map[string]int{}
		for _, v := range near[i] {
			votes[names[v.index]]++
		}
		likely := names[i]
		for _, name := range slices.Sorted(maps.Keys(votes)) {
			if name != names[i] && (likely == names[i] || votes[name] > votes[likely]) {
				likely = name
			}
		}
		if likely == names[i] || votes[likely] < contradicting || votes[names[i]] > agreeing {
			continue
		}
		suspicion := Suspicion{Sample: s, Votes: votes[likely]}
		spread := float32(0)
		for _, v := range near[i] {
			suspicion.Neighbours = append(suspicion.Neighbours, all[v.index])
			if names[v.index] == likely {
				if suspicion.Likely == "" {
					suspicion.Likely = all[v.index].Label
				}
				spread += meanDistance(near[v.index], names, likely) / float32(votes[likely])
			}
		}
		if classes[names[i]] >= thinClass || meanDistance(near[i], names, likely) <= insideClass*spread {
			found = append(found, suspicion)
		}
	}
	slices.SortStableFunc(found, func(a, b Suspicion) int { return b.Votes - a.Votes })
	return found, nil
}

type neighbour struct {
	index    int
	distance float32 // squared
}

// meanDistance is the mean squared distance to those of near that have the name; 0 when none has.
func meanDistance(near []neighbour, names []string, name string) float32 {
	sum, n := float32(0), float32(0)
	for _, v := range near {
		if names[v.index] == name {
			sum += v.distance
			n++
		}
	}
	return sum / max(n, 1)
}

// nearest returns the nearest others of each point, the nearest first, by the distances of many points to all.
func nearest(ctx context.Context, points *glcompute.Parameter) ([][]neighbour, error) {
	const block = 128
	device, err := glcompute.Open(glcompute.CPU)
	if err != nil {
		return nil, err
	}
	defer device.Close()
	n, cols := points.Rows, points.Cols
	p := glcompute.NewProgram()
	some := p.Input(block, cols)
	to := p.Distances(some, p.Variable(points))
	run, err := device.Compile(p)
	if err != nil {
		return nil, err
	}
	near, part, distances := make([][]neighbour, n), make([]float32, some.Len()), make([]float32, to.Len())
	for from := 0; from < n; from += block {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		rows := min(block, n-from)
		copy(part, points.Data[from*cols:(from+rows)*cols])
		if err := run.Do(glcompute.In(some, part), glcompute.Out(to, distances)); err != nil {
			return nil, err
		}
		for r := range rows {
			near[from+r] = smallest(distances[r*n:(r+1)*n], from+r)
		}
	}
	return near, nil
}

// smallest gives the nearest of all but the point itself, the nearest first.
func smallest(distances []float32, itself int) []neighbour {
	var best []neighbour
	for j, d := range distances {
		if j == itself || len(best) == neighbours && d >= best[neighbours-1].distance {
			continue
		}
		at := 0
		for at < len(best) && best[at].distance <= d {
			at++
		}
		best = slices.Insert(best, at, neighbour{j, d})
		best = best[:min(len(best), neighbours)]
	}
	return best
}
