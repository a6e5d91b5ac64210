package train

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"inkshade/glcompute"
	"inkshade/glcompute/clock"
	"inkshade/glcompute/message"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
)

// Evaluation is how a model does on labelled samples.
type Evaluation struct {
	Samples          int
	Errors           int         // the first answer is wrong
	Top3, Top5       int         // the right one is not among the first three, five
	Top10            int         // nor among the first ten
	Loss             float64     // mean cross-entropy over the samples whose label the model has
	Characters       int         // in the texts of lines; then an error is a line that is not read rightly, and Loss the share of WrongCharacters
	WrongCharacters  int         // to be changed, left out or put in
	Confusions       []Confusion // the most frequent first
	Answers          []int       // class of the first answer to each sample, an index of the model's labels
	SamplesPerSecond float64
	Device           glcompute.Info // what did the last of them
}

// Confusion counts how often the label Want was taken for Got.
type Confusion struct {
	Want  string `json:"label"`
	Got   string `json:"answer"`
	Count int    `json:"count"`
}

// Worst lists the most frequent confusions of those that were counted, at most so many.
func Worst(counts map[Confusion]int, most int) []Confusion {
	all := make([]Confusion, 0, len(counts))
	for c, n := range counts {
		c.Count = n
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b Confusion) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Want, b.Want), cmp.Compare(a.Got, b.Got))
	})
	return all[:min(most, len(all))]
}

// FoldedErrors counts the errors without those that take a character for one that looks alike.
func (e *Evaluation) FoldedErrors() int {
	n := e.Errors
	for _, c := range e.Confusions {
		if dataset.LookAlike(c.Want, c.Got) {
			n -= c.Count
		}
	}
	return n
}

// ErrorRate is the share of wrong first answers, 0 to 1.
func (e *Evaluation) ErrorRate() float64 { return Share(e.Errors, e.Samples) }

// CharacterErrorRate is the share of wrong characters of lines; it may be above 1.
func (e *Evaluation) CharacterErrorRate() float64 { return Share(e.WrongCharacters, e.Characters) }

// The shares of samples whose label is not among the first three, five or ten answers.
func (e *Evaluation) Top3Rate() float64  { return Share(e.Top3, e.Samples) }
func (e *Evaluation) Top5Rate() float64  { return Share(e.Top5, e.Samples) }
func (e *Evaluation) Top10Rate() float64 { return Share(e.Top10, e.Samples) }

// Share is that of a part in a whole, 0 of nothing.
func Share(part, whole int) float64 { return float64(part) / float64(max(whole, 1)) }

// evaluateChunk is the number of samples between two looks at the context.
const evaluateChunk = 16 * nn.LargeBatch

// Evaluate runs the model on all samples. A sample whose label cannot be answered counts as an error. When ctx ends, its cause
// is returned.
func Evaluate(ctx context.Context, dev glcompute.Device, m *nn.Model, samples []dataset.Sample) (*Evaluation, error) {
	return EvaluateParts(ctx, dev, m, nil, func(add func([]dataset.Sample) error) error { return add(samples) })
}

// EvaluateParts is Evaluate of more samples than should be kept: parts hands some after the other to add, and those of single
// characters are forgotten once they are answered. Only labels of classes are answered; nil stands for all of the model.
func EvaluateParts(ctx context.Context, dev glcompute.Device, m *nn.Model, classes []string, parts func(add func([]dataset.Sample) error) error) (*Evaluation, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	inference, err := nn.NewInference(dev, m.Network)
	if err != nil {
		return nil, err
	}
	defer inference.Close()
	t := newTally()
	judge := func(samples []dataset.Sample) error {
		in, err := feature.ByName(m.Preprocessing)
		if err != nil {
			return err
		}
		if err := inference.Prepare(len(samples)); err != nil {
			return err
		}
		e, err := newEvaluator(in, m.Labels, samples, classes)
		if err != nil {
			return err
		}
		return t.add(ctx, e, inference)
	}
	most := evaluateChunk // whole ones, so that the batches are the same however the samples come
	if m.Preprocessing == nn.LineMaps {
		most = math.MaxInt
	}
	var waiting []dataset.Sample
	err = parts(func(some []dataset.Sample) (err error) {
		waiting = append(waiting, some...)
		if whole := len(waiting) / most * most; whole > 0 {
			err = judge(waiting[:whole])
			waiting = slices.Clone(waiting[whole:])
		}
		return err
	})
	switch {
	case err != nil:
	case m.Preprocessing == nn.LineMaps: // of samples whose ink is there and whose text it can write
		return (&lineJudge{newLines(m.Labels, waiting), len(m.Labels)}).judge(ctx, inference)
	case len(waiting) > 0 || t.Samples == 0:
		err = judge(waiting)
	}
	if err != nil {
		return nil, err
	}
	if math.IsNaN(t.loss) || math.IsInf(t.loss, 0) {
		return nil, message.Errorf("the model gives no numbers for some samples; use another device or another model")
	}
	return t.evaluation(inference), nil
}

