package docs

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The table of what adding something touches is true of what was added: nothing else names it.
func TestAddingTouchesFewFiles(t *testing.T) {
	for _, c := range []struct {
		what, within, named string
		files               []string
	}{
		{"nonlinearity", "glcompute/", `\bELU\(|"elu"`, []string{"glcompute/expr/functions.go"}},
		{"layer kind", "recognizer/", `\bMask\b|"mask"`, []string{"recognizer/nn/mask.go", "recognizer/nn/onnx/formula.go", "recognizer/nn/onnx/write_layers.go"}},
		{"operation", "glcompute/", `\bCTC\b|\bctc\w*\(`, []string{
			"glcompute/cpu/ctc.go", "glcompute/internal/glops/ctc.go", "glcompute/internal/program/ctc.go",
		}},
		{"command", "app/cli/", `\bnewPanel\(`, []string{"app/cli/panel.go", "app/cli/root.go"}},
		{"page", "app/ui/", `app/ui/latency"|\blatency\.[A-Z]|"[^"]*\bLatency\b`, []string{"app/ui/latency/latency.go", "app/ui/ui.go"}},
		{"setting of the window", "app/", `\bDrawPause\b`, []string{"app/state/setting/setting.go", "app/ui/draw/page.go", "app/ui/settings/dialog.go"}},
		{"setting of a training", "app/", `"Variations"|\bCopies\b`, nil}, // neither the window nor the command line names it
	} {
		var found []string
		eachGoFile(t, func(path string, source []byte) {
			code := regexp.MustCompile(`(?m)//.*$`).ReplaceAll(source, nil)
			if strings.HasPrefix(path, c.within) && !strings.HasSuffix(path, "_test.go") && regexp.MustCompile(c.named).Match(code) {
				found = append(found, path)
			}
		})
		if slices.Sort(found); !slices.Equal(found, c.files) {
			t.Errorf("a %s is named by %q, and architecture.md says %q", c.what, found, c.files)
		}
	}
}
