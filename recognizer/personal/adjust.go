package personal

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"inkshade/recognizer"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
)

// The rule of Adjust in numbers.
const (
	doubt        = 2.5  // squared distance within which the network loses its say
	floor        = 1e-5 // least probability of the network, so that it can be overruled
	reach        = 8.0  // squared distance at which a drawing says nothing any more
	neighbours   = 5    // nearest drawings of a class that count
	familiar     = 4.0  // squared distance within which nothing is unknown
	same         = 1.0  // squared distance within which a correction is of the same drawing
	usualClasses = 94   // of more classes each is the less likely one of which nothing is remembered
	clearly      = 0.5  // how much nearer a drawing must be to outweigh a correction that came later
	localOne     = 1.5  // squared distance within which the only drawing of a class speaks against a look-alike never shown
	localMore    = 2.25 // within which the nearest of several does
)

// Adjust combines the network's answer with the drawings remembered, as a product of two
// experts (Hinton, "Training products of experts by minimizing contrastive divergence",
// 2002), the second being a kernel density estimate of each class:
//
//	p(c) ∝ max(p_network(c), 0.00001)^t · mean over the ≤5 nearest drawings of c of exp(-d²·(2 - d²/r))
//
// d² is the squared distance, a weighted sum of its parts, each in units of how much it
// varies with this writer, divided by how much the drawings of c vary beside those of other
// classes. r = 8 is its reach, beyond which the kernel stays exp(-r), which also stands for
// a class of which nothing is remembered, divided by n/94 where there are n > 94 classes: thousands
// of them together weigh no more than the characters of a keyboard. t = min(1, d²/2.5), with the d² of the nearest
// drawing of all: what is drawn again is answered by it, whatever the network says. Where
// nothing remembered is within reach the answer stays as it is. A class that the network
// does not have has the least probability. Equal ones, such as all below the least, keep the network's order. allowed restricts the classes; nil allows all.
// An answer that has a drawing within d² = 4 is not unknown.
//
// The last correction of the same drawing wins: where one is within d² = 1, drawings of
// other labels that were remembered before it do not count unless they are nearer by 0.5.
//
// A person who says of round drawings that they are O has not said that every 0 is one: where the network's answer
// is a look-alike of which nothing is remembered, a class counts within d² = 1.5 of its only drawing alone, or 2.25 of
// the nearest of several; of more than 94 classes any two are taken for look-alikes by an only drawing.
func (m *Memory) Adjust(a recognizer.Answer, k ink.Ink, allowed func(label string) bool) recognizer.Answer {
	return m.adjust(a, pointOf(a.Image, k), allowed)
}

func (m *Memory) adjust(a recognizer.Answer, at point, allowed func(label string) bool) recognizer.Answer {
	network := ""
	if len(a.Candidates) > 0 {
		network = a.Candidates[0].Label
	}
	nearest := m.nearest(at, network, len(a.Candidates) > usualClasses, allowed)
	closest := math.Inf(1)
	for _, d := range nearest {
		if len(d) > 0 {
			closest = min(closest, d[0])
		}
	}
	if len(nearest) == 0 || closest >= reach && len(a.Candidates) > 0 {
		return a
	}
	a.Unknown = a.Unknown && closest >= familiar
	out := slices.Clone(a.Candidates)
	fresh := maps.Clone(nearest)
	for _, c := range out {
		delete(fresh, c.Label)
	}
	for _, label := range slices.Sorted(maps.Keys(fresh)) {
		out = append(out, recognizer.Candidate{Label: label})
	}
	best := math.Inf(-1)
	say := min(1, closest/doubt)
	rest := -reach - math.Log(max(1, float64(len(out))/usualClasses))
	for i, c := range out {
		out[i].Probability = say*math.Log(max(c.Probability, floor)) + density(nearest[c.Label], rest)
		best = max(best, out[i].Probability)
	}
	sum := 0.0
	for i := range out {
		out[i].Probability = math.Exp(out[i].Probability - best)
		sum += out[i].Probability
	}
	for i := range out {
		out[i].Probability /= sum
	}
	slices.SortStableFunc(out, func(x, y recognizer.Candidate) int { return cmp.Compare(y.Probability, x.Probability) })
	a.Candidates = out
	return a
}

// density is the logarithm of the second factor of Adjust, rest where nothing is remembered.
func density(nearest []float64, rest float64) float64 {
	if len(nearest) == 0 {
		return rest
	}
	sum := 0.0
	for _, d := range nearest {
		d = min(d, reach)
		sum += math.Exp(-d * (2 - d/reach))
	}
	return math.Log(sum / float64(len(nearest)))
}

// nearest gives the squared distances of the nearest drawings of each class, ascending; network is the answer of
// the network alone, which has many classes or not.
func (m *Memory) nearest(p point, network string, many bool, allowed func(string) bool) map[string][]float64 {
	m.mu.RLock()
	defer m.mu.RUnlock()
	distances := map[string][]float64{}
	var last *trace // correction of the same drawing
	lastAt := 0.0
	for label, traces := range m.traces {
		if allowed != nil && !allowed(label) {
			continue
		}
		all := make([]float64, len(traces))
		for i, t := range traces {
			all[i] = compare(p, t.at).in(m.units) / m.widths[label]
			if t.correction && all[i] <= same && (last == nil || t.id > last.id) {
				last, lastAt = t, all[i]
			}
		}
		distances[label] = all
	}
	nearest := map[string][]float64{}
	for label, all := range distances {
		best := make([]float64, 0, neighbours+1)
		for i, d := range all {
			t := m.traces[label][i]
			if last != nil && label != last.label && t.id < last.id && d > lastAt-clearly {
				continue
			}
			if len(best) == neighbours && d >= best[neighbours-1] {
				continue
			}
			at, _ := slices.BinarySearch(best, d)
			best = slices.Insert(best, at, d)
			best = best[:min(len(best), neighbours)]
		}
		alike := dataset.LookAlike(label, network) || many && len(all) == 1
		near := localMore
		if len(all) == 1 {
			near = localOne
		}
		if !alike || len(m.traces[network]) > 0 || len(best) == 0 || best[0] <= near {
			nearest[label] = best
		}
	}
	return nearest
}
