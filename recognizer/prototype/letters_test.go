package prototype

import (
	"reflect"
	"testing"

	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// Letters come back as they were kept; a model without any has none, and damaged ones are refused.
func TestLetters(t *testing.T) {
	m := &nn.Model{}
	if letters, err := Letters(m); err != nil || letters != nil {
		t.Errorf("of a model without: %v, %v", letters, err)
	}
	want := []ink.Labelled{{Label: "a", Ink: ink.Ink{{{X: 1, Y: -2}, {X: 3, Y: 4}}}}, {Label: "é", Ink: ink.Ink{{{X: 5, Y: 6}}}}}
	if err := StoreLetters(m, want); err != nil {
		t.Fatal(err)
	}
	if letters, err := Letters(m); err != nil || !reflect.DeepEqual(letters, want) {
		t.Errorf("got %v, %v", letters, err)
	}
	m.Metadata[keyLetters] = m.Metadata[keyLetters][:20]
	if letters, err := Letters(m); err == nil {
		t.Errorf("of damaged ones: %v", letters)
	}
}
