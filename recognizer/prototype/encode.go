package prototype

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"inkshade/glcompute/message"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
)

// Keys of the model's metadata.
const (
	keyCalibration = "calibration" // a JSON object, see header
	keyPrototypes  = "prototypes"  // base64 of gzip of bytes, see Store
	keyDetector    = "detector"    // a JSON object, see packed; missing in older files
)

// header is what is readable of a set. A prototype's value is its byte times the step.
type header struct {
	Temperature float64 `json:"temperature"`
	Limit       float64 `json:"novelty_limit"`
	Pictures    float64 `json:"picture_limit,omitempty"`
	InputStep   float32 `json:"input_step"`
	ShapeStep   float32 `json:"shape_step"`
	Inputs      []int   `json:"inputs"` // how many of each class
	Shapes      []int   `json:"shapes"` // how many of each class; nil when they are the beginning of the inputs

	GradientSpread []float64 `json:"gradient_spread,omitempty"`
	PenSpread      []float64 `json:"pen_spread,omitempty"`
}

// Store writes the set into the metadata of a model: numbers as JSON under "calibration",
// the prototypes under "prototypes", a byte for each value, the inputs of all classes and
// then the shapes, compressed, and the detector under "detector". Other programs that run ONNX files ignore them.
func (s *Set) Store(m *nn.Model) error {
	h := header{Temperature: s.Temperature, Limit: s.Limit, Pictures: s.PictureLimit, InputStep: step(s.Inputs), GradientSpread: s.Spread.Gradient, PenSpread: s.Spread.Pen}
	var raw []byte
	raw, h.Inputs = quantise(raw, s.Inputs, h.InputStep)
	in, err := feature.ByName(m.Preprocessing)
	if err != nil {
		return err
	}
	if !in.Edges {
		h.ShapeStep = step(s.Shapes)
		raw, h.Shapes = quantise(raw, s.Shapes, h.ShapeStep)
	}
	text, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("the calibration cannot be written: %w", err)
	}
	var detector []byte
	if s.Detector != nil {
		if detector, err = json.Marshal(s.Detector.encode()); err != nil {
			return fmt.Errorf("the detector of the unknown cannot be written: %w", err)
		}
	}
	prototypes, err := pack(func(w io.Writer) error { _, err := w.Write(raw); return err })
	m.Note(map[string]string{keyCalibration: string(text), keyPrototypes: prototypes, keyDetector: string(detector)})
	return err
}

// pack compresses what is written, as text.
func pack(write func(io.Writer) error) (string, error) {
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	err := errors.Join(write(z), z.Close())
	return base64.StdEncoding.EncodeToString(packed.Bytes()), err
}

func step(classes [][][]float32) float32 {
	most := float32(0)
	for _, c := range classes {
		for _, x := range c {
			most = max(most, slices.Max(x))
		}
	}
	return most / 255
}

// quantise appends a byte for each value: features are never below zero.
func quantise(raw []byte, classes [][][]float32, step float32) ([]byte, []int) {
	counts := make([]int, len(classes))
	for i, c := range classes {
		counts[i] = len(c)
		for _, x := range c {
			for _, v := range x {
				raw = append(raw, uint8(math.Round(float64(v/max(step, 1e-9)))))
			}
		}
	}
	return raw, counts
}

var errDamaged = message.Errorf("the model's prototypes are damaged; get the model file again")

// Of reads the set that a model keeps, which Store wrote; nil when it keeps none. A file may come from anywhere, so sizes are
// checked before anything is made.
func Of(m *nn.Model) (*Set, error) {
	if m.Metadata[keyCalibration] == "" || m.Metadata[keyPrototypes] == "" {
		return nil, nil
	}
	in, err := feature.ByName(m.Preprocessing)
	if err != nil {
		return nil, err
	}
	var h header
	if err := json.Unmarshal([]byte(m.Metadata[keyCalibration]), &h); err != nil {
		return nil, fmt.Errorf("%w (%v)", errDamaged, err)
	}
	positive := func(all ...float64) bool {
		return !slices.ContainsFunc(all, func(v float64) bool { return !(v > 0) || math.IsInf(v, 0) })
	}
	classes, spreads := len(h.Inputs), slices.Concat(h.GradientSpread, h.PenSpread)
	if !positive(h.Temperature, h.Limit) || h.Pictures != 0 && (!positive(h.Pictures) || in.Pen == 0) ||
		classes > len(m.Labels) || !in.Edges && len(h.Shapes) != classes ||
		spreads != nil && (len(h.GradientSpread) != classes || len(h.PenSpread) != classes || in.Pen == 0 || !positive(spreads...)) {
		return nil, errDamaged
	}
	want := 0
	for _, list := range []struct {
		counts []int
		size   int
	}{{h.Inputs, in.Size}, {h.Shapes, feature.GradientSize}} {
		for _, n := range list.counts {
			if n < 0 || n > onnx.MaxBytes/list.size {
				return nil, errDamaged
			}
			want += n * list.size
		}
	}
	if want > onnx.MaxBytes {
		return nil, errDamaged
	}
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(m.Metadata[keyPrototypes])))
	if err != nil {
		return nil, fmt.Errorf("%w (%v)", errDamaged, err)
	}
	raw, err := io.ReadAll(io.LimitReader(z, int64(want)+1))
	if err != nil || len(raw) != want {
		return nil, errDamaged
	}
	s := &Set{Temperature: h.Temperature, Limit: h.Limit, PictureLimit: h.Pictures, Spread: Spread{Gradient: h.GradientSpread, Pen: h.PenSpread}}
	if text := m.Metadata[keyDetector]; text != "" {
		var p packed
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			return nil, fmt.Errorf("%w (%v)", errDamaged, err)
		}
		if s.Detector, err = p.decode(in, len(m.Labels)); err != nil {
			return nil, err
		}
	}
	s.Inputs, raw = restore(raw, h.Inputs, in.Size, h.InputStep)
	if !in.Edges {
		s.Shapes, _ = restore(raw, h.Shapes, feature.GradientSize, h.ShapeStep)
		return s, nil
	}
	for _, c := range s.Inputs {
		s.Shapes = append(s.Shapes, ShapesOf(c))
	}
	return s, nil
}

func restore(raw []byte, counts []int, size int, step float32) ([][][]float32, []byte) {
	classes := make([][][]float32, len(counts))
	for i, n := range counts {
		for range n {
			x := make([]float32, size)
			for j := range x {
				x[j] = float32(raw[j]) * step
			}
			raw = raw[size:]
			classes[i] = append(classes[i], x)
		}
	}
	return classes, raw
}

const keyLetters = "letters"

// Letters are the mean forms of characters that a model which reads lines keeps of the samples it was trained with, the most
// frequent ones of each character first; none where it keeps none.
func Letters(m *nn.Model) ([]ink.Labelled, error) {
	text := m.Metadata[keyLetters]
	if text == "" {
		return nil, nil
	}
	letters, err := ink.Read(base64.NewDecoder(base64.StdEncoding, strings.NewReader(text)))
	if err != nil {
		return nil, message.Errorf("the letters that the model keeps cannot be read: %w", err)
	}
	return letters, nil
}

// StoreLetters writes what Letters reads into the metadata of a model.
func StoreLetters(m *nn.Model, letters []ink.Labelled) error {
	text, err := pack(func(w io.Writer) error { return ink.WriteJSONLines(w, letters) })
	m.Note(map[string]string{keyLetters: text})
	return err
}
