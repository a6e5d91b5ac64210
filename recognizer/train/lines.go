package train

import (
	"cmp"
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"inkshade/glcompute/message"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	texts "inkshade/recognizer/line"
	"inkshade/recognizer/nn"
)

// line is a sample of a line of writing as it is learned from.
type line struct {
	text    []int   // classes
	cells   ink.Ink // see feature.Line
	middle  float64 // height of the middle of the writing, in cells
	columns int     // that its network gives
}

// needed is the number of columns without which a text cannot be read: one for each class, and one between two that are
// the same.
func needed(text []int) int {
	n := len(text)
	for i := 1; i < len(text); i++ {
		if text[i] == text[i-1] {
			n++
		}
	}
	return n
}

// newLine makes a line of a sample; false where its ink or characters of its text are missing, or it is too narrow to be read.
func newLine(index map[string]int, text string, k ink.Ink) (line, bool) {
	l := line{middle: feature.LineRows / 2}
	l.cells, _ = feature.Line(k)
	for _, c := range text {
		class, ok := index[string(c)]
		if !ok {
			return l, false
		}
		l.text = append(l.text, class)
	}
	if l.cells == nil || len(l.text) > nn.LongestText {
		return l, false
	}
	l.columns = feature.LineColumns(l.cells)
	return l, l.columns >= needed(l.text)
}

func classIndex(labels []string) map[string]int {
	index := map[string]int{}
	for i, l := range labels {
		index[l] = i
	}
	return index
}

// newLines makes lines of samples whose ink is there and whose text the classes can write, and leaves others out.
func newLines(labels []string, samples []dataset.Sample) (lines []line) {
	index := classIndex(labels)
	for _, s := range samples {
		if l, ok := newLine(index, s.Label, s.Ink); ok {
			lines = append(lines, l)
		}
	}
	return lines
}

