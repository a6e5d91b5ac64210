// Package recognizer answers what a drawing stands for: ink becomes an image, the image a
// vector, and a network on a device of glcompute gives ranked candidates.
package recognizer

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"inkshade/glcompute"
	"inkshade/glcompute/clock"
	"inkshade/glcompute/message"
	"inkshade/models"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/inputformat"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/prototype"
)

// Recognizer is a model made ready on a device. It may be used by several goroutines.
type Recognizer struct {
	model    *nn.Model
	dev      glcompute.Device
	features feature.Extractor
	seen     *prototype.Set // nil where the model keeps nothing of what it has seen

	mu        sync.Mutex // held while the device works
	inference *nn.Inference
	allowed   []bool                 // by class of the model; nil when all may be answered
	chosen    []string               // the labels that may be answered; nil when all may be
	memory    Memory                 // nil for none
	foreign   func() map[string]bool // labels of Chinese and LaTeX, without those of the model
	closed    bool
}

// New makes a model ready on a device, so that the first answer is as fast as the tenth.
// The device stays the caller's, who closes it after the recognizer. A model whose
// preprocessing is unknown or does not fit its network is an error.
func New(m *nn.Model, dev glcompute.Device) (*Recognizer, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	if m.Preprocessing == nn.LineMaps {
		inference, err := nn.NewInference(dev, m.Network)
		return &Recognizer{model: m, dev: dev, inference: inference}, err
	}
	features, err := feature.ByName(m.Preprocessing)
	if err != nil {
		return nil, message.Errorf("the input of the model is not understood: %w", err)
	}
	if features.Size != m.Network.Width() {
		return nil, message.Errorf("the model takes %d values, its preprocessing %s makes %d",
			m.Network.Width(), m.Preprocessing, features.Size)
	}
	seen, err := prototype.Of(m)
	if err != nil {
		return nil, err
	}
	inference, err := nn.NewInference(dev, m.Network)
	if err != nil {
		return nil, err
	}
	// Once on blank paper: drivers finish shaders only when they are first used.
	paper := ink.Image{Width: ink.Side, Height: ink.Side, Pix: make([]float32, ink.Side*ink.Side)}
	if err := inference.Each([][]float32{features.Looks(paper, nil)}, func(int, []float32) {}); err != nil {
		inference.Close()
		return nil, err
	}
	foreign := sync.OnceValue(func() map[string]bool {
		labels := maps.Clone(labelsApart())
		for _, l := range m.Labels {
			delete(labels, l)
		}
		return labels
	})
	return &Recognizer{model: m, dev: dev, features: features, seen: seen, inference: inference, foreign: foreign}, nil
}

// labelsApart are those of Chinese characters and LaTeX, which have no place among letters and digits. ASCII has one.
var labelsApart = sync.OnceValue(func() map[string]bool {
	labels := map[string]bool{}
	for _, name := range []string{"chinese", "symbols"} {
		if m, err := LoadModel(name); err == nil {
			for _, l := range m.Labels {
				labels[l] = len(l) > 1
			}
		}
	}
	return labels
})

// Model gives the model, which must not be changed.
func (r *Recognizer) Model() *nn.Model { return r.model }

// Device gives the device.
func (r *Recognizer) Device() glcompute.Device { return r.dev }

// Answering describes what answered the last of so many drawings at once.
func (r *Recognizer) Answering(drawings int) glcompute.Info {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.inference.Info(drawings)
}

// SetClasses restricts the answers to these labels; nil allows all. Labels that neither the
// model nor the memory has, or an empty list, are an error that changes nothing.
func (r *Recognizer) SetClasses(labels []string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var allowed []bool
	if labels != nil {
		if len(labels) == 0 {
			return message.Errorf("no class may be answered; allow at least one")
		}
		allowed = make([]bool, len(r.model.Labels))
		for _, l := range labels {
			if r.model.Class(l) < 0 && (r.memory == nil || !slices.Contains(r.memory.Labels(), l)) {
				return message.Errorf("the model has no class %q", l)
			}
			if i := r.model.Class(l); i >= 0 {
				allowed[i] = true
			}
		}
	}
	r.allowed, r.chosen = allowed, slices.Clone(labels)
	return nil
}

