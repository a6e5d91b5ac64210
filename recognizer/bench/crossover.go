package bench

import (
	"slices"

	"inkshade/glcompute"
)

// Crossover is from which size on an OpenGL device is faster than the processor.
type Crossover struct {
	Experiment Experiment `json:"experiment"`
	Device     string     `json:"device"`
	Sizes      []int      `json:"sizes"` // at which both were measured, rising
	Wins       []int      `json:"wins"`  // at which the OpenGL device took clearly less time
	Losses     []int      `json:"-"`     // at which it took clearly more
	// From is the size from which on it took less time at every size measured; 0 for none.
	From int `json:"from"`
	// Best is where it did best, and Lead the processor's time over its time there.
	Best int     `json:"best"`
	Lead float64 `json:"lead"`
	// Doubtful says that a reading at From, or next below it, was disturbed.
	Doubtful bool `json:"doubtful"`
}

// Always says that the OpenGL device was faster at every size.
func (c Crossover) Always() bool { return c.From != 0 && c.From == c.Sizes[0] }

// Never says that the OpenGL device was clearly faster at no size.
func (c Crossover) Never() bool { return len(c.Wins) == 0 }

// CPUAlways says that the processor was clearly faster at every size.
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
