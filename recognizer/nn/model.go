package nn

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"inkshade/glcompute/message"
	"inkshade/recognizer/ink"
)

// MNIST28 names the preprocessing of MNIST: 28x28 grey values, the longer side of the
// ink fitted into 20x20, centred by mass.
const MNIST28 = "mnist28"

// LineMaps names the preprocessing of networks that read lines: maps of the pen's movement along a line, as wide as
// that is long (feature.LineMaps).
const LineMaps = "line"

// InputShape is that of what a preprocessing makes: a picture of MNIST28, else a vector.
func InputShape(preprocessing string, size int) Shape {
	if preprocessing == MNIST28 {
		return Shape{28, 28, 1}
	}
	return Vector(size)
}

// Model is a network with the meaning of its inputs and outputs.
type Model struct {
	Network       Network
	Labels        []string          // one for each class, in the order of the logits
	Preprocessing string            // how ink becomes the network's input, e.g. MNIST28
	Metadata      map[string]string // provenance: data, command, date, errors
	Outputs       []string          // of the file it was read from, where these are several
}

// OfOutputs says with what is wrong of a model that another output of its file may be the right one.
func (m *Model) OfOutputs(err error) error {
	if err == nil || len(m.Outputs) == 0 {
		return err
	}
	return message.Errorf("%w; of its outputs %s the first that is a row of values was taken: if these are no classes, export the model with the output that is", err, strings.Join(m.Outputs, ", "))
}

// Clone copies the model with its parameters.
func (m *Model) Clone() *Model {
	return &Model{
		Network:       m.Network.Clone(),
		Labels:        slices.Clone(m.Labels),
		Preprocessing: m.Preprocessing,
		Metadata:      maps.Clone(m.Metadata),
		Outputs:       m.Outputs,
	}
}

// Note writes entries into the metadata, and takes out those that are empty.
func (m *Model) Note(entries map[string]string) {
	if m.Metadata == nil {
		m.Metadata = map[string]string{}
	}
	for k, v := range entries {
		if m.Metadata[k] = v; v == "" {
			delete(m.Metadata, k)
		}
	}
}

// Check reports the first thing that makes the model unusable: see Network.Check,
// inputs that do not fit MNIST28, and labels that are missing, empty or given twice.
func (m *Model) Check() error {
	if err := m.Network.Check(); err != nil {
		return err
	}
	lines, width, columns, classes := m.Preprocessing == LineMaps, m.Network.Width(), m.Network.Columns(), m.Network.Classes()
	if lines {
		classes-- // the blank has none
	}
	if err := cmp.Or(
		wrong(m.Preprocessing == MNIST28 && width != 28*28, "the preprocessing %s makes 784 inputs, the network takes %d", MNIST28, width),
		wrong(columns != 1 && !lines, "the result of the network has %d columns; the last layer must give a vector of logits", columns),
		wrong(len(m.Labels) != classes, "the model needs a label for each of its %d classes, not %d", classes, len(m.Labels)),
	); err != nil {
		return err
	}
	seen := make(map[string]bool, len(m.Labels))
	for i, l := range m.Labels {
		if err := cmp.Or(
			wrong(l == "", "the label of class %d is empty", i),
			wrong(len(l) > ink.MaxLabel, "the label of class %d has %d bytes, more than %d", i, len(l), ink.MaxLabel),
			wrong(seen[l], "the label %s is given twice", strconv.Quote(l)),
		); err != nil {
			return err
		}
		seen[l] = true
	}
	return nil
}

// Class gives the index of a label, or -1.
func (m *Model) Class(label string) int { return slices.Index(m.Labels, label) }

// WithClasses copies the model and appends classes for those labels that it does not
// have yet. A new class starts with small seeded random weights and the mean bias, so
// that it neither wins nor loses everywhere before it is trained.
func (m *Model) WithClasses(labels []string, seed int64) (*Model, error) {
	out := m.Clone()
	for _, l := range labels {
		if l == "" {
			return nil, message.Errorf("a class needs a label that is not empty")
		}
		if out.Class(l) < 0 {
			out.Labels = append(out.Labels, l)
		}
	}
	net := out.Network
	before, after := net.Classes(), len(out.Labels)
	if before == after {
		return out, nil
	}
	last := &net.Layers[len(net.Layers)-1]
	kind, ok := last.Kind.(extensible)
	if !ok {
		return nil, message.Errorf("classes cannot be added to a network that ends in %s", last.Kind)
	}
	last.Kind = kind.withClasses(after)
	rng := rand.New(rand.NewPCG(uint64(seed), uint64(before)))
	for i, info := range last.Parameters(net.mustShapes()) {
		wide := info.values(rng)
		for r := range info.Rows {
			row := last.Values[i][r*before : (r+1)*before]
			copy(wide[r*after:], row)
			if info.Initial == nil {
				mean := float32(0)
				for _, v := range row {
					mean += v / float32(len(row))
				}
				copy(wide[r*after+before:], slices.Repeat([]float32{mean}, after-before))
			}
		}
		last.Values[i] = wide
	}
	return out, nil
}

// WithValuesOf is the network of m with the values of other where that has them: in all layers,
// and in the last one for the classes that both have. Where the layers are not alike it is the
// network of m as it is.
func (m *Model) WithValuesOf(other *Model) Network {
	net := m.Network.Clone()
	if !net.Alike(other.Network) {
		return net
	}
	last := len(net.Layers) - 1
	for i, l := range other.Network.Layers[:last] {
		net.Layers[i].Values = l.Clone().Values
	}
	to, from := len(m.Labels), len(other.Labels)
	for k, values := range other.Network.Layers[last].Values {
		for c, label := range other.Labels {
			at := m.Class(label)
			for r := 0; at >= 0 && r < len(values)/from; r++ {
				net.Layers[last].Values[k][r*to+at] = values[r*from+c]
			}
		}
	}
	return net
}

// Sets of labels that models are trained on.
const (
	Digits   = "0123456789"
	Capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	Small    = "abcdefghijklmnopqrstuvwxyz"
	Signs    = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
)

// usual are the labels of the sets that most models are trained on: those of MNIST and of EMNIST
// (Cohen et al. 2017). Of 27 classes the first one stands for nothing: EMNIST counts its letters
// from 1.
var usual = map[int][]string{
	10: strings.Split(Digits, ""),
	26: strings.Split(Capitals, ""),
	27: append([]string{"∅"}, strings.Split(Capitals, "")...),
	36: strings.Split(Digits+Capitals, ""),
	47: strings.Split(Digits+Capitals+"abdefghnqrt", ""),
	62: strings.Split(Digits+Capitals+Small, ""),
}

// UsualLabels gives the labels of so many classes where nothing says what they are: the usual
// ones, or numbers.
func UsualLabels(classes int) []string {
	labels := slices.Clone(usual[classes])
	for i := len(labels); i < classes; i++ {
		labels = append(labels, strconv.Itoa(i))
	}
	return labels
}