// evaluator holds samples ready for repeated evaluation.
type evaluator struct {
	labels  []string
	allowed []bool // by class; nil when all are
	in      feature.Extractor
	samples []dataset.Sample
	class   []int       // of each sample; -1 when it cannot be answered
	rows    [][]float32 // of all samples once prepare has made them
}

func newEvaluator(in feature.Extractor, labels []string, samples []dataset.Sample, classes []string) (*evaluator, error) {
	if err := checkImages(samples); err != nil {
		return nil, err
	}
	e := &evaluator{labels: labels, in: in, samples: samples, class: make([]int, len(samples))}
	index := classIndex(labels)
	if classes != nil {
		e.allowed = make([]bool, len(labels))
		for _, c := range classes {
			i, ok := index[c]
			if !ok {
				return nil, message.Errorf("the model has no class %q", c)
			}
			e.allowed[i] = true
		}
	}
	for i, s := range samples {
		class, ok := index[s.Label]
		if !ok || !e.answers(class) {
			class = -1
		}
		e.class[i] = class
	}
	return e, nil
}

// prepare makes the rows of all samples, for who runs more than once.
func (e *evaluator) prepare(ctx context.Context) (err error) {
	e.rows, err = e.vectors(ctx, e.samples)
	return err
}

func (e *evaluator) vectors(ctx context.Context, samples []dataset.Sample) ([][]float32, error) {
	rows := make([][]float32, len(samples))
	return rows, dataset.InParallel(ctx, len(rows), func(_ context.Context, i int) error {
		rows[i] = e.in.Looks(samples[i].Image, samples[i].Ink)
		return nil
	})
}

func (e *evaluator) answers(class int) bool { return e.allowed == nil || e.allowed[class] }

func (e *evaluator) judge(ctx context.Context, net *nn.Inference) (*Evaluation, error) {
	t := newTally()
	if err := t.add(ctx, e, net); err != nil {
		return nil, err
	}
	return t.evaluation(net), nil
}

// tally counts what becomes an Evaluation.
type tally struct {
	Evaluation
	loss       float64 // of those answerable, which have a class
	answerable int
	confused   map[Confusion]int
	spent      time.Duration // by the network
}

func newTally() *tally { return &tally{confused: map[Confusion]int{}} }

func (t *tally) add(ctx context.Context, e *evaluator, net *nn.Inference) error {
	n := len(e.samples)
	tops := []struct {
		rank   int
		missed *int
	}{{1, &t.Errors}, {3, &t.Top3}, {5, &t.Top5}, {10, &t.Top10}}
	for first := 0; first < n; first += evaluateChunk {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		last := min(first+evaluateChunk, n)
		var rows [][]float32
		var err error
		if e.rows != nil {
			rows = e.rows[first:last]
		} else if rows, err = e.vectors(ctx, e.samples[first:last]); err != nil {
			return err
		}
		start := clock.Now()
		err = net.Each(rows, func(i int, logits []float32) {
			i += first
			best, rank := e.rank(logits, e.class[i])
			t.Answers = append(t.Answers, best)
			if e.class[i] >= 0 {
				t.loss += nn.LogSum(logits, 1, e.allowed) - float64(logits[e.class[i]])
				t.answerable++
			}
			if rank > 0 {
				t.confused[Confusion{Want: e.samples[i].Label, Got: e.labels[best]}]++
			}
			for _, top := range tops {
				if rank >= top.rank {
					*top.missed++
				}
			}
		})
		if err != nil {
			return err
		}
		t.spent += clock.Since(start)
	}
	t.Samples += n
	return nil
}

func (t *tally) evaluation(net *nn.Inference) *Evaluation {
	if t.answerable > 0 {
		t.Loss = t.loss / float64(t.answerable)
	}
	t.Confusions = Worst(t.confused, len(t.confused))
	if t.spent > 0 {
		t.SamplesPerSecond = float64(t.Samples) / t.spent.Seconds()
	}
	t.Device = net.Info(t.Samples)
	return &t.Evaluation
}

// rank gives the best class and how many classes come before the right one. Of equal
// logits the lower class comes first. A logit that is no number comes last.
func (e *evaluator) rank(logits []float32, class int) (best, rank int) {
	best = -1
	if class < 0 {
		rank = math.MaxInt
	}
	for i, v := range logits {
		if !e.answers(i) {
			continue
		}
		if best < 0 || v > logits[best] || logits[best] != logits[best] {
			best = i
		}
		if class >= 0 && i != class && (v > logits[class] || v == logits[class] && i < class || logits[class] != logits[class]) {
			rank++
		}
	}
	return max(best, 0), rank
}
