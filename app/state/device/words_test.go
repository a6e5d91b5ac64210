package device

import (
	"testing"

	"inkshade/glcompute"
	"inkshade/recognizer/inputformat"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/nntest"
)

// Whole words are read by the model for them on the processor, unless the model in use knows characters that this does not.
func TestWholeWords(t *testing.T) {
	r := newRig(t, glcompute.Auto)
	r.wordsName = "lines"
	load := r.load
	r.load = func(name string) (*nn.Model, *inputformat.Inferred, error) {
		if name != r.wordsName {
			return load(name)
		}
		return nntest.Lines(t), nil, nil
	}
	r.prepare()
	by := func(o line.Options) Side {
		t.Helper()
		got, by, err := r.RecognizeLine(t.Context(), drawing, o)
		if err != nil || len(got.Characters) == 0 {
			t.Fatalf("%+v, %v", got, err)
		}
		return by
	}
	if by(line.Options{}) != GPU {
		t.Error("a line of digits is read by what does not know all of them")
	}
	if err := r.Use("letters", labelled(t, "a", "b")); err != nil {
		t.Fatal(err)
	}
	if by(line.Options{}) != CPU || by(line.Options{Separate: true}) != GPU {
		t.Error("a line of letters is not read whole, or not cut where that is asked for")
	}
	if _, err := r.MeasureLine(t.Context(), drawing, line.Options{}, CPU); err != nil {
		t.Error(err)
	}
	if _, err := r.MeasureLine(t.Context(), drawing, line.Options{}, GPU); err == nil {
		t.Error("words were timed on the GPU")
	}
	for label, want := range map[string]Side{"a": CPU, "": CPU} {
		var allowed func(string) bool
		if label != "" {
			allowed = func(l string) bool { return l == label }
		}
		if err := r.Restrict(allowed); err != nil {
			t.Fatal(err)
		}
		got, by, err := r.RecognizeLine(t.Context(), drawing, line.Options{})
		if err != nil || by != want || label != "" && got.Characters[0].Label != label {
			t.Errorf("restricted to %q: %+v by the %s, %v", label, got, by, err)
		}
	}
}
