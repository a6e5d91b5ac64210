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
	"inkshade/recognizer/feature"
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
// so do those that get less than 0.01: what else was taught stands behind what looks alike. Where both say the same, the answer is as sure
// as the surer of them. allowed restricts the classes; nil allows all.
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
	out, known := slices.Clone(a.Candidates), map[string]bool{} // to the network
	for _, c := range out {
		known[c.Label] = !slices.Contains(a.Added, c.Label)
	}
	for _, label := range slices.Sorted(maps.Keys(symbols)) {
		if _, ok := known[label]; !ok {
			out = append(out, recognizer.Candidate{Label: label})
		}
	}
	old := math.Inf(1) // the nearest drawing of a class that the network knows
	taught := map[string]asSymbol{}
	for label, s := range symbols {
		if known[label] {
			old = min(old, s.distance)
		} else if s.at != nil {
			taught[label] = s
		}
	}
	crowded, odds, likeliest := crowding(taught), map[string]float64{}, 0.0
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
	if len(a.Candidates) > 0 && out[0].Label == a.Candidates[0].Label {
		surer(out, a.Candidates[0].Probability)
	}
	a.Candidates = out
	return a
}

// surer gives the first candidate a probability that is more than its own, at the cost of the others.
func surer(candidates []recognizer.Candidate, p float64) {
	first := &candidates[0].Probability
	if p <= *first {
		return
	}
	for i := range candidates[1:] {
		candidates[1+i].Probability *= (1 - p) / (1 - *first)
	}
	*first = p
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
	type met struct {
		*trace
		distance, symbol float64
	}
	all := map[string][]met{}
	var last met // correction of the same drawing
	for label, traces := range m.traces {
		if allowed != nil && !allowed(label) {
			continue
		}
		for _, t := range traces {
			d := compare(p, t.at)
			x := met{t, d.in(m.units) / m.widths[label], d.symbol()}
			all[label] = append(all[label], x)
			if t.correction && x.distance <= same && (last.trace == nil || t.id > last.id) {
				last = x
			}
		}
	}
	nearest, symbols = map[string][]float64{}, map[string]asSymbol{}
	for label, drawings := range all {
		symbol := asSymbol{distance: math.Inf(1)}
		best := make([]float64, 0, neighbours+1)
		for _, x := range drawings {
			if last.trace != nil && label != last.label && x.id < last.id && x.distance > last.distance-clearly {
				continue
			}
			if x.symbol < symbol.distance {
				symbol = asSymbol{x.symbol, x.at.embedding}
			}
			at, _ := slices.BinarySearch(best, x.distance)
			best = slices.Insert(best, at, x.distance)
			best = best[:min(len(best), neighbours)]
		}
		symbols[label] = symbol
		alike := dataset.LookAlike(label, network)
		near := localMore
		if len(drawings) == 1 {
			near = localOne
			alike = alike || len(candidates) > usualClasses || sure && !drawings[0].correction
		}
		if !alike || len(m.traces[network]) > 0 || len(best) == 0 || best[0] <= near {
			nearest[label] = best
		}
	}
	return nearest, symbols
}

// point is a drawing in the space where drawings are compared.
type point struct {
	features  []float32 // gradient features of the image, then those of the pen where there are strokes
	embedding []float32 // package embedding
	size      float64   // natural logarithm of the longer side; NaN when unknown
}

// pointsOf computes where drawings lie, on all processors; a drawing without strokes is a picture.
func pointsOf(ctx context.Context, images []ink.Image, inks []ink.Ink) ([]point, error) {
	embeddings, err := embedding.Of(ctx, images, inks)
	if err != nil {
		return nil, err
	}
	points := make([]point, len(images))
	return points, dataset.InParallel(ctx, len(images), func(_ context.Context, i int) error {
		points[i] = pointOf(images[i], inks[i])
		points[i].embedding = embeddings[i]
		return nil
	})
}

