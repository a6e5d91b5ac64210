package bench

import (
	"fmt"
	"os"
	"slices"
	"time"

	"inkshade/glcompute"
	"inkshade/recognizer"
)

// Report is what a run measured.
type Report struct {
	Version    string        `json:"version"`
	Started    time.Time     `json:"started"`
	Elapsed    time.Duration `json:"-"`
	Quick      bool          `json:"quick"`
	Complete   bool          `json:"complete"` // false when the run was broken off
	Machine    Machine       `json:"machine"`
	Devices    []Device      `json:"devices"`
	Drawings   []Drawing     `json:"drawings"`
	Readings   []Reading     `json:"readings"`
	Crossovers []Crossover   `json:"crossovers"`
}

// Machine is where it was measured.
type Machine struct {
	Processor string  `json:"processor"`
	Cores     int     `json:"cores"`   // that the system has
	Threads   int     `json:"threads"` // that the program may use at once
	System    string  `json:"system"`
	Go        string  `json:"go"`
	Load      float64 `json:"load"` // processes that wanted to work in the minute before, on average; 0 where the system does not say
}

// Busy says that other work wanted a good part of the machine before the start. Work that
// goes on all the time slows readings down without spreading them.
func (m Machine) Busy() bool { return m.Load > float64(m.Cores)/2 }

// systemLoad is the load average of the last minute as Linux gives it, elsewhere 0.
func systemLoad() float64 {
	data, _ := os.ReadFile("/proc/loadavg")
	load := 0.0
	_, _ = fmt.Sscan(string(data), &load)
	return load
}

// Device is a contestant, opened or missing.
type Device struct {
	Name     string
	Info     glcompute.Info
	Compared bool  // it is there to be compared with another, not to be used
	Missing  error // why it takes no part; empty when it does
}

// Drawing is one drawing from its ink to its probabilities, stage by stage. The stages and
// passes are medians each; Total is the spread of their sum.
type Drawing struct {
	Device  string
	Network []int // units of each layer that is computed, the inputs first; normalisation of batches is part of another
	recognizer.Timing
	Total   Spread
	Prepare time.Duration // until the first answer, with Compile and the first replay
	Missing error         // why there are no times
}

// Reading is the time of one size of one experiment on one device.
type Reading struct {
	Experiment Experiment
	Size       int
	Device     string
	Spread
	Prepare time.Duration // compiling and the first replay
	GFLOPS  float64       // 10⁹ floating-point operations a second, at the median; 0 where products are not the main thing
	Missing error         // why there are no times
}

// Of gives the readings of one device in one experiment that have times, by rising size.
func (r *Report) Of(e Experiment, device string) []Reading {
	return slices.DeleteFunc(slices.Clone(r.Readings), func(x Reading) bool {
		return x.Experiment != e || x.Device != device || x.Missing != nil
	})
}

// Device gives the contestant of this name; a blank one where there is none.
func (r *Report) Device(name string) Device {
	for _, d := range r.Devices {
		if d.Name == name {
			return d
		}
	}
	return Device{}
}

// Disturbed counts the readings that other work on the machine disturbed.
func (r *Report) Disturbed() (disturbed, all int) {
	count := func(missing error, s Spread) {
		if missing != nil {
			return
		}
		if all++; s.Disturbed {
			disturbed++
		}
	}
	for _, x := range r.Readings {
		count(x.Missing, x.Spread)
	}
	for _, d := range r.Drawings {
		count(d.Missing, d.Total)
	}
	return disturbed, all
}

// Packing is how many times as long a training step of 2-FixedHidden-1 on FixedSamples samples
// takes with one value in a texel as with four; 0 where it was not measured.
func (r *Report) Packing() float64 { return r.packing(UnpackedName, string(glcompute.Fragment)) }

// TexturePacking is Packing where both read the operands of products from textures.
func (r *Report) TexturePacking() float64 { return r.packing(UnpackedTexturesName, TexturesName) }

// Packings are Packing and TexturePacking, the second 0 where it would say the first again:
// fragment shaders that are not drawn in software read from textures anyway.
func (r *Report) Packings() (own, fromTextures float64) {
	own, fromTextures = r.Packing(), r.TexturePacking()
	if d := r.Device(string(glcompute.Fragment)); own > 0 && !d.Info.Software {
		fromTextures = 0
	}
	return own, fromTextures
}

func (r *Report) packing(unpacked, packed string) float64 {
	one, four := r.Of(Packing, unpacked), r.Of(Packing, packed)
	if len(one) == 0 || len(four) == 0 || four[0].Median <= 0 {
		return 0
	}
	return one[0].Median.Seconds() / four[0].Median.Seconds()
}