// Recognize answers what the ink stands for. Ink without a point is ink.ErrEmpty.
func (r *Recognizer) Recognize(k ink.Ink) (Answer, error) { return r.one(k, k) }

// RecognizeTraced is Recognize for strokes that were traced in a picture: nobody's pen moved along them, and the network
// sees what they look like alone.
func (r *Recognizer) RecognizeTraced(k ink.Ink) (Answer, error) { return r.one(k, nil) }

func (r *Recognizer) one(k, pen ink.Ink) (Answer, error) {
	begin := clock.Now()
	img, err := ink.Rasterize(k)
	if err != nil {
		return Answer{}, err
	}
	answers, err := r.recognize([]ink.Image{img}, []ink.Ink{pen}, []ink.Ink{k}, false, clock.Since(begin))
	if err != nil {
		return Answer{}, err
	}
	return answers[0], nil
}

// RecognizeMany answers for many drawings at once, each given by its strokes or, where those are nil, by its picture, which is
// normalised. An error names the drawing by number.
func (r *Recognizer) RecognizeMany(inks []ink.Ink, pictures []ink.Image) ([]Answer, error) {
	return r.many(inks, pictures, false)
}

func (r *Recognizer) many(inks []ink.Ink, pictures []ink.Image, inLine bool) ([]Answer, error) {
	begin := clock.Now()
	images := make([]ink.Image, len(inks))
	for i, k := range inks {
		var err error
		if k != nil || pictures == nil {
			images[i], err = ink.Rasterize(k)
		} else {
			images[i], err = ink.Normalize(pictures[i])
		}
		if err != nil {
			return nil, message.Errorf("drawing %d: %w", i+1, err)
		}
	}
	return r.recognize(images, inks, inks, inLine, clock.Since(begin))
}

// recognize answers for 28x28 images, the strokes that the network sees and those that are remembered (nil for pictures);
// preparing is the time already spent on them. The times of each answer are its share of
// those of all.
func (r *Recognizer) recognize(images []ink.Image, pens, inks []ink.Ink, inLine bool, preparing time.Duration) ([]Answer, error) {
	switch {
	case len(images) == 0:
		return nil, nil
	case r.ReadsLines():
		return nil, errReadsLines
	}
	begin := clock.Now()
	rows, seen := make([][]float32, len(images)), make([]ink.Image, len(images))
	for i, img := range images {
		seen[i], rows[i] = r.features.See(img, pens[i])
	}
	preparing += clock.Since(begin)

	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, errClosed
	}
	answers := make([]Answer, len(images))
	broken := -1
	begin = clock.Now()
	err := r.inference.Each(rows, func(i int, logits []float32) {
		if !finite(logits) {
			broken = i
			return
		}
		var features []float32
		if r.seen != nil {
			features = r.features.Compared(rows[i], images[i].Pix)
		}
		answers[i] = AnswerOf(r.model.Labels, logits, features, r.seen, r.allowed)
		answers[i].Image, answers[i].Seen = images[i], seen[i]
	})
	if err == nil && broken >= 0 {
		err = message.Errorf("the model gives no numbers for sample %d; use another device or another model", broken+1)
	}
	if err != nil {
		return nil, err
	}
	answers = r.remember(answers, inks, inLine)
	computing := clock.Since(begin)
	for i := range answers {
		answers[i].Timing = Timing{
			Preprocess: preparing / time.Duration(len(images)),
			Compute:    computing / time.Duration(len(images)),
		}
	}
	return answers, nil
}

var (
	errClosed     = message.Errorf("the recognizer is closed")
	errReadsLines = message.Errorf("the model reads lines of writing, not single characters; choose another for these")
)

// finite tells whether none of the values is NaN or infinite, as of a working device.
func finite(values []float32) bool {
	return !slices.ContainsFunc(values, func(v float32) bool { return v-v != 0 })
}

