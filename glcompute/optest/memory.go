package optest

import (
	"testing"

	"inkshade/glcompute/program"
)

const (
	memorySteps  = 200 // replays of a training step
	memoryRounds = 12  // compilations beside it
)

// checkMemory holds the device to its account: a training that goes on, other programs
// compiled and closed meanwhile, parameters exchanged, end with no more bytes than after
// the first step (fewer where the device has chosen another by then), and nothing is left
// when all is closed.
func checkMemory(t *testing.T, dev program.Device) {
	before := dev.Memory()
	tr := newTrainer(program.Tanh, true)
	run, err := dev.Compile(tr.Program)
	if err != nil {
		t.Fatal(err)
	}
	tr.losses(t, run, 0, 1)
	held := dev.Memory()
	expect := func(when string) {
		t.Helper()
		if now := dev.Memory(); now > held {
			t.Fatalf("%d bytes held %s, %d after the first step", now, when, held)
		}
	}
	for range memorySteps / trainSteps {
		tr.losses(t, run, 0, trainSteps)
		expect("after more steps")
	}
	for range memoryRounds {
		other := newTrainer(program.ReLU, false)
		beside, err := dev.Compile(other.Program)
		if err != nil {
			t.Fatal(err)
		}
		other.losses(t, beside, 0, 2)
		other.upload(t, dev, other.download(t, dev))
		if _, err := beside.Measure(); err != nil {
			t.Fatal(err)
		}
		other.free(t, dev, beside)
		expect("after another program")
	}
	tr.free(t, dev, run)
	if now := dev.Memory(); now != before {
		t.Errorf("%d bytes held at the end, %d at the start", now, before)
	}
}
