package device

import (
	"testing"

	"inkshade/glcompute"
	"inkshade/recognizer/ink"
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
		return nntest.Lines(), nil, nil
	}
	open := r.open
	r.open = func(kind glcompute.DeviceKind) (glcompute.Device, error) {
		if kind != glcompute.CPU && r.words == nil {
			t.Error("words wait for the GPU")
		}
		return open(kind)
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
	if by(line.Options{}) != GPU || r.last().Words {
		t.Error("a line of digits is read by what does not know all of them")
	}
	if err := r.Use("letters", labelled(t, "a", "b")); err != nil {
		t.Fatal(err)
	}
	if by(line.Options{}) != CPU || by(line.Options{Separate: true}) != GPU || !r.last().Words {
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

// What reads words changes at once, and what was asked for early is not overtaken by what ships.
func TestAnotherModelReadsWords(t *testing.T) {
	r := newRig(t, glcompute.CPU)
	r.wordsName = "lines"
	load := r.load
	r.load = func(name string) (*nn.Model, *inputformat.Inferred, error) {
		if name != r.wordsName {
			return load(name)
		}
		return nntest.Lines(), nil, nil
	}
	mine := nntest.Lines()
	if err := r.UseWords(mine); err != nil {
		t.Fatal(err)
	}
	r.prepare()
	if r.words.Model() != mine {
		t.Error("the model that ships came later and reads words")
	}
	broken := *mine
	broken.Labels = broken.Labels[1:]
	if err := r.UseWords(&broken); err == nil || r.words.Model() != mine {
		t.Errorf("a model that does not fit: %v", err)
	}
	if err := r.UseWords(nil); err != nil || r.words.Model() == mine {
		t.Errorf("the shipped one again: %v", err)
	}
}

// A drawing that the model in use does not know is for the model of characters or that of Chinese, where one of them does.
func TestAnotherModelIsSuggested(t *testing.T) {
	r := newRig(t, glcompute.CPU)
	r.prepare()
	stroke := func(at ...float64) (s ink.Stroke) {
		for i := 0; i < len(at); i += 2 {
			for share := range 10 {
				to, f := min(i+2, len(at)-2), float64(share)/10
				s = append(s, ink.Point{X: at[i] + f*(at[to]-at[i]), Y: at[i+1] + f*(at[to+1]-at[i+1])})
			}
		}
		return s
	}
	letter := ink.Ink{stroke(0, 100, 40, 0, 80, 100), stroke(15, 65, 65, 65)}
	country := ink.Ink{
		stroke(10, 5, 10, 95), stroke(10, 5, 90, 5, 90, 95), stroke(28, 28, 72, 28), stroke(30, 50, 70, 50), stroke(50, 28, 50, 75), stroke(25, 75, 75, 75),
		stroke(60, 57, 68, 66), stroke(10, 95, 90, 95),
	}
	digit := ink.Ink{stroke(40, 0, 40, 100)}
	cut := func(n int, confidence float64) *line.Result {
		return &line.Result{Characters: make([]line.Character, n), Confidence: confidence}
	}
	for _, c := range []struct {
		name       string
		ink        ink.Ink
		characters int
		want       string
	}{{"A", letter, 1, "characters-cnn"}, {"A in two parts", letter, 2, "characters-cnn"}, {"国", country, 3, "chinese-cnn"}, {"1", digit, 1, ""}} {
		if got := r.Suggest(c.ink, false, cut(c.characters, 0.5)); got != c.want {
			t.Errorf("%s: %q is suggested", c.name, got)
		}
	}
	broad := append(ink.Ink{}, country...)
	for _, s := range country {
		moved := append(ink.Stroke{}, s...)
		for i := range moved {
			moved[i].X += 130
		}
		broad = append(broad, moved)
	}
	if got := r.Suggest(broad, false, cut(2, 0.5)); got != "" {
		t.Errorf("two characters are for %s", got)
	}
	if got := r.Suggest(country, false, cut(2, 0.95)); got != "" {
		t.Errorf("what is surely two characters is for %s", got)
	}
	if err := r.Restrict(func(l string) bool { return l == "1" }); err != nil {
		t.Fatal(err)
	}
	if got := r.Suggest(letter, false, cut(1, 0.5)); got != "" {
		t.Errorf("a letter is for %s though only a digit may be answered", got)
	}
}
