package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

func TestSpreadRepeatsTheFlagInOrder(t *testing.T) {
	for line, want := range map[string]string{
		"train --data a b --seed 1":        "train --data a --data b --seed 1",
		"train --data a b --data c d":      "train --data a --data b --data c --data d",
		"train --data=a b":                 "train --data=a --data b",
		"train --data a --seed 1 b":        "train --data a --seed 1 b",
		"train --data a -- --data b":       "train --data a -- --data b",
		"train --data":                     "train --data",
		"train a b":                        "train a b",
		"train --database a b --data x -v": "train --database a b --data x -v",
		"eval - --data - a":                "eval - --data - --data a",
	} {
		got := spread(strings.Fields(line), "--data")
		if diff := cmp.Diff(strings.Fields(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
	}
}

func TestHelpNamesEveryCommand(t *testing.T) {
	got := command(t, "--help")
	got.wantStatus(t, statusOK)
	for _, name := range []string{"recognize", "eval", "train", "devices", "demo", "import", "export", "completion"} {
		if !strings.Contains(got.stdout, "\n  "+name) {
			t.Errorf("the help does not name %s:\n%s", name, got.stdout)
		}
	}
}

// Help fits a terminal, but for examples and what their names make long.
func TestHelpFitsATerminal(t *testing.T) {
	var fits func(c *cobra.Command)
	fits = func(c *cobra.Command) {
		got := command(t, append(strings.Fields(c.CommandPath())[1:], "--help")...)
		got.wantStatus(t, statusOK)
		for line := range strings.SplitSeq(got.stdout, "\n") {
			if len(line) > 80 && !strings.HasPrefix(line, "  inkshade ") {
				t.Errorf("the help of %s has a line of %d letters: %s", c.Name(), len(line), line)
			}
		}
		for _, below := range c.Commands() {
			fits(below)
		}
	}
	fits(newRoot(Window{}))
}

func TestEveryCommandExplainsItsJSONAndVariables(t *testing.T) {
	for name, keys := range map[string][]string{
		"recognize": {"file", "sample", "answer", "probability", "candidates"},
		"eval": {
			"samples", "errors", "error_percent", "top3_error_percent", "top5_error_percent",
			"confusions", "device", "samples_per_second", "skipped_unknown_label",
		},
		"devices": {"kind", "renderer", "version", "software", "max_texture", "max_buffer_bytes", "reason", "INKSHADE_CACHE", "INKSHADE_DEBUG"},
	} {
		got := command(t, name, "--help")
		got.wantStatus(t, statusOK)
		for _, key := range keys {
			if !strings.Contains(got.stdout, key) {
				t.Errorf("the help of %s does not explain %q", name, key)
			}
		}
	}
}

func TestWrongCommandLinesSayWhatToDo(t *testing.T) {
	for line, want := range map[string]string{
		"recognise x.png":                     `"recognise"; perhaps recognize. "inkshade --help"`,
		"help recognise":                      `"recognise"; perhaps recognize. `,
		"help models shwo":                    `"shwo"; perhaps show. `,
		"models export digits-mlp -":          "or ./- for one of that name. ",
		"models shwo":                         `"shwo"; perhaps show. `,
		"completion tcsh":                     `"tcsh"; perhaps bash or fish or zsh. `,
		"completion zsh fish":                 "unknown command",
		"recognize":                           "missing",
		"eval":                                "missing",
		"recognize --nonsense x":              "unknown flag: --nonsense. ",
		"recognize --model words x.png":       "use --line. ",
		"eval --model words x.jsonl":          "use --line. ",
		"recognize --lin x":                   "unknown flag: --lin; perhaps --line. ",
		"recognize --devcie cpu x":            "perhaps --device. ",
		"recognize --device gpu x":            "choose auto, cpu, fragment, compute or mixed",
		"recognize --top 0 x.png":             "at least one",
		"recognize --top one x.png":           `"one" for "--top" flag: that is no whole number. `,
		"recognize --top 1e99 x.png":          "that is no whole number",
		"recognize --json=maybe x.png":        "use true or false",
		"train --rate fast":                   "that is no number",
		"train --epochs 99999999999999999999": "that is out of range",
		"train --out m.onnx":                  "--data",
		"train --data x":                      "--out",
		"train --data x --hidden a":           "--hidden",
		"train --data x --seed y":             "--seed",
		"--appearance pink":                   "system, light or dark",
		"panel --trace t.jsonl":               "unknown flag: --trace. ",
		"demo --appearance pink":              "system, light or dark",
		"models show":                         "MODEL is missing. ",
		"collections rename runes":            "NEW is missing. ",
		"export a.jsonl b.jsonl":              `"b.jsonl" is one too many, behind FILE. `,
		"eval --line --fold x.jsonl":          "--fold is about characters alone",
		"devices too many":                    "unknown command",
		"eval --confusions -1 x.jsonl":        "--confusions",
	} {
		got := command(t, strings.Fields(line)...)
		got.wantStatus(t, statusUsage)
		if !strings.Contains(got.stderr, want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%q says %q; want one line with %q", line, got.stderr, want)
		}
	}
}

func TestVersion(t *testing.T) {
	got := command(t, "--version")
	got.wantStatus(t, statusOK)
	if !strings.Contains(got.stdout, "inkshade version 0.") {
		t.Errorf("--version prints %q", got.stdout)
	}
}
