package device

import (
	"context"
	"slices"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
	"inkshade/models"
	"inkshade/recognizer"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
)

// UseWords lets a model read whole words, in the place of the one before; nil is the one that ships. On an error that stays.
func (e *Engine) UseWords(m *nn.Model) error { return e.readWords(m, true) }

// readWords puts a model in use for words, in the place of another where that is wanted.
func (e *Engine) readWords(m *nn.Model, anyway bool) error {
	rec, err := e.onCPU(e.wordsName, m)
	if err != nil {
		return err
	}
	e.update(func() {
		switch {
		case e.life.Err() != nil || e.words != nil && !anyway:
			_ = release(rec)
			return
		case e.words != nil:
			_ = release(e.words)
		}
		e.words = rec
		e.equipWords()
	})
	return nil
}

// onCPU makes a model ready on a processor of its own; a nil m is the one of that name.
func (e *Engine) onCPU(name string, m *nn.Model) (*recognizer.Recognizer, error) {
	if m == nil {
		var err error
		if m, _, err = e.load(name); err != nil {
			return nil, err
		}
	}
	dev, err := e.open(glcompute.CPU)
	if err != nil {
		return nil, err
	}
	rec, err := recognizer.New(m, dev)
	if err != nil {
		_ = dev.Close()
	}
	return rec, err
}

// equipWords gives what reads words the restriction. The caller holds the lock.
func (e *Engine) equipWords() {
	if e.words == nil {
		return
	}
	var chosen []string
	if e.allowed != nil {
		chosen = slices.DeleteFunc(slices.Clone(e.words.Model().Labels), func(l string) bool { return !e.allowed(l) })
	}
	e.wordless = e.words.SetClasses(chosen) != nil
}

// readsWords tells whether lines are read whole, and not cut into characters for the model in use because this knows some that
// the other does not write. The caller holds the lock.
func (e *Engine) readsWords() bool {
	return e.words != nil && !e.wordless && e.model != nil && !slices.ContainsFunc(e.model.Labels, e.unwritten)
}

// unwritten tells whether a label is none of those that are read in words.
func (e *Engine) unwritten(label string) bool { return e.words.Model().Class(label) < 0 }

// wordsFor gives what reads a line whole, nil where it is cut into characters: also of digits alone, where that measured
// better (docs/lines.md). own tells whether the person taught some that are in no words.
func (e *Engine) wordsFor(o line.Options) (words *recognizer.Recognizer, own bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.readsWords() || o.Separate || o.Language == line.Digits {
		return nil, false
	}
	return e.words, e.memory != nil && slices.ContainsFunc(e.memory.Labels(), e.unwritten)
}

func (e *Engine) person() line.Person {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.memory == nil {
		return line.Person{}
	}
	return e.memory.Person()
}

// likely is the confidence from which a character that only the person knows is believed to stand in a line.
const likely = 0.5

// RecognizeLine reads a line whole where it can, and else by its characters on the device in charge.
func (e *Engine) RecognizeLine(ctx context.Context, k ink.Ink, o line.Options) (*line.Result, Side, error) {
	o.Person = e.person()
	words, own := e.wordsFor(o)
	if words == nil {
		return e.cutLine(ctx, k, o)
	}
	if own && o.Text == "" {
		cut, by, err := e.cutLine(ctx, k, o)
		if err != nil || slices.ContainsFunc(cut.Characters, func(c line.Character) bool {
			return words.Model().Class(c.Label) < 0 && c.Confidence >= likely && !c.Unknown
		}) {
			return cut, by, err
		}
	}
	all, err := words.ReadLines(ctx, []ink.Ink{k}, o)
	if err != nil {
		return nil, CPU, err
	}
	return all[0], CPU, nil
}

// cutLine does what Recognize does with a line, cut into characters.
func (e *Engine) cutLine(ctx context.Context, k ink.Ink, o line.Options) (result *line.Result, by Side, err error) {
	by, err = e.answer(func(rec *recognizer.Recognizer) (failed, err error) {
		result, err = line.Read(ctx, k, o, func(ctx context.Context, shapes []line.Shape) (answers []line.Answer, err error) {
			if answers, err = rec.AskLine(ctx, shapes); ctx.Err() == nil {
				failed = err
			}
			return answers, err
		})
		return failed, err
	})
	return result, by, err
}

// ErrWords is why no other device is timed with a line that is read whole.
var ErrWords = message.Errorf("whole words are read on the processor")

// MeasureLine times one reading of a line on a side.
func (e *Engine) MeasureLine(ctx context.Context, k ink.Ink, o line.Options, on Side) (recognizer.Timing, error) {
	if words, _ := e.wordsFor(o); words != nil {
		if on != CPU {
			return recognizer.Timing{}, ErrWords
		}
		return words.MeasureLine(ctx, k, o)
	}
	rec, err := e.on(on)
	if err != nil {
		return recognizer.Timing{}, err
	}
	return rec.MeasureLine(ctx, k, o)
}

const (
	wide    = 1.5 // times its height: wider than nearly all single characters (docs/models.md)
	sure    = 0.9 // the Confidence of several characters that are no Chinese one
	nearest = 2   // the OutOfDistribution up to which ink that is no letter is taken for a Chinese character
)

// Suggest names the shipped model of single characters that knows a drawing, maybe traced in a picture, which the one in use
// does not; empty for none, and where it is rather several characters, as asLine reads it. It is asked from one goroutine.
func (e *Engine) Suggest(k ink.Ink, traced bool, asLine *line.Result) string {
	left, top, right, bottom, _ := k.Bounds()
	broad := right-left > wide*(bottom-top)
	several := len(asLine.Characters) > 1
	if several && broad {
		return ""
	}
	letters := models.Named("characters")
	a, ok := e.ask(letters, k, traced)
	switch {
	case ok && !a.Unknown:
		if e.offers(a) {
			return letters
		}
	case ok && !broad && !(several && asLine.Confidence > sure):
		chinese := models.Named("chinese")
		if a, ok := e.ask(chinese, k, traced); ok && a.OutOfDistribution <= nearest && e.offers(a) {
			return chinese
		}
	}
	return ""
}

// offers tells whether an answer of another model is allowed, and the model in use has neither it nor one that looks alike.
func (e *Engine) offers(a recognizer.Answer) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	best := a.Candidates[0].Label
	alike := func(label string) bool { return dataset.LookAlike(label, best) }
	return (e.allowed == nil || e.allowed(best)) && e.model != nil && e.model.Class(best) < 0 && !slices.ContainsFunc(e.model.Labels, alike)
}

// ask has another model answer, on the processor.
func (e *Engine) ask(name string, k ink.Ink, traced bool) (recognizer.Answer, bool) {
	rec := e.others[name]
	if rec == nil {
		var err error
		if rec, err = e.onCPU(name, nil); err != nil {
			return recognizer.Answer{}, false
		}
		e.others[name] = rec
	}
	recognize := rec.Recognize
	if traced {
		recognize = rec.RecognizeTraced
	}
	a, err := recognize(k)
	return a, err == nil
}
