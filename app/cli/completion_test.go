package cli

import (
	"slices"
	"strings"
	"testing"
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
