package nn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"inkshade/glcompute/program"
)

// MixedKind names several devices that share every batch.
const MixedKind program.DeviceKind = "mixed"

// SharingWins is how much faster sharing must be than the fastest device alone to be used,
// so that noise does not decide.
const SharingWins = 1.05

// Sharing says how a batch is shared between devices, or why it is not.
type Sharing struct {
	Devices   []program.Info
	Rows      []int           // of a batch, by device; all of one where that one is faster
	Alone     []time.Duration // a batch on each device; nil when the split was given
	Together  time.Duration   // a batch on all at once; 0 when there was nothing to share
	Carrying  time.Duration   // what of Together a training step spends beside the gradients
	Measuring time.Duration   // what it took to find out
	Lost      string          // why a device has fallen away; empty otherwise
}

// Shared reports whether more than one device has rows.
func (s Sharing) Shared() bool {
	n := 0
	for _, rows := range s.Rows {
		if rows > 0 {
			n++
		}
	}
	return n > 1
}

// Device is the index of the device with the most rows, which does all where they are not
// shared.
func (s Sharing) Device() int {
	if len(s.Rows) == 0 {
		return 0
	}
	return slices.Index(s.Rows, slices.Max(s.Rows))
}

// Info describes what does the work: the one device, or all as MixedKind with their shares
// for a name.
func (s Sharing) Info() program.Info {
	if !s.Shared() {
		return s.Devices[s.Device()]
	}
	info := s.Devices[0]
	info.Kind = MixedKind
	info.Name = s.list(func(d program.Info) string { return d.Name })
	info.Version = s.list(func(d program.Info) string { return d.Version })
	return info
}

// Win is how many times faster sharing is than the fastest device alone; 0 when that was not
// measured.
func (s Sharing) Win() float64 {
	if s.Together == 0 || len(s.Alone) == 0 {
		return 0
	}
	return slices.Min(s.Alone).Seconds() / s.Together.Seconds()
}

// String says in a sentence what does the work and why.
func (s Sharing) String() string {
	name := func(i int) string { return deviceWords(s.Devices[i].Kind) }
	switch {
	case s.Lost != "":
		return fmt.Sprintf("%s goes on alone: %s", name(s.Device()), s.Lost)
	case !s.Shared() && len(s.Alone) == 0:
		return fmt.Sprintf("%s alone, mixed not used (too few rows at once to share)", name(s.Device()))
	case !s.Shared() && s.Together == 0:
		return fmt.Sprintf("%s alone is faster, mixed not used (the other would be too slow for a share)", name(s.Device()))
	case !s.Shared():
		return fmt.Sprintf("%s alone is faster, mixed not used (%s against %s)", name(s.Device()),
			milliseconds(s.Alone[s.Device()]), milliseconds(s.Together))
	}
	text := "mixed: " + s.list(func(d program.Info) string { return strings.TrimPrefix(deviceWords(d.Kind), "the ") })
	if win := s.Win(); win > 0 {
		fastest := slices.Index(s.Alone, slices.Min(s.Alone))
		return text + fmt.Sprintf(", %.1f times %s alone", win, name(fastest))
	}
	return text + ", as was asked for"
}

// Shares are those of the devices, 0 to 1.
func (s Sharing) Shares() []float64 {
	total := 0
	for _, rows := range s.Rows {
		total += rows
	}
	var all []float64
	for _, rows := range s.Rows {
		all = append(all, float64(rows)/float64(total))
	}
	return all
}

// list names the devices with their shares.
func (s Sharing) list(name func(program.Info) string) string {
	var parts []string
	for i, share := range s.Shares() {
		parts = append(parts, fmt.Sprintf("%s %.0f %%", name(s.Devices[i]), 100*share))
	}
	return strings.Join(parts, ", ")
}

func deviceWords(kind program.DeviceKind) string {
	switch kind {
	case program.CPU:
		return "the CPU"
	case program.Compute:
		return "compute shaders"
	case program.Fragment:
		return "fragment shaders"
	}
	return string(kind)
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.3g ms", 1e3*d.Seconds())
}

