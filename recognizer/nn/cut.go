package nn

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Cut divides the network before layer number k: lower has the layers before it and gives what
// upper takes. ok is false where the layers from k on read something else too. Both share
// their values with n. A cut at 0 leaves everything to upper.
func (n Network) Cut(k int) (lower, upper Network, ok bool) {
	if k == 0 {
		return Network{}, n, true
	}
	first := len(n.Inputs) + k - 1 // the one value that may cross
	upper.Inputs = []Input{{Shape: n.mustShapes()[first]}}
	for _, l := range n.Layers[k:] {
		l.From = slices.Clone(l.From)
		for i := range l.From {
			if l.From[i] -= first; l.From[i] < 0 {
				return lower, upper, false
			}
		}
		upper.Layers = append(upper.Layers, l)
	}
	return Network{Inputs: n.Inputs, Layers: n.Layers[:k]}, upper, true
}

// Embedding is the model without its last layer, made ready for use: it gives the values by which the model tells its classes
// apart, numbered from 1 as its labels. The last layer must read one value.
func (m *Model) Embedding() *Model {
	last := len(m.Network.Layers) - 1
	net := Network{Inputs: m.Network.Inputs, Layers: m.Network.Layers[:last]}.Folded()
	e := &Model{Network: net, Preprocessing: m.Preprocessing, Metadata: maps.Clone(m.Metadata)}
	for i := range net.Classes() {
		e.Labels = append(e.Labels, strconv.Itoa(i+1))
	}
	e.Note(map[string]string{keyEmbedding: "true"})
	return e
}

// CheckEmbedding reports why the network without its last layer is none that files hold; it needs no values yet.
func (n Network) CheckEmbedding() error {
	n.Layers = n.Layers[:len(n.Layers)-1]
	shapes, err := n.Shapes()
	if err != nil {
		return err
	}
	return n.checkEnd(shapes[len(shapes)-1])
}

// keyEmbedding is that of the metadata of an embedding; earlier ones name only the command that made them.
const keyEmbedding = "embedding"

// Compares tells whether the model is an embedding, which answers nothing.
func (m *Model) Compares() bool {
	return m.Metadata[keyEmbedding] != "" || strings.Contains(m.Metadata["command"], " --embedding ")
}

// PutValues replaces the values of the layers from number k on by those of upper, a network that
// a cut there gave.
func (n Network) PutValues(k int, upper Network) {
	for i, l := range upper.Layers {
		n.Layers[k+i].Values = l.Values
	}
}

// Alike reports whether both have the same layers, but for what the last one gives.
func (n Network) Alike(other Network) bool {
	if !slices.Equal(n.Inputs, other.Inputs) || len(n.Layers) != len(other.Layers) {
		return false
	}
	last := len(n.Layers) - 1
	for i, l := range n.Layers {
		o := other.Layers[i]
		if !slices.Equal(l.From, o.From) || i < last && !reflect.DeepEqual(l.Kind, o.Kind) {
			return false
		}
	}
	return true
}