func pointOf(image ink.Image, k ink.Ink) point {
	n := feature.GradientSize
	if len(k) > 0 {
		n += feature.PenSize
	}
	p := point{features: make([]float32, n), size: math.NaN()}
	feature.Gradient(p.features, image.Pix)
	if len(k) > 0 {
		feature.Pen(p.features[feature.GradientSize:], k)
		x0, y0, x1, y1, ok := k.Bounds()
		if longer := max(x1-x0, y1-y0); ok && longer > 0 {
			p.size = math.Log(longer)
		}
	}
	return p
}

// parts is the distance of two drawings, part by part, or what each part is multiplied with.
type parts [4]float64

// The parts: as symbols, by the edges of their images, by the movements of the pen, and by size, because a person writes o and O alike
// but not in one size.
const (
	ofEmbedding = iota // |embedding - embedding'|², 0 to 4
	ofGradient         // |gradient - gradient'|²
	ofPen              // |pen - pen'|²; NaN where one has no strokes
	ofSize             // min((ln size/size')², 1); 0 where one has no size, as a dot has none
)

func compare(a, b point) parts {
	d, _ := compareWithin(a, b, math.Inf(1))
	return d
}

// compareWithin is compare; it may end early, with false, where the parts weigh limit or more
// with the usual units.
func compareWithin(a, b point, limit float64) (parts, bool) {
	const g = feature.GradientSize
	d := parts{ofEmbedding: float64(feature.SquaredDistance(a.embedding, b.embedding)), ofPen: math.NaN()}
	strokes := len(a.features) > g && len(b.features) > g
	sum := usualUnits[ofEmbedding] * d[ofEmbedding]
	if strokes && sum >= limit {
		return d, false
	}
	d[ofGradient] = float64(feature.SquaredDistance(a.features[:g], b.features[:g]))
	if !strokes {
		return d, true
	}
	if sum+usualUnits[ofGradient]*d[ofGradient] >= limit {
		return d, false
	}
	d[ofPen] = float64(feature.SquaredDistance(a.features[g:], b.features[g:]))
	if log := a.size - b.size; !math.IsNaN(log) {
		d[ofSize] = min(log*log, 1)
	}
	return d, true
}

// in weighs the parts. Where one of the drawings has no strokes its edges stand for all,
// and they must be close: most pictures are not by the writer who is remembered.
func (d parts) in(units parts) (sum float64) {
	if math.IsNaN(d[ofPen]) {
		return pictureWeight * d[ofGradient]
	}
	for i, v := range d {
		sum += units[i] * v
	}
	return sum
}

// symbol is the squared distance of two drawings as symbols, whoever drew them: mostly that of the embedding.
func (d parts) symbol() float64 {
	pen := d[ofPen]
	if math.IsNaN(pen) {
		pen = 2 * usual[ofPen]
	}
	return d[ofEmbedding] + 0.02*d[ofGradient] + 0.02*pen
}

// usual are the parts between a drawing and its nearest neighbour among five
// of a class by one writer: about their means over 21 writers of UNIPEN.
var usual = parts{ofEmbedding: 0.3, ofGradient: 4, ofPen: 3.2, ofSize: 0.04}

// weights are those of the parts in units of the usual ones. They and the numbers of Adjust were chosen to minimise the mean of
// -ln p(label) over writers that the networks had not seen, among those that leave the error on yet other writers about as it was
// (docs/learning.md).
var weights = parts{ofEmbedding: 0.6, ofGradient: 0.05, ofPen: 0.8, ofSize: 0.25}

const (
	pictureWeight     = 1.5
	familiarity       = 10  // drawings that the usual parts stand for
	neighbourDistance = 1.7 // squared, from the nearest neighbour by the same writer: the sum of weights, the mean of each part being its unit
)

var usualUnits = usual.units()

// units weighs each part by how much it varies with one writer.
func (d parts) units() (units parts) {
	for i, v := range d {
		units[i] = weights[i] / v
	}
	return units
}
