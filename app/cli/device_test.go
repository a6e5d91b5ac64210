package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"inkshade/glcompute"
	"inkshade/models"
)

// TestFewSamplesNameTheDeviceThatAnswered wants no "auto" where Auto has not measured yet.
func TestFewSamplesNameTheDeviceThatAnswered(t *testing.T) {
	model, data := smallModel(t), file(t, "few.jsonl", inkLines(2, 3, "1"))
	one, seven := file(t, "one.jsonl", inkLines(1, 3, "1")), picture(t, "seven.png", "7")
	did := []glcompute.DeviceKind{glcompute.CPU, glcompute.Fragment, glcompute.Compute}
	var r evalReport
	decode(t, command(t, "eval", "--json", "--device", "auto", "--model", model, data).stdout, &r)
	if !slices.Contains(did, r.Device) || strings.Contains(r.DeviceName, " or ") {
		t.Errorf("eval names the device %q, %q", r.Device, r.DeviceName)
	}
	for _, model := range []string{model, models.Words} {
		var lines lineEvaluation
		decode(t, command(t, "eval", "--line", "--json", "--device", "auto", "--model", model, one).stdout, &lines)
		if !slices.Contains(did, lines.Device) || strings.Contains(lines.DeviceName, " or ") {
			t.Errorf("eval --line names the device %q, %q", lines.Device, lines.DeviceName)
		}
	}
	for _, files := range [][]string{{one}, {data}, {seven}, {seven, one}, {seven, seven, one}, {"--line", one}, {"--line", seven}, {"--line", one, "--model", models.Words}} {
		got := command(t, append([]string{"recognize", "--json", "--device", "auto", "--model", model}, files...)...)
		got.wantStatus(t, statusOK)
		for _, l := range got.lines() {
			var r struct{ Device glcompute.DeviceKind }
			if err := json.Unmarshal([]byte(l), &r); err != nil || !slices.Contains(did, r.Device) {
				t.Errorf("%q: recognize names the device %q, error %v", files, r.Device, err)
			}
		}
	}
}
