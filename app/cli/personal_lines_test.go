package cli

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"inkshade/recognizer"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/prototype"
)

// linesInLetters are lines of a few words in the letters that the model for words keeps, by two writers.
func linesInLetters(t *testing.T) string {
	t.Helper()
	m, err := recognizer.LoadModel("words")
	if err != nil {
		t.Fatal(err)
	}
	letters, err := prototype.Letters(m)
	if err != nil {
		t.Fatal(err)
	}
	var samples []dataset.Sample
	for _, l := range letters {
		samples = append(samples, dataset.Sample{Label: l.Label, Writer: "letters", Ink: l.Ink})
	}
	hand := dataset.LettersOf(samples, 1)[0]
	var lines []ink.Labelled
	for i, text := range []string{"one", "two", "six", "ten", "and", "nor"} {
		for _, writer := range []string{"v", "w"} {
			lines = append(lines, ink.Labelled{Label: text, Writer: writer, Ink: hand.Compose(text, rand.New(rand.NewPCG(uint64(i), uint64(len(writer)))))})
		}
	}
	var b strings.Builder
	if err := ink.WriteJSONLines(&b, lines); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPersonalLines(t *testing.T) {
	data := file(t, "lines.jsonl", linesInLetters(t))
	args := []string{"personal", "--line", "--ink", data, "--guard", data, "--lines", "2", "--test-lines", "3", "--device", "cpu"}
	got := command(t, append(args, "--json")...)
	got.wantStatus(t, statusOK)
	var r linesReport
	decode(t, got.stdout, &r)
	if r.Writers != 2 || r.TestLines != 6 || r.TestCharacters != 18 || r.BaseErrorPercent > 20 || r.TrainSecondsMedian <= 0 || r.Device != "cpu" || r.Language != "none" {
		t.Errorf("got %+v", r)
	}
	if r.GuardErrorBefore == nil || r.GuardErrorAfter == nil {
		t.Errorf("no guard: %+v", r)
	}
	if !strings.Contains(got.stderr, "1 of 2 writers: v") {
		t.Errorf("progress: %s", got.stderr)
	}
	var keys map[string]any
	if err := json.Unmarshal([]byte(got.stdout), &keys); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"base_character_error_percent", "device", "error_reduction_percent", "guard_character_error_after_percent", "guard_character_error_before_percent",
		"language", "test_characters", "test_lines", "train_seconds_median", "trained_character_error_percent", "writers",
	}
	if all := slices.Sorted(maps.Keys(keys)); !slices.Equal(all, want) {
		t.Errorf("keys %v, want %v", all, want)
	}
	for name, wrong := range map[string][]string{
		"a model of characters": {"personal", "--line", "--model", smallModel(t), "--ink", data},
		"lines without --line":  {"personal", "--model", "words", "--ink", data},
		"no lines":              append(slices.Clone(args), "--lines", "0"),
		"a language alone":      {"personal", "--language", "english", "--ink", data},
	} {
		if got := command(t, wrong...); got.status != statusUsage {
			t.Errorf("%s: status %d, %s", name, got.status, got.stderr)
		}
	}
	if got := command(t, append(slices.Clone(args), "--lines", "4")...); got.status != statusFailed || !strings.Contains(got.stderr, "has 8 lines") {
		t.Errorf("too few lines: status %d, %s", got.status, got.stderr)
	}
}
