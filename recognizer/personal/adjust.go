package personal

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"inkshade/recognizer"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/embedding"
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
	undisputed   = 0.5  // probability from which a class has to be disputed before an only drawing takes from it
	localOne     = 1.5  // squared distance within which the only drawing of a class speaks against a look-alike never shown
	slight       = 1e-2 // probability below which the network says which class is likelier
	localMore    = 1.95 // within which the nearest of several does
)

// Adjust combines each of the network's answers with the drawings remembered, as a product of two
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
// does not have has the least probability. Equal ones, such as all below the least, keep the network's order, and
// so do those that get less than 0.01: what else was taught stands behind what looks alike. allowed restricts the classes; nil allows all.
// An answer that has a drawing within d² = 4 is not unknown.
//
// The last correction of the same drawing wins: where one is within d² = 1, drawings of
// other labels that were remembered before it do not count unless they are nearer by 0.5.
//
// A person who says of round drawings that they are O has not said that every 0 is one: where the network's answer
// is a look-alike of which nothing is remembered, a class counts within d² = 1.5 of its only drawing alone, or 1.95 of
// the nearest of several. Any two classes are taken for look-alikes by an only drawing that corrected nothing where the network's answer
// has a probability of a half, and by any only drawing where there are more than 94.
//
// A symbol that the network does not have is also answered to drawings by others: see oddsOfNew.
func (m *Memory) Adjust(answers []recognizer.Answer, inks []ink.Ink, allowed func(label string) bool) []recognizer.Answer {
	if m.Len() == 0 {
		return answers
	}
	images := make([]ink.Image, len(answers))
	for i, a := range answers {
		images[i] = a.Image
	}
	points, err := pointsOf(context.Background(), images, inks)
	if err != nil { // the processor has no memory left: the network answers alone
		return answers
	}
	adjusted := make([]recognizer.Answer, len(answers))
	for i, a := range answers {
		adjusted[i] = m.adjust(a, points[i], allowed)
	}
	return adjusted
}

func (m *Memory) adjust(a recognizer.Answer, at point, allowed func(label string) bool) recognizer.Answer {
	nearest, symbols := m.nearest(at, a.Candidates, allowed)
	closest := math.Inf(1)
	for _, d := range nearest {
		if len(d) > 0 {
			closest = min(closest, d[0])
		}
	}
	fresh := maps.Clone(symbols)
	for _, c := range a.Candidates {
		delete(fresh, c.Label)
	}
	isNew := func(label string) bool {
		_, ok := fresh[label]
		return ok || slices.Contains(a.Added, label)
	}
	old := math.Inf(1) // the nearest drawing of a class that the network knows
	taught := map[string]asSymbol{}
	for label, s := range symbols {
		if !isNew(label) {
			old = min(old, s.distance)
		} else if s.at != nil {
			taught[label] = s
		}
	}
	crowded := crowding(taught)
	odds := map[string]float64{}
	likeliest := 0.0
	for label, s := range taught {
		if s.distance < old {
			odds[label] = oddsOfNew(s.distance+crowded[label], a.Strangeness)
			likeliest = max(likeliest, odds[label])
		}
	}
	if len(symbols) == 0 || closest >= reach && likeliest < leastOdds && len(a.Candidates) > 0 {
		return a
	}
	a.Unknown = a.Unknown && closest >= familiar && likeliest < 1
	out := slices.Clone(a.Candidates)
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
	for i := range out {
		out[i].Probability = math.Exp(out[i].Probability - best)
	}
	scale(out)
	for i, c := range out {
		out[i].Probability = max(c.Probability, odds[c.Label])
	}
	scale(out)
	slices.SortStableFunc(out, func(x, y recognizer.Candidate) int {
		return cmp.Compare(max(y.Probability, slight), max(x.Probability, slight))
	})
	var last []float64
	for _, c := range out {
		if c.Probability < slight {
			last = append(last, c.Probability)
		}
	}
	slices.Sort(last)
	for i, p := range last {
		out[len(out)-1-i].Probability = p
	}
	a.Candidates = out
	return a
}

// scale makes the probabilities add up to 1.
func scale(candidates []recognizer.Candidate) {
	sum := 0.0
	for _, c := range candidates {
		sum += c.Probability
	}
	for i := range candidates {
		candidates[i].Probability /= sum
	}
}