// characters lists those of all texts, sorted.
func characters(samples []dataset.Sample) []string {
	all := map[string]bool{}
	for _, s := range samples {
		for _, c := range s.Label {
			all[string(c)] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// lineSampler fills batches with lines of about the same length, distorted. Batch n depends on the seed and n alone.
type lineSampler struct {
	*feed
	lines   []line
	more    composer
	distort dataset.LineDistortion
	seed    int64

	epoch int   // in work, from 0
	order []int // of the lines in it; nil before the first
}

func newLineSampler(cfg *Config, lines []line, c composer) *lineSampler {
	p := &lineSampler{lines: lines, more: c, distort: cfg.Lines, seed: cfg.Seed}
	perEpoch := (len(lines) + c.count + cfg.Batch - 1) / cfg.Batch
	p.feed = &feed{
		rows: cfg.Batch, width: 1, count: nn.CTC.TargetSize(0), perEpoch: perEpoch, steps: perEpoch * cfg.Epochs, workers: cfg.Workers, plan: p.plan,
	}
	return p
}

func (p *lineSampler) random(epoch, position int) *rand.Rand {
	return rand.New(rand.NewPCG(seedsOf(p.seed, epoch, position)))
}

// shuffle brings lines of about the same length, as they will be drawn, into the same batch, and batches into
// any order.
func (p *lineSampler) shuffle(epoch int) {
	rng := p.random(epoch, 0)
	order := rng.Perm(len(p.lines) + p.more.count)
	long := make([]float64, len(order))
	for i := range long {
		long[i] = float64(p.line(epoch, i).columns) * p.distort.Stretch(p.random(epoch, i+1))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(long[a], long[b]) })
	p.epoch, p.order = epoch, nil
	for _, n := range rng.Perm(p.perEpoch) {
		for row := range p.rows {
			p.order = append(p.order, order[(n*p.rows+row)%len(order)])
		}
	}
}

// line is that of a number: a sample, or after these one that is composed anew in every epoch.
func (p *lineSampler) line(epoch, i int) *line {
	if i < len(p.lines) {
		return &p.lines[i]
	}
	return p.more.compose(p.random(epoch, i+1<<30))
}

func (p *lineSampler) plan(_ context.Context, step int) (func(*batch), error) {
	epoch := step / p.perEpoch
	if epoch != p.epoch || p.order == nil {
		p.shuffle(epoch)
	}
	chosen := p.order[step%p.perEpoch*p.rows:][:p.rows]
	return func(b *batch) {
		copy(b.Samples, chosen)
		b.inks = slices.Grow(b.inks, p.rows)[:p.rows]
		most := 0
		for row, i := range chosen {
			l := p.line(epoch, i)
			k := p.distort.Apply(b.inks[row], l.cells, l.middle, p.random(epoch, i+1))
			if feature.LineColumns(k) < needed(l.text) { // written too narrow to be read
				k = dataset.LineDistortion{}.Apply(k, l.cells, l.middle, p.random(epoch, i+1))
			}
			columns := feature.LineColumns(k)
			target := b.Target[row*p.count : (row+1)*p.count] // as nn.CTC has it
			for i := range target {
				target[i] = -1
			}
			target[0] = float32(columns)
			for i, class := range l.text {
				target[1+i] = float32(class)
			}
			b.inks[row], most = k, max(most, columns)
		}
		b.Columns = nn.ColumnClass(most)
		size := feature.LineInput(b.Columns)
		b.Input = slices.Grow(b.Input[:0], p.rows*size)[:p.rows*size]
		for row, k := range b.inks {
			feature.FillLine(b.Input[row*size:(row+1)*size], k, b.Columns)
		}
	}, nil
}

// feedLines prepares what is learned from and what is held out.
func (s *session) feedLines(ctx context.Context, m *nn.Model, rest, held []dataset.Sample) error {
	written := words(rest)
	pictures, err := traced(ctx, written, s.cfg.Pictures, s.cfg.Seed)
	if err != nil {
		return err
	}
	lines := newLines(m.Labels, slices.Concat(written, pictures))
	if len(lines) == 0 {
		return message.Errorf("there is no line with ink and a text to train on")
	}
	s.cfg.Loss = nn.CTC
	s.feed = newLineSampler(&s.cfg, lines, newComposer(m.Labels, rest, s.cfg.Composed)).feed
	if held = words(held); len(held) > 0 {
		if pictures, err = traced(ctx, held, s.cfg.Pictures, s.cfg.Seed); err != nil {
			return err
		}
		s.held = &lineJudge{newLines(m.Labels, slices.Concat(held, pictures)), len(m.Labels)}
	}
	return nil
}

// words are the samples of more than one character: the others are there to compose lines of.
func words(samples []dataset.Sample) []dataset.Sample {
	return slices.DeleteFunc(slices.Clone(samples), func(s dataset.Sample) bool { return len([]rune(s.Label)) < 2 })
}

// traced gives a share of the samples as they are read in pictures: painted in some size with some pen, and traced.
func traced(ctx context.Context, samples []dataset.Sample, share float64, seed int64) ([]dataset.Sample, error) {
	all := make([]dataset.Sample, len(samples))
	err := dataset.InParallel(ctx, len(samples), func(_ context.Context, i int) error {
		rng := rand.New(rand.NewPCG(uint64(seed), uint64(i)))
		if rng.Float64() >= share {
			return nil
		}
		k, _ := feature.Line(samples[i].Ink)
		x0, y0, x1, y1, ok := k.Bounds()
		if !ok {
			return nil
		}
		pixels, pen := 2.5+5.5*rng.Float64(), 0.8+1.7*rng.Float64() // in a cell; cells
		img, err := ink.Paint(k, (max(x1-x0, y1-y0)+pen)*pixels, pen*pixels)
		if err == nil {
			all[i].Label = samples[i].Label
			all[i].Ink, err = texts.Trace(img)
		}
		return err
	})
	return all, err
}

// startLines gives the model whose parameters training begins with, of a network that reads lines.
func startLines(cfg *Config, samples []dataset.Sample) (*nn.Model, error) {
	if cfg.Start != nil {
		return cfg.Start.Clone(), nil
	}
	labels := characters(samples)
	net, err := cfg.Network.Network(nn.Vector(0), len(labels))
	if err != nil {
		return nil, err
	}
	return &nn.Model{Network: net, Labels: labels, Preprocessing: cfg.Preprocessing}, net.Initialise(cfg.Seed)
}

// lineJudge measures a network that reads lines by the best class of each column.
type lineJudge struct {
	lines []line
	blank int
}

func (j *lineJudge) judge(ctx context.Context, net *nn.Inference) (*Evaluation, error) {
	out := &Evaluation{Samples: len(j.lines)}
	of := map[int][]int{}
	for i := range j.lines {
		c := nn.ColumnClass(j.lines[i].columns)
		of[c] = append(of[c], i)
	}
	for _, columns := range slices.Sorted(maps.Keys(of)) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		all := of[columns]
		err := net.Logits(len(all), columns, func(i int, row []float32) {
			feature.FillLine(row, j.lines[all[i]].cells, columns)
		}, func(i int, logits []float32) {
			l := &j.lines[all[i]]
			wrong := 0
			for _, d := range texts.Differences(l.text, bestPath(logits[:l.columns*(j.blank+1)], j.blank)) {
				wrong += d.Errors()
			}
			out.Characters += len(l.text)
			out.WrongCharacters += wrong
			if wrong > 0 {
				out.Errors++
			}
		})
		if err != nil {
			return nil, err
		}
	}
	out.Loss = out.CharacterErrorRate()
	out.Device = net.Info(len(j.lines))
	return out, nil
}

// bestPath is the text of the most probable path.
func bestPath(logits []float32, blank int) (text []int) {
	last := blank
	for row := range slices.Chunk(logits, blank+1) {
		if best := nn.Best(row); best != last {
			if last = best; best != blank {
				text = append(text, best)
			}
		}
	}
	return text
}

// composer makes lines of the single characters of a writer: half of them numbers, of which few people write many, the
// others texts of the samples.
type composer struct {
	index   map[string]int
	writers []dataset.Letters
	texts   []string
	count   int // lines in an epoch
}

// Writers with fewer different characters have hardly any text.
const leastLetters = 8

// newComposer has so many lines for each of the samples that is one, as far as there are writers.
func newComposer(labels []string, samples []dataset.Sample, share float64) composer {
	c := composer{index: classIndex(labels), writers: dataset.LettersOf(samples, leastLetters)}
	for _, s := range samples {
		if len([]rune(s.Label)) > 1 {
			c.texts = append(c.texts, s.Label)
		}
	}
	if len(c.writers) > 0 {
		c.count = int(share * float64(len(c.texts)))
	}
	return c
}

// compose draws a writer and a text of which the writer has all characters.
func (c composer) compose(rng *rand.Rand) *line {
	for try := 0; ; try++ {
		w := c.writers[rng.IntN(len(c.writers))]
		text := c.text(rng)
		if !w.Has(text) {
			if try < 100 {
				continue
			}
			text = w.Random(1+rng.IntN(5), rng)
		}
		if l, ok := newLine(c.index, text, w.Compose(text, rng)); ok {
			return &l
		}
	}
}

func (c composer) text(rng *rand.Rand) string {
	if rng.IntN(2) == 0 || len(c.texts) == 0 {
		return number(rng)
	}
	text := c.texts[rng.IntN(len(c.texts))]
	switch rng.IntN(4) {
	case 0:
		return strings.ToUpper(text)
	case 1:
		_, first := utf8.DecodeRuneInString(text)
		return strings.ToUpper(text[:first]) + strings.ToLower(text[first:])
	case 2:
		return strings.ToLower(text)
	}
	return text
}

// number is one of up to ten digits, some of them with signs as in dates, amounts and telephone numbers.
func number(rng *rand.Rand) string {
	var b strings.Builder
	n, sign, every := 1+rng.IntN(8), "", 1+rng.IntN(4)
	if rng.IntN(3) == 0 {
		sign = string("-./,:"[rng.IntN(5)])
	}
	for i := range n {
		if i > 0 && i%every == 0 {
			b.WriteString(sign)
		}
		b.WriteByte(byte('0' + rng.IntN(10)))
	}
	return b.String()
}
