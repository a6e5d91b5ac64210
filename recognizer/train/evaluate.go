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
func (e *Evaluation) ErrorRate() float64 { return share(e.Errors, e.Samples) }

// CharacterErrorRate is the share of wrong characters of lines; it may be above 1.
func (e *Evaluation) CharacterErrorRate() float64 { return share(e.WrongCharacters, e.Characters) }

// The shares of samples whose label is not among the first three, five or ten answers.
func (e *Evaluation) Top3Rate() float64  { return share(e.Top3, e.Samples) }
func (e *Evaluation) Top5Rate() float64  { return share(e.Top5, e.Samples) }
func (e *Evaluation) Top10Rate() float64 { return share(e.Top10, e.Samples) }

// share is 0 of nothing.
func share(part, whole int) float64 { return float64(part) / float64(max(whole, 1)) }

// evaluateChunk is the number of samples between two looks at the context.
const evaluateChunk = 16 * nn.LargeBatch

// Evaluate runs the model on all samples. Only labels of classes are answered; nil stands
// for all of the model. A sample whose label cannot be answered counts as an error. When
// ctx ends, its cause is returned.
func Evaluate(ctx context.Context, dev glcompute.Device, m *nn.Model, samples []dataset.Sample, classes []string) (*Evaluation, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	inference, err := nn.NewInference(dev, m.Network)
	if err != nil {
		return nil, err
	}
	defer inference.Close()
	if m.Preprocessing == nn.LineMaps { // of samples whose ink is there and whose text it can write
		return (&lineJudge{newLines(m.Labels, samples), len(m.Labels)}).judge(ctx, inference)
	}
	in, err := feature.ByName(m.Preprocessing)
	if err != nil {
		return nil, err
	}
	if err := inference.Prepare(len(samples)); err != nil {
		return nil, err
	}
	e, err := newEvaluator(in, m.Labels, samples, classes)
	if err != nil {
		return nil, err
	}
	return e.judge(ctx, inference)
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
	n := len(e.samples)
	out := &Evaluation{Samples: n, Answers: make([]int, n)}
	var spent time.Duration // by the network
	confused := map[Confusion]int{}
	loss, answerable := 0.0, 0
	tops := []struct {
		rank   int
		missed *int
	}{{1, &out.Errors}, {3, &out.Top3}, {5, &out.Top5}, {10, &out.Top10}}
	for first := 0; first < n; first += evaluateChunk {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		last := min(first+evaluateChunk, n)
		var rows [][]float32
		var err error
		if e.rows != nil {
			rows = e.rows[first:last]
		} else if rows, err = e.vectors(ctx, e.samples[first:last]); err != nil {
			return nil, err
		}
		start := clock.Now()
		err = net.Each(rows, func(i int, logits []float32) {
			i += first
			best, rank := e.rank(logits, e.class[i])
			out.Answers[i] = best
			if e.class[i] >= 0 {
				loss += nn.LogSum(logits, 1, e.allowed) - float64(logits[e.class[i]])
				answerable++
			}
			if rank > 0 {
				confused[Confusion{Want: e.samples[i].Label, Got: e.labels[best]}]++
			}
			for _, top := range tops {
				if rank >= top.rank {
					*top.missed++
				}
			}
		})
		if err != nil {
			return nil, err
		}
		spent += clock.Since(start)
	}
	if answerable > 0 {
		out.Loss = loss / float64(answerable)
	}
	out.Confusions = Worst(confused, len(confused))
	if spent > 0 {
		out.SamplesPerSecond = float64(n) / spent.Seconds()
	}
	out.Device = net.Info(n)
	return out, nil
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
