package bench

import (
	"time"

	"inkshade/glcompute/program"
)

// Report is what a run measured.
type Report struct {
	Version    string
	Started    time.Time
	Elapsed    time.Duration
	Quick      bool
	Complete   bool // false when the run was broken off
	Machine    Machine
	Devices    []Device
	Drawings   []Drawing
	Readings   []Reading
	Crossovers []Crossover
}

// Machine is where it was measured.
type Machine struct {
	Processor string
	Cores     int // that the system has
	Threads   int // that the program may use at once
	System    string
	Go        string
	// Load is how many processes wanted to work in the minute before, on average; 0 where the
	// system does not say.
	Load float64
}

// Busy says that other work wanted a good part of the machine before the start. Work that
// goes on all the time slows readings down without spreading them.
func (m Machine) Busy() bool { return m.Load > float64(m.Cores)/2 }

// Device is a contestant, opened or missing.
type Device struct {
	Name     string
	Info     program.Info
	Compared bool   // it is there to be compared with another, not to be used
	Missing  string // why it takes no part; empty when it does
}

// Drawing is one drawing from its ink to its probabilities, stage by stage. The stages and
// passes are medians each; Total is the spread of their sum.
type Drawing struct {
	Device     string
	Network    []int // units of each layer
	Preprocess time.Duration
	Upload     time.Duration
	Compute    time.Duration
	Readback   time.Duration
	Passes     []program.Pass
	Total      Spread
	Compile    time.Duration // of the network for single drawings, once; see program.Timing
	Prepare    time.Duration // until the first answer, with Compile and the first replay
	Missing    string        // why there are no times
}

// Reading is the time of one size of one experiment on one device.
type Reading struct {
	Experiment Experiment
	Size       int
	Device     string
	Spread
	Prepare time.Duration // compiling and the first replay
	GFLOPS  float64       // 10⁹ floating-point operations a second, at the median; 0 where products are not the main thing
	Missing string        // why there are no times
}

// Of gives the readings of one device in one experiment that have times, by rising size.
func (r *Report) Of(e Experiment, device string) []Reading {
	var all []Reading
	for _, x := range r.Readings {
		if x.Experiment == e && x.Device == device && x.Missing == "" {
			all = append(all, x)
		}
	}
	return all
}

// Device gives the contestant of this name.
func (r *Report) Device(name string) (Device, bool) {
	for _, d := range r.Devices {
		if d.Name == name {
			return d, true
		}
	}
	return Device{}, false
}

// Disturbed counts the readings that other work on the machine disturbed.
func (r *Report) Disturbed() (disturbed, all int) {
	for _, x := range r.Readings {
		if x.Missing != "" {
			continue
		}
		all++
		if x.Disturbed {
			disturbed++
		}
	}
	for _, d := range r.Drawings {
		if d.Missing != "" {
			continue
		}
		all++
		if d.Total.Disturbed {
			disturbed++
		}
	}
	return disturbed, all
}

// Packing is how many times as long a training step of 2-FixedHidden-1 on FixedSamples samples
// takes with one value in a texel as with four; 0 where it was not measured.
func (r *Report) Packing() float64 {
	at := func(device string) float64 {
		for _, x := range r.Of(TrainingSamples, device) {
			if x.Size == FixedSamples {
				return x.Median.Seconds()
			}
		}
		return 0
	}
	if packed := at(string(program.Fragment)); packed > 0 {
		return at(UnpackedName) / packed
	}
	return 0
}

// Software says that at least one of the devices is OpenGL drawn by the processor.
func (r *Report) Software() bool {
	for _, d := range r.Devices {
		if d.Missing == "" && d.Info.Software {
			return true
		}
	}
	return false
}