// asSymbol is the drawing of a label that is nearest to another one as symbols; of none, at infinity.
type asSymbol struct {
	distance float64   // squared; parts.symbol
	at       []float32 // where it lies in the embedding
}

// crowding is what the squared distance from each symbol that was taught is to rise by, because a symbol in the middle of the others is near
// whatever is drawn: crowdWeight times how much nearer it is to the others than they are to each other in the mean (Conneau et al., "Word
// translation without parallel data", 2018, of the others that were taught all).
func crowding(taught map[string]asSymbol) map[string]float64 {
	rise := make(map[string]float64, len(taught))
	labels, mean := slices.Sorted(maps.Keys(taught)), 0.0
	sum := make([]float32, embedding.Size)
	for _, label := range labels {
		for i, v := range taught[label].at {
			sum[i] += v
		}
	}
	for _, label := range labels {
		at, product := taught[label].at, float32(-1) // less that with itself
		for i, v := range at {
			product += v * sum[i]
		}
		rise[label] = crowdWeight * 2 * float64(product) / max(1, float64(len(taught)-1))
		mean += rise[label] / float64(len(taught))
	}
	for label := range rise {
		rise[label] -= mean
	}
	return rise
}

// The weights of oddsOfNew and crowding.
const (
	crowdWeight = 0.7
	newBase     = 2.3
	newDistance = 4.7
	newDrawing  = 7.0
	mostStrange = 1.0
	leastOdds   = 0.01 // below, a symbol is no candidate
)

// oddsOfNew are the odds that a drawing is of a symbol that the network does not have rather than of one that it has: d is the squared distance
// of the nearest drawing of it as symbols, and no class that the network has has a nearer one (parts.symbol), strangeness how far the drawing is from what the network was made with. The weights are
// those of a logistic regression on symbols, and characters by writers, that the embedding was not trained on (docs/learning.md).
func oddsOfNew(d, strangeness float64) float64 {
	return math.Exp(newBase - newDistance*d + newDrawing*min(strangeness, mostStrange))
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

// nearest gives the squared distances of the nearest drawings of each class that counts, ascending, and of every class that is allowed the nearest
// one as symbols; candidates are the network's.
func (m *Memory) nearest(p point, candidates []recognizer.Candidate, allowed func(string) bool) (nearest map[string][]float64, symbols map[string]asSymbol) {
	network, sure := "", false
	if len(candidates) > 0 {
		network, sure = candidates[0].Label, candidates[0].Probability >= undisputed
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	distances, apart := map[string][]float64{}, map[string][]float64{}
	var last *trace // correction of the same drawing
	lastAt := 0.0
	for label, traces := range m.traces {
		if allowed != nil && !allowed(label) {
			continue
		}
		all, as := make([]float64, len(traces)), make([]float64, len(traces))
		for i, t := range traces {
			d := compare(p, t.at)
			all[i], as[i] = d.in(m.units)/m.widths[label], d.symbol()
			if t.correction && all[i] <= same && (last == nil || t.id > last.id) {
				last, lastAt = t, all[i]
			}
		}
		distances[label], apart[label] = all, as
	}
	nearest, symbols = map[string][]float64{}, map[string]asSymbol{}
	for label, all := range distances {
		symbol := asSymbol{distance: math.Inf(1)}
		best := make([]float64, 0, neighbours+1)
		for i, d := range all {
			t := m.traces[label][i]
			if last != nil && label != last.label && t.id < last.id && d > lastAt-clearly {
				continue
			}
			if apart[label][i] < symbol.distance {
				symbol = asSymbol{apart[label][i], t.at.embedding}
			}
			if len(best) == neighbours && d >= best[neighbours-1] {
				continue
			}
			at, _ := slices.BinarySearch(best, d)
			best = slices.Insert(best, at, d)
			best = best[:min(len(best), neighbours)]
		}
		symbols[label] = symbol
		alike := dataset.LookAlike(label, network)
		near := localMore
		if len(all) == 1 {
			near = localOne
			alike = alike || len(candidates) > usualClasses || sure && !m.traces[label][0].correction
		}
		if !alike || len(m.traces[network]) > 0 || len(best) == 0 || best[0] <= near {
			nearest[label] = best
		}
	}
	return nearest, symbols
}
