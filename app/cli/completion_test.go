package cli

import (
	"slices"
	"strings"
	"testing"

	"inkshade/recognizer/nn"
	"inkshade/recognizer/samples"
)

// TestShellsCompleteValues asks as a shell does. A line that begins with a colon ends the
// values; its 4 keeps files out, its 2 the space after a value.
func TestShellsCompleteValues(t *testing.T) {
	sets := []string{"capitals", "digits", "signs", "small"}
	for words, want := range map[string][]string{
		"train --classes ":         sets,
		"train --classes digits,s": {"digits,capitals", "digits,signs", "digits,small"},
		"recognize --classes ":     sets,
		"eval --classes ":          sets,
		"calibrate --classes ":     sets,
		"train --features ":        {"mnist28", "gradient512", "gradient+pen", "gradient+pen+maps", "directions"},
		"train --activation ":      {"relu", "tanh", "sigmoid"},
		"train --schedule ":        {"cosine", "loss"},
		"train --optimizer ":       {"sgd", "adam"},
		"train --output ":          {"softmax", "tanh", "sigmoid"},
		"train --distort ":         {"none", "default", "strong"},
		"train --distort-on ":      {"cpu", "device"},
		"eval --device ":           {"auto", "cpu", "fragment", "compute", "mixed"},
		"devices --measure=":       {"left", "all"},
		"demo --appearance ":       {"system", "light", "dark"},
		"--appearance ":            {"system", "light", "dark"},
	} {
		got := command(t, append([]string{"__complete"}, strings.Split(words, " ")...)...)
		got.wantStatus(t, statusOK)
		lines := got.lines()
		values, directive := lines[:len(lines)-1], lines[len(lines)-1]
		end := map[bool]string{false: ":4", true: ":6"}[strings.Contains(words, "--classes")]
		if !slices.Equal(values, want) || directive != end {
			t.Errorf("%q is completed with %q and %s, want %q and %s", words, values, directive, want, end)
		}
	}
}

// Names of collections and models are completed, and files where these are named.
func TestShellsCompleteNames(t *testing.T) {
	t.Setenv(samples.DirVariable, t.TempDir())
	command(t, "collections", "new", "runes").wantStatus(t, statusOK)
	command(t, "models", "import", "--name", "mine", "--scale", "0..1", foreignModel(t)).wantStatus(t, statusOK)
	for words, want := range map[string][]string{
		"collections export ":               {"My handwriting", "runes", ":4"},
		"collections rename ":               {"runes", ":4"},
		"collections rename runes ":         {":4"},
		"collections remove ":               {"runes", ":4"},
		"collections new ":                  {":4"},
		"collections export runes ":         {":0"},
		"import --collection ":              {"My handwriting", "runes", ":4"},
		"models list --collection ":         {"My handwriting", "runes", ":4"},
		"models remove ":                    {"mine", ":0"},
		"models export mine ":               {":0"},
		"models --collection runes remove ": {":0"},
		"train --network ":                  append(nn.Architectures(), ":0"),
	} {
		if got := command(t, append([]string{"__complete"}, strings.Split(words, " ")...)...); !slices.Equal(got.lines(), want) {
			t.Errorf("%q is completed with %q, want %q", words, got.lines(), want)
		}
	}
	for _, words := range []string{"show", "export"} {
		if got := command(t, "__complete", "models", words, "").lines(); !slices.Contains(got, "mine") || !slices.Contains(got, "digits-mlp") {
			t.Errorf("%s is completed with %q", words, got)
		}
	}
}
