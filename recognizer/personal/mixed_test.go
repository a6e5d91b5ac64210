package personal

import (
	"testing"
	"testing/synctest"
	"time"

	"inkshade/glcompute"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/nntest"
)

// A person's training is shared where that wins, comes to the same, and names what did it.
func TestTrainShares(t *testing.T) {
	start := baseModel(t, nn.MNIST28)
	task := func() Task {
		return Task{Start: start, Learn: strange(5, 1), HeldOut: strange(8, 2), Settings: quick()}
	}
	var loss float64 // that was told last
	hear := func(p Progress) {
		if p.Stage == Learning {
			loss = p.Loss
		}
	}
	want, err := Train(t.Context(), nntest.CPU(t), task(), hear)
	if err != nil {
		t.Fatal(err)
	}
	if want.Choice != nil {
		t.Errorf("alone it chose: %+v", want.Choice)
	}
	wantLoss := loss
	for _, c := range []struct {
		same   bool // both are one processor
		failAt int
		device string
	}{{false, 0, "mixed"}, {true, 0, "cpu"}, {false, 200, "cpu"}} {
		synctest.Test(t, func(t *testing.T) {
			own, other := nntest.Open(t, glcompute.CPU, time.Millisecond), nntest.Open(t, glcompute.Compute, time.Millisecond)
			if c.same {
				own.Turn = make(chan struct{}, 1)
				other.Turn = own.Turn
			}
			other.FailAt = c.failAt
			got, err := Train(t.Context(), glcompute.Split(0, own, other), task(), hear)
			if err != nil {
				t.Fatal(err)
			}
			if got.Device != c.device || got.Model.Metadata["personal_device"] != c.device {
				t.Errorf("the steps were done by %q, the metadata says %q; want %q", got.Device, got.Model.Metadata["personal_device"], c.device)
			}
			s := got.Choice
			if s.Shared() != (c.device == "mixed") || (s.Lost.String() != "") != (c.failAt > 0) || !s.Decided || s.Together == 0 {
				t.Errorf("on %s, failing at %d: %+v", c.device, c.failAt, s)
			}
			if c.device == "mixed" && s.Win() < 1.05 {
				t.Errorf("shared with a win of %g", s.Win())
			}
			if d := loss - wantLoss; d > 1e-4 || d < -1e-4 || got.HeldOut != want.HeldOut || got.Network != want.Network {
				t.Errorf("loss %g, held out %+v; on one device %g, %+v", loss, got.HeldOut, wantLoss, want.HeldOut)
			}
			if own.Memory() != 0 || other.Memory() != 0 {
				t.Errorf("%d and %d bytes left", own.Memory(), other.Memory())
			}
		})
	}
}

// Of the device that measures and chooses, the result names the one that was chosen.
func TestTrainNamesWhatAutoChose(t *testing.T) {
	dev, err := glcompute.Open(glcompute.Auto)
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	r, err := Train(t.Context(), dev, Task{Start: baseModel(t, nn.MNIST28), Learn: strange(5, 1), Settings: quick()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Device != string(glcompute.CPU) && r.Device != string(glcompute.Compute) && r.Device != string(glcompute.Fragment) {
		t.Errorf("the steps were done by %q", r.Device)
	}
}