// Close frees what the recognizer holds on its device, which stays open.
func (r *Recognizer) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil
	}
	r.closed = true
	return r.inference.Close()
}

// Memory changes the network's answers by what it remembers, such as a person's own
// drawings. It must be safe for use by several goroutines.
type Memory interface {
	// Adjust gives the answers to drawings (nil for a picture) in the light of what is
	// remembered. It leaves the Candidates of those it is given as they are and may add classes that the model
	// does not have; of those only the allowed ones, where allowed is not nil.
	Adjust(answers []Answer, inks []ink.Ink, allowed func(label string) bool) []Answer
	// Labels lists the classes that it remembers.
	Labels() []string
	// Person is what it remembers of lines.
	Person() line.Person
}

// SetMemory puts a memory beside the network, in place of the one before; nil for none. It
// takes effect with the next answer.
func (r *Recognizer) SetMemory(m Memory) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.memory = m
}

// remember lets the memory change the answers; the caller holds the lock. In a line, whose groups of strokes may look like much, Chinese
// characters and LaTeX that the model does not have stay out unless they were chosen.
func (r *Recognizer) remember(answers []Answer, inks []ink.Ink, inLine bool) []Answer {
	if r.memory == nil {
		return answers
	}
	var allowed func(string) bool
	if chosen := r.chosen; chosen != nil {
		allowed = func(label string) bool { return slices.Contains(chosen, label) }
	} else if inLine {
		allowed = func(label string) bool { return !r.foreign()[label] }
	}
	return r.memory.Adjust(answers, inks, allowed)
}

// LoadModel opens a model that ships with Inkshade by its name or by that of its kind, or any other
// by the path of its ONNX file; see OpenModel.
func LoadModel(nameOrPath string) (*nn.Model, error) {
	m, _, err := OpenModel(context.Background(), nameOrPath, inputformat.Format{})
	return m, err
}

// OpenModel opens a model, with what a person states of its input format. What is not stated comes from
// the file's metadata, from a file beside it (inputformat.Format.Beside), or else is inferred; the
// second result is nil where nothing had to be. The opening ends with ctx, whose cause is then the error.
func OpenModel(ctx context.Context, nameOrPath string, f inputformat.Format) (*nn.Model, *inputformat.Inferred, error) {
	m, f, err := readModel(ctx, nameOrPath, f)
	var inferred *inputformat.Inferred
	if err == nil && m.Compares() {
		err = message.Errorf("it gives values for comparing drawings, not labels; choose another")
	}
	if err == nil {
		inferred, err = inputformat.Apply(ctx, m, f)
		err = m.OfOutputs(err)
	}
	if err != nil {
		return nil, nil, message.Errorf("the model %s: %w", files.Shown(nameOrPath), err)
	}
	return m, inferred, nil
}

// readModel reads the file of a model and what lies beside it.
func readModel(ctx context.Context, nameOrPath string, f inputformat.Format) (*nn.Model, inputformat.Format, error) {
	if models.Ships(nameOrPath) {
		data, err := models.Open(models.Named(nameOrPath))
		if err != nil {
			return nil, f, err
		}
		m, err := onnx.Read(ctx, bytes.NewReader(data))
		return m, f, err
	}
	st, err := os.Stat(nameOrPath)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, f, message.Errorf("there is no model of that name and no such file; models that ship with Inkshade: %s", strings.Join(models.All(), ", "))
	case err == nil && st.IsDir():
		return nil, f, message.Errorf("that is a folder; name an ONNX file or a model that ships with Inkshade: %s", strings.Join(models.All(), ", "))
	case err == nil && !st.Mode().IsRegular():
		return nil, f, message.Errorf("that is no file but a pipe or a device; name an ONNX file")
	}
	if f, err = f.Beside(nameOrPath); err != nil {
		return nil, f, err
	}
	m, err := onnx.ReadFile(ctx, nameOrPath, f.Layout)
	return m, f, err
}
