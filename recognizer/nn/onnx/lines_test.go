package onnx

import (
	"bytes"
	"reflect"
	"testing"

	"inkshade/recognizer/nn"
)

// A network that reads lines is the same after it was written and read, whatever width it was declared with.
func TestLinesReadBack(t *testing.T) {
	a, err := nn.LoadArchitecture("words")
	if err != nil {
		t.Fatal(err)
	}
	net, err := a.Network(nn.Vector(0), 3)
	if err != nil {
		t.Fatal(err)
	}
	if err := net.Initialise(1); err != nil {
		t.Fatal(err)
	}
	m := &nn.Model{Network: net, Labels: []string{"a", "b", "c"}, Preprocessing: nn.LineMaps, Metadata: map[string]string{"name": "words"}}
	var file bytes.Buffer
	if err := Write(&file, m); err != nil {
		t.Fatal(err)
	}
	again, err := Read(t.Context(), bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again, m) {
		t.Errorf("read back it is\n%v\nwant\n%v", again.Network.Describe(), m.Network.Describe())
	}
	if wide, err := again.Network.Wide(12); err != nil || wide.Columns() != 12 {
		t.Errorf("for 12 columns: %v", err)
	}
}