// SparseLimit is the share of ink, in percent, up to which a device is faster with sparse rows than
// with whole ones at every share measured; 0 for none. ok is false where it was not measured.
func (r *Report) SparseLimit(device string) (percent int, ok bool) {
	dense, sparse := r.Of(DenseRows, device), r.Of(SparseRows, device)
	if len(dense) == 0 || len(sparse) == 0 {
		return 0, false
	}
	for _, x := range sparse {
		if x.Median >= dense[0].Median {
			break
		}
		percent = x.Size
	}
	return percent, true
}

// Listed are the devices that a list of them names. One that is there to be compared has the
// renderer of the fragment shaders, and misses what they miss.
func (r *Report) Listed() []Device {
	fragment := r.Device(string(glcompute.Fragment))
	return slices.DeleteFunc(slices.Clone(r.Devices), func(d Device) bool {
		return d.Compared && (d.Missing == nil || fragment.Missing != nil)
	})
}

// Software says that at least one of the devices is OpenGL drawn by the processor.
func (r *Report) Software() bool {
	return slices.ContainsFunc(r.Devices, func(d Device) bool { return d.Missing == nil && d.Info.Software })
}

// Crossover is from which size on an OpenGL device is faster than the processor.
type Crossover struct {
	Experiment Experiment `json:"experiment"`
	Device     string     `json:"device"`
	Sizes      []int      `json:"sizes"`    // at which both were measured, rising
	Wins       []int      `json:"wins"`     // at which the OpenGL device took clearly less time
	Losses     []int      `json:"-"`        // at which it took clearly more
	From       int        `json:"from"`     // from which on it took less time at every size measured; 0 for none
	Best       int        `json:"best"`     // where it did best
	Lead       float64    `json:"lead"`     // the processor's time over its time there
	Doubtful   bool       `json:"doubtful"` // a reading at From, or next below it, was disturbed
}

// Always says that the OpenGL device was faster at every size measured.
func (c Crossover) Always() bool { return c.From != 0 && c.From == c.Sizes[0] }

// Never says that the OpenGL device was clearly faster at no size measured.
func (c Crossover) Never() bool { return len(c.Wins) == 0 }

// CPUAlways says that the processor was clearly faster at every size measured.
func (c Crossover) CPUAlways() bool { return len(c.Losses) == len(c.Sizes) }

// Compare finds the crossovers of every OpenGL device with the processor in the experiments
// over a size, as far as there are readings.
func Compare(r *Report) []Crossover {
	i := slices.IndexFunc(r.Devices, func(d Device) bool { return d.Info.Kind == glcompute.CPU && d.Missing == nil })
	if i < 0 {
		return nil
	}
	cpu := r.Devices[i].Name
	var all []Crossover
	for _, e := range []Experiment{Recognition, Race, Convolution, HiddenUnits, TrainingSamples, Product, PrototypeDistances, PrototypeNearest, PrototypeStep, PrototypeStep8} {
		for _, d := range r.Devices {
			if d.Missing != nil || d.Compared || d.Info.Kind == glcompute.CPU {
				continue
			}
			if c := cross(e, d.Name, r.Of(e, cpu), r.Of(e, d.Name)); len(c.Sizes) > 1 {
				all = append(all, c)
			}
		}
	}
	return all
}

func cross(e Experiment, device string, cpu, gpu []Reading) Crossover {
	c := Crossover{Experiment: e, Device: device}
	var before bool // the reading before was disturbed
	for _, g := range gpu {
		i := slices.IndexFunc(cpu, func(x Reading) bool { return x.Size == g.Size })
		if i < 0 || g.Median <= 0 {
			continue
		}
		c.Sizes = append(c.Sizes, g.Size)
		disturbed := g.Disturbed || cpu[i].Disturbed
		if lead := float64(cpu[i].Median) / float64(g.Median); lead > c.Lead {
			c.Best, c.Lead = g.Size, lead
		}
		if wins(cpu[i].Spread, g.Spread) {
			c.Losses = append(c.Losses, g.Size)
		}
		if wins(g.Spread, cpu[i].Spread) {
			c.Wins = append(c.Wins, g.Size)
			if c.From == 0 {
				c.From, c.Doubtful = g.Size, disturbed || before
			}
		} else {
			c.From, c.Doubtful = 0, false
		}
		before = disturbed
	}
	return c
}

// clearly is the least share by which a device must be faster to be called so.
const clearly = 0.05

// wins tells whether a is faster than b by more than their deviations, and clearly.
func wins(a, b Spread) bool {
	return a.Median+a.Deviation < b.Median-b.Deviation && float64(a.Median) < (1-clearly)*float64(b.Median)
}
