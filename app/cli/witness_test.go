package cli

import (
	"slices"
	"strings"
	"testing"

	"inkshade/glcompute"
)

func TestTheWitnessTellsWhatAutoChose(t *testing.T) {
	flag := deviceFlag{kind: glcompute.Auto}
	dev := flag.open(newEval())
	defer dev.Close()
	if kind := dev.last().Kind; kind != glcompute.Auto {
		t.Errorf("before anything was compiled it tells of %q, want auto", kind)
	}
	p := glcompute.NewProgram()
	x := p.Input(1, 4)
	y := p.Map(x, glcompute.Tanh)
	run, err := dev.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float32, 4)
	for range 20 { // far more than Auto needs to choose
		if err := run.Do(glcompute.In(x, []float32{1, 2, 3, 4}), glcompute.Out(y, out)); err != nil {
			t.Fatal(err)
		}
	}
	if got := dev.last(); !got.Choice.Decided || got.Kind == glcompute.Auto {
		t.Errorf("the witness tells of %+v", got)
	}
}

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
	for _, files := range [][]string{{one}, {data}, {seven}, {seven, one}, {seven, seven, one}} {
		got := command(t, append([]string{"recognize", "--json", "--device", "auto", "--model", model}, files...)...)
		got.wantStatus(t, statusOK)
		for _, l := range got.lines() {
			var r recognitionReport
			if decode(t, l, &r); !slices.Contains(did, r.Device) {
				t.Errorf("%d files: recognize names the device %q", len(files), r.Device)
			}
		}
	}
}
