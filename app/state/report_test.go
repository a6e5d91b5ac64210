package state

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"time"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
)

// A training opens the device that is asked for, also that which shares, and its history keeps
// why the processor stood in and how the steps were shared.
func TestReportKeepsTheChoiceOfDevices(t *testing.T) {
	f := learning(t, 30)
	dev := openCPU(glcompute.CPU)
	f.Learner.Open = func(kind glcompute.DeviceKind) glcompute.Device {
		if kind != glcompute.Mixed {
			t.Errorf("%q was opened", kind)
		}
		return standing{dev}
	}
	f.fake.choice = &glcompute.Choice{
		Devices: []glcompute.Info{{Kind: glcompute.CPU}, {Kind: glcompute.Compute}}, Shares: []float64{0.6, 0.4}, Decided: true,
		Alone: []time.Duration{15, 20}, Together: 10,
	}
	o := DefaultOptions()
	o.Device = glcompute.Mixed
	if _, err := f.Train(t.Context(), base, o, nil); err != nil {
		t.Fatal(err)
	}
	history, err := f.History(base)
	if err != nil {
		t.Fatal(err)
	}
	if e := history[0]; !reflect.DeepEqual(e.Report.Choice, f.fake.choice) || e.Report.Fallback.String() != "no OpenGL here" || e.Options.Device != glcompute.Mixed {
		t.Errorf("the history has %+v", e.Report)
	}
	if err := dev.Wait(); err == nil {
		t.Error("the device was left open")
	}
}

// standing is a processor that stands in.
type standing struct{ glcompute.Device }

func (d standing) Info() glcompute.Info {
	info := d.Device.Info()
	info.Fallback = message.Text("no OpenGL here")
	return info
}

// Reports of version 0.1 have rows for shares, and empty lists where there was one device; those of other versions a curve.
func TestReportsOfVersion01(t *testing.T) {
	for figures, want := range map[string]string{
		`{"Sharing": {"Devices": [{"Kind": "cpu"}, {"Kind": "compute"}], "Rows": [40, 24], "Alone": [3000000, 5000000], "Together": 2000000, "Lost": ""}}`: "mixed: CPU 62 %, compute shaders 38 %, 1.5 times the CPU alone",
		`{"Sharing": {"Devices": [{"Kind": "cpu"}, {"Kind": "compute"}], "Rows": [64, 0], "Alone": [3000000, 5000000], "Together": 4000000}}`:              "the CPU alone is faster, mixed not used (3 ms against 4 ms)",
		`{"Sharing": {"Devices": null, "Rows": null, "Alone": null, "Together": 0}}`:                                                                       "",
		`{"Curve": [{"Step": 1, "Loss": 2, "Accuracy": 0.5}]}`:                                                                                             "",
	} {
		var r Report
		if err := json.Unmarshal([]byte(figures), &r); err != nil {
			t.Fatal(err)
		}
		if err := r.fromRows([]byte(figures)); err != nil {
			t.Fatal(err)
		}
		if want == "" {
			if r.Choice != nil {
				t.Errorf("%s: %+v", figures, r.Choice)
			}
		} else if got := r.Choice.String(); got != want || math.Abs(r.Choice.Shares[0]+r.Choice.Shares[1]-1) > 1e-9 {
			t.Errorf("%s: %q, want %q", figures, got, want)
		}
	}
	if (&Report{}).fromRows([]byte(`{"Sharing": {"Rows": "many"}}`)) == nil {
		t.Error("rows that are no numbers are accepted")
	}
}
