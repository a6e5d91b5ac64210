package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/train"
)

// lineFile writes lines composed of the sample characters, in one of the formats.
func lineFile(t *testing.T, write func(f *os.File, samples []ink.Labelled) error, texts ...string) string {
	t.Helper()
	all, _, err := dataset.Read(t.Context(), "../../recognizer/testdata/characters.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var lines []ink.Labelled
	for _, text := range texts {
		l := ink.Labelled{Label: text, Attributes: map[string]string{"style": "PRINTED"}}
		right := 0.0
		for _, c := range text {
			of := all[slices.IndexFunc(all, func(s dataset.Sample) bool { return s.Label == string(c) })].Ink
			x0, y0, x1, y1, _ := of.Bounds()
			for _, stroke := range of {
				stroke = slices.Clone(stroke)
				for i := range stroke {
					stroke[i].X, stroke[i].Y = right+stroke[i].X-x0, stroke[i].Y-y1
				}
				l.Ink = append(l.Ink, stroke)
			}
			right += x1 - x0 + 0.25*(y1-y0)
		}
		lines = append(lines, l)
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "lines"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := write(f, lines); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

// Of a whole page no reading is sure, and of a sign that is none many are.
func TestPagesAreReadTraced(t *testing.T) {
	of := func(text string, confidence float64) *line.Result {
		return &line.Result{Text: text, Confidence: confidence, Characters: make([]line.Character, len(text))}
	}
	for _, x := range []struct {
		traced, cut *line.Result
		want        bool
	}{
		{of("one\ntwo\nthree", 0.003), of(".", 0.16), true},
		{of("one two", 0.3), of("0ne tw0", 0.2), true},
		{of("one two three", 0.1), of("i", 0.5), true},
		{of("i", 0.5), of("one two three", 0.1), false},
	} {
		if surer(x.traced, x.cut) != x.want {
			t.Errorf("%q traced, %q cut: want traced %v", x.traced.Text, x.cut.Text, x.want)
		}
	}
}

func TestLines(t *testing.T) {
	for name, write := range map[string]func(*os.File, []ink.Labelled) error{
		"JSON Lines": func(f *os.File, s []ink.Labelled) error { return ink.WriteJSONLines(f, s) },
		"UNIPEN":     func(f *os.File, s []ink.Labelled) error { return ink.WriteUNIPEN(f, s) },
		"InkML":      func(f *os.File, s []ink.Labelled) error { return ink.WriteInkML(f, s) },
	} {
		file := lineFile(t, write, "2026", "31415")
		out := command(t, "eval", "--line", "--language", "digits", "--device", "cpu", "--ignore-case", "--style", "printed", "--json", file)
		out.wantStatus(t, 0)
		var got lineEvaluation
		decode(t, out.stdout, &got)
		if got.Lines != 2 || got.Characters != 9 || got.CharacterErrorPercent != 0 || got.LineErrorPercent != 0 || got.CharactersPerSecond <= 0 {
			t.Errorf("%s: %s", name, out.stdout)
		}
		out = command(t, "recognize", "--line", "--language", "digits", "--device", "cpu", "--json", file)
		out.wantStatus(t, 0)
		var first lineReport
		decode(t, out.lines()[0], &first)
		if first.Text != "2026" || len(first.Characters) != 4 || first.Confidence <= 0 {
			t.Errorf("%s: %s", name, out.stdout)
		}
	}
}

// A drawing that cannot be read as a line is named, and the others are answered.
func TestLinesBesideInkTooLarge(t *testing.T) {
	data := file(t, "large.jsonl", inkLines(1, 1, "1")+`{"label":"far","strokes":[[[0,0],[1e308,0],[-1e308,5]]]}`+"\n"+inkLines(1, 2, "7"))
	got := command(t, "recognize", "--line", "--device", "cpu", data)
	got.wantStatus(t, statusFailed)
	if len(got.lines()) != 2 || !strings.Contains(got.stderr, "large.jsonl#2: the ink is too large") {
		t.Errorf("recognize: %q\n%s", got.stderr, got.stdout)
	}
	got = command(t, "eval", "--line", "--device", "cpu", data)
	got.wantStatus(t, statusOK)
	if !strings.Contains(got.stderr, `large.jsonl: the line "far" is left out`) || !strings.Contains(got.stdout, "lines         2\nleft out      1 ") {
		t.Errorf("eval: %q\n%s", got.stderr, got.stdout)
	}
}

func TestMoreStrokesThanAPageAreNoLine(t *testing.T) {
	data := file(t, "many.jsonl", `{"label":"x","strokes":[[[0,0]]`+strings.Repeat(`,[[9,9]]`, 2500)+"]}\n"+inkLines(1, 1, "7"))
	got := command(t, "recognize", "--line", "--device", "cpu", data)
	got.wantStatus(t, statusFailed)
	if len(got.lines()) != 1 || !strings.Contains(got.stderr, "many.jsonl#1: 2501 strokes are more than a page has") {
		t.Errorf("%q\n%s", got.stderr, got.stdout)
	}
}

// Files without a line, and as many lines as are read at once, end with their sentences or answers.
func TestNoLinesAndExactlyAFullPart(t *testing.T) {
	full := file(t, "full.jsonl", inkLines(linesAtOnce, 1, "1"))
	got := command(t, "recognize", "--line", "--language", "digits", "--device", "cpu", full)
	got.wantStatus(t, statusOK)
	if n := len(got.lines()); n != linesAtOnce {
		t.Errorf("%d lines are answered, want %d", n, linesAtOnce)
	}
	for name, data := range map[string]string{"missing": filepath.Join(t.TempDir(), "none"), "empty": file(t, "empty.jsonl", ""), "blank": file(t, "blank.jsonl", "\n \n")} {
		if got := command(t, "recognize", "--line", "--device", "cpu", data); got.status != statusFailed || got.stderr == "" || got.stdout != "" {
			t.Errorf("%s: status %d, %q\n%s", name, got.status, got.stderr, got.stdout)
		}
	}
}

func TestLineErrorsAreCounted(t *testing.T) {
	r := lineEvaluation{confused: map[train.Confusion]int{}, cut: map[train.Confusion]int{}}
	r.count("Some mob", "some rnob", true)
	r.count("ab", "a b", true)
	r.count("17", "11", false)
	r.Confusions, r.Cuts = train.Worst(r.confused, 9), train.Worst(r.cut, 9)
	want := fmt.Sprint([]train.Confusion{{Want: "7", Got: "1", Count: 1}}, []train.Confusion{{Got: " ", Count: 1}, {Want: "m", Got: "rn", Count: 1}})
	if got := fmt.Sprint(r.Confusions, r.Cuts); r.Lines != 3 || r.LineErrors != 3 || r.Words != 4 || r.WordErrors != 3 ||
		r.Characters != 12 || r.CharacterErrors != 4 || got != want {
		t.Errorf("%+v; want %s", r, want)
	}
}

func TestLineFlags(t *testing.T) {
	for _, args := range [][]string{
		{"eval", "--style", "PRINTED", "x"}, {"recognize", "--language", "english", "x"}, {"recognize", "--line", "--language", "latin", "x"},
	} {
		command(t, args...).wantStatus(t, 2)
	}
	f := lineFlags{line: true, language: anything}
	model := ""
	cmd := &cobra.Command{}
	cmd.Flags().String("model", "", "")
	if err := f.choose(cmd, &model); err != nil || f.language != line.None || model != "words" {
		t.Errorf("anything is %s, read by %s, %v", f.language, model, err)
	}
}

// Joined is of fewer strokes than letters and digits, whatever style the data state.
func TestStyles(t *testing.T) {
	stroke := ink.Stroke{{X: 0, Y: 0}, {X: 1, Y: 1}}
	word := dataset.Sample{Label: "it's 7", Style: "PRINTED", Ink: ink.Ink{stroke, stroke, stroke}}
	more := word
	more.Ink = append(more.Ink, stroke)
	for style, want := range map[string][2]bool{"": {true, true}, "printed": {true, true}, "CURSIVE": {}, "joined": {true, false}} {
		f := evalFlags{style: style}
		if got := [2]bool{f.takes(word), f.takes(more)}; got != want {
			t.Errorf("%q takes %v, want %v", style, got, want)
		}
	}
}

// A line takes part where all of its characters are of the classes that may be answered.
func TestLinesOfClasses(t *testing.T) {
	file := lineFile(t, func(f *os.File, s []ink.Labelled) error { return ink.WriteJSONLines(f, s) }, "under", "107", "71")
	out := command(t, "eval", "--line", "--classes", "1,0,7", "--device", "cpu", "--json", file)
	out.wantStatus(t, 0)
	var got lineEvaluation
	decode(t, out.stdout, &got)
	if got.Lines != 2 || got.Characters != 5 {
		t.Errorf("%s", out.stdout)
	}
}

// The model of words reads strokes unless another is named.
func TestWordsReadLines(t *testing.T) {
	file := lineFile(t, func(f *os.File, s []ink.Labelled) error { return ink.WriteJSONLines(f, s) }, "under", "water")
	out := command(t, "eval", "--line", "--language", "english", "--device", "cpu", "--json", file)
	out.wantStatus(t, 0)
	var got lineEvaluation
	decode(t, out.stdout, &got)
	if got.Model != "words" || got.Characters != 10 || got.CharacterErrors > 1 {
		t.Errorf("%s", out.stdout)
	}
}