// allOn gives all rows of a batch to one device.
func (s *Sharing) allOn(device, batch int) {
	s.Rows = make([]int, len(s.Devices))
	s.Rows[device] = batch
}

// Survive gives all rows of a batch to the first device when err is the failure of another;
// any other error comes back.
func (s *Sharing) Survive(err error, batch int) error {
	var failed *deviceError
	if !errors.As(err, &failed) || failed.device == 0 {
		return err
	}
	s.allOn(0, batch)
	s.Lost = failed.Error()
	return nil
}

// Owner is the index of the device that has the parameters of a training.
func (s Sharing) Owner() int {
	if s.Shared() {
		return 0
	}
	return s.Device()
}

// speeds deal a batch out as Rows has it.
func (s Sharing) speeds() []float64 {
	var speeds []float64
	for _, rows := range s.Rows {
		speeds = append(speeds, float64(rows))
	}
	return speeds
}

// Split lists the shares: "cpu 62 %, compute 38 %".
func (s Sharing) Split() string {
	return s.list(func(d program.Info) string { return string(d.Kind) })
}

// decide shares a batch dealt out as rows where that wins.
func (s *Sharing) decide(rows []int, batch int) {
	if s.Rows = rows; s.Win() < SharingWins {
		s.allOn(slices.Index(s.Alone, slices.Min(s.Alone)), batch)
	}
}

// infos describe devices.
func infos(devices []program.Device) []program.Info {
	var all []program.Info
	for _, dev := range devices {
		all = append(all, dev.Info())
	}
	return all
}

// speedsOf are what devices do in a second that need these times.
func speedsOf(times []time.Duration) []float64 {
	var speeds []float64
	for _, d := range times {
		speeds = append(speeds, 1/max(d, 1).Seconds())
	}
	return speeds
}

// shares deals n rows out in proportion to speeds, in multiples of unit but for the last
// device with any.
func shares(n int, speeds []float64, unit int) []int {
	total := 0.0
	for _, s := range speeds {
		total += s
	}
	counts := make([]int, len(speeds))
	left, sum := n, 0.0
	for i, s := range speeds {
		sum += s
		upTo := int(math.Round(float64(n)*sum/total/float64(unit))) * unit
		counts[i] = min(max(upTo-(n-left), 0), left)
		left -= counts[i]
	}
	counts[len(counts)-1] += left
	return counts
}

// leastRounds are timed however slow they are.
const leastRounds = 2

// race times ways of doing the same, alternating so that a disturbance meets all of them,
// at least some rounds and else as many as begin within budget, and gives the median of
// each. When ctx ends its cause comes back.
func race(ctx context.Context, least int, budget time.Duration, ways ...func() error) ([]time.Duration, error) {
	times := make([][]time.Duration, len(ways))
	begin := time.Now()
	for round := 0; round < least || time.Since(begin) < budget; round++ {
		for i, way := range ways {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			start := time.Now()
			if err := way(); err != nil {
				return nil, err
			}
			times[i] = append(times[i], time.Since(start))
		}
	}
	medians := make([]time.Duration, len(ways))
	for i, t := range times {
		slices.Sort(t)
		medians[i] = t[(len(t)-1)/2]
	}
	return medians, nil
}

// deviceError is what went wrong on one of several devices.
type deviceError struct {
	device int
	name   string
	err    error
}

func (e *deviceError) Error() string { return fmt.Sprintf("%s: %v", e.name, e.err) }
func (e *deviceError) Unwrap() error { return e.err }

// of names the device of an error.
func (s *Sharing) of(device int, err error) error {
	if err == nil {
		return nil
	}
	return &deviceError{device, s.Devices[device].Name, err}
}

// watch reports whether another device has come to stand in for dev since it was called,
// which is as good as its failure unless dev is the first, that would do the work then.
func watch(device int, dev program.Device) func() error {
	if device == 0 {
		return func() error { return nil }
	}
	before := dev.Info().Fallback
	return func() error {
		if why := dev.Info().Fallback; why != before {
			return errors.New(why)
		}
		return nil
	}
}
