package program

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"inkshade/glcompute/message"
)

// Choice is how a device that is several came to give the replays of a Run to one of them, or
// to all with a share of the samples each. Slices are in the order of Devices.
type Choice struct {
	Devices   []Info
	Shares    []float64        // of the samples of the last replay; they add up to 1
	Decided   bool             // what did the last replay does the next ones too
	Alone     []time.Duration  // the shortest replay of each alone; 0 where none was timed
	Together  time.Duration    // the shortest replay of all together; 0 where none was timed
	Measuring time.Duration    // taken by the replays that were made to find out
	Apart     *message.Message // why the samples cannot be shared; nil otherwise
	Lost      *message.Message // why a device has fallen away; nil otherwise
	Joint     JointTime
}

// JointTime is where the time of the replays goes that all devices make together, on average of
// all but the first, in which drivers compile.
type JointTime struct {
	Replays int
	Shares  []float64 // of the devices in them
	Mean    time.Duration
	// Carrying is the part of Mean for bringing parameters to the other devices, and for what
	// the first device does alone once it has the sums of all, which is the update.
	Carrying time.Duration
}

// Add counts a replay.
func (j *JointTime) Add(took, carrying time.Duration) {
	if n := time.Duration(j.Replays); n > 0 {
		j.Mean += (took - j.Mean) / n
		j.Carrying += (carrying - j.Carrying) / n
	}
	j.Replays++
}

// SharingWins is how many times faster than the fastest device alone all must be together to
// be used, so that noise does not decide.
const SharingWins = 1.05

// Shared reports whether the last replay was made by more than one device.
func (c *Choice) Shared() bool { return slices.Max(c.Shares) < 1 }

// Device is the index of the one that made the last replay, or most of it.
func (c *Choice) Device() int { return slices.Index(c.Shares, slices.Max(c.Shares)) }

// Win is how many times faster sharing is than the fastest device alone; 0 where it was not
// measured.
func (c *Choice) Win() float64 {
	if c.Together == 0 {
		return 0
	}
	return c.Alone[c.fastest()].Seconds() / c.Together.Seconds()
}

// fastest is the index of the device with the shortest time alone, 0 where none was timed.
func (c *Choice) fastest() int {
	best := 0
	for i, t := range c.Alone {
		if t > 0 && (c.Alone[best] == 0 || t < c.Alone[best]) {
			best = i
		}
	}
	return best
}

// String says in a sentence what does the work and why: "mixed: CPU 62 %, compute shaders
// 38 %, 1.3 times the CPU alone".
func (c *Choice) String() string {
	name := func(i int) string { return c.Devices[i].Kind.words() }
	one := name(c.Device())
	switch {
	case c.Lost.String() != "":
		return fmt.Sprintf("%s goes on alone: %s", one, c.Lost)
	case !c.Decided:
		return one + " so far, too little done to know whether sharing is faster"
	case c.Shared() && c.Together == 0:
		return c.shares() + ", as was asked for"
	case c.Shared():
		return fmt.Sprintf("%s, %.1f times %s alone", c.shares(), c.Win(), name(c.fastest()))
	case c.Together > 0:
		return fmt.Sprintf("%s alone is faster, mixed not used (%s against %s)", one, milliseconds(c.Alone[c.Device()]), milliseconds(c.Together))
	case c.Apart.String() != "" && slices.Max(c.Alone) > 0:
		return fmt.Sprintf("%s alone is faster, mixed not used (%s)", one, c.Apart)
	case c.Apart.String() != "":
		return fmt.Sprintf("%s alone, mixed not used (%s)", one, c.Apart)
	}
	return one + " alone"
}

func (c *Choice) shares() string {
	return "mixed: " + c.List(c.Shares, func(d Info) string { return strings.TrimPrefix(d.Kind.words(), "the ") })
}

// List names the devices with shares of the samples: "cpu 62 %, compute 38 %".
func (c *Choice) List(shares []float64, name func(Info) string) string {
	var parts []string
	for i, share := range shares {
		parts = append(parts, fmt.Sprintf("%s %.0f %%", name(c.Devices[i]), 100*share))
	}
	return strings.Join(parts, ", ")
}

// words name a kind in a sentence.
func (k DeviceKind) words() string {
	switch k {
	case CPU:
		return "the CPU"
	case Compute:
		return "compute shaders"
	case Fragment:
		return "fragment shaders"
	}
	return string(k)
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.3g ms", 1e3*d.Seconds()) }
