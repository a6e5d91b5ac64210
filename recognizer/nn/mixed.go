package nn

import (
	"errors"
	"slices"
	"sync"
	"time"

	"inkshade/glcompute/program"
)

// Mixed runs a network on several devices at once, each with a share of the rows in
// proportion to its measured speed (Takizawa et al., 2009, between CPU and GPU). It is used
// only where it wins: when a mixed batch is not faster than the fastest device would have
// been alone, that one does all the rows from then on. It is not safe for use by several
// goroutines at once.
type Mixed struct {
	devices []*Inference
	classes int
	speeds  []float64 // rows a second of each device alone; nil before the first large batch
	mixed   float64   // rows a second of all together; 0 before they have been tried
	alone   int       // the device that does everything, -1 while they share
	now     func() time.Time

	logits, probabilities []float32
}

// NewMixed brings the network's parameters onto all the devices.
func NewMixed(net Network, devices ...program.Device) (*Mixed, error) {
	m := &Mixed{alone: -1, now: time.Now}
	for _, dev := range devices {
		inf, err := NewInference(dev, net)
		if err != nil {
			return nil, errors.Join(err, m.Close())
		}
		m.devices, m.classes = append(m.devices, inf), inf.classes
	}
	return m, nil
}

// Speeds are the rows a second of each device alone, and of all together; zero and nil
// before they are measured, which takes a batch of at least LargeBatch rows.
func (m *Mixed) Speeds() (alone []float64, together float64) { return slices.Clone(m.speeds), m.mixed }

// Wins reports whether large batches are shared.
func (m *Mixed) Wins() bool { return m.alone < 0 && m.mixed > 0 }

// Each computes all rows and calls yield with each in order; see Inference.Each.
func (m *Mixed) Each(rows [][]float32, yield func(i int, logits, probabilities []float32)) error {
	if len(rows) < LargeBatch {
		return m.devices[max(m.alone, 0)].Each(rows, yield)
	}
	if m.speeds == nil {
		if err := m.measure(rows[:LargeBatch]); err != nil {
			return err
		}
	}
	if m.alone >= 0 || len(rows) < len(m.devices)*LargeBatch {
		return m.devices[m.fastest()].Each(rows, yield)
	}
	start := m.now()
	if err := m.share(rows); err != nil {
		return err
	}
	m.judge(float64(len(rows)) / m.now().Sub(start).Seconds())
	for i := range rows {
		at := i * m.classes
		yield(i, m.logits[at:at+m.classes], m.probabilities[at:at+m.classes])
	}
	return nil
}

// measure takes the speed of each device alone, after a first run in which drivers compile.
func (m *Mixed) measure(rows [][]float32) error {
	var speeds []float64
	for _, inf := range m.devices {
		var elapsed time.Duration
		for range 2 {
			start := m.now()
			if err := inf.Each(rows, func(int, []float32, []float32) {}); err != nil {
				return err
			}
			elapsed = m.now().Sub(start)
		}
		speeds = append(speeds, float64(len(rows))/max(elapsed, 1).Seconds())
	}
	m.speeds = speeds
	return nil
}

func (m *Mixed) fastest() int {
	if m.alone >= 0 {
		return m.alone
	}
	return slices.Index(m.speeds, slices.Max(m.speeds))
}

// judge keeps the shortest time of a mixed batch and ends the mixing where one device alone
// is faster. The first batch is not counted: it may have compiled something.
func (m *Mixed) judge(speed float64) {
	first := m.mixed == 0
	m.mixed = max(m.mixed, speed)
	if !first && m.mixed < slices.Max(m.speeds) {
		m.alone = m.fastest()
	}
}

// share has every device compute its rows at the same time.
func (m *Mixed) share(rows [][]float32) error {
	m.logits = slices.Grow(m.logits[:0], len(rows)*m.classes)[:len(rows)*m.classes]
	m.probabilities = slices.Grow(m.probabilities[:0], len(rows)*m.classes)[:len(rows)*m.classes]
	counts := shares(len(rows), m.speeds, LargeBatch)
	errs := make([]error, len(m.devices))
	var all sync.WaitGroup
	first := 0
	for n, inf := range m.devices {
		from, part := first, rows[first:first+counts[n]]
		first += counts[n]
		if len(part) == 0 {
			continue
		}
		all.Go(func() {
			errs[n] = inf.Each(part, func(i int, logits, probabilities []float32) {
				copy(m.logits[(from+i)*m.classes:], logits)
				copy(m.probabilities[(from+i)*m.classes:], probabilities)
			})
		})
	}
	all.Wait()
	return errors.Join(errs...)
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
		upTo := int(float64(n)*sum/total/float64(unit)+0.5) * unit
		counts[i] = min(max(upTo-(n-left), 0), left)
		left -= counts[i]
	}
	counts[len(counts)-1] += left
	return counts
}

// Close frees what all devices hold.
func (m *Mixed) Close() error {
	var errs []error
	for _, inf := range m.devices {
		errs = append(errs, inf.Close())
	}
	return errors.Join(errs...)
}
