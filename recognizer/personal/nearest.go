package personal

import (
	"math"

	"inkshade/recognizer/ink"
)

// Near is a remembered drawing near to another one.
type Near struct {
	ID int64
	// Distance is 1 where it is as far away as a drawing of this writer usually is from the nearest
	// other one of its label.
	Distance float64
}

// Nearest gives for each of the labels the remembered drawing that is nearest to one, of which image is
// the picture and k the strokes, nil for none. Labels that are not remembered are left out.
func (m *Memory) Nearest(image ink.Image, k ink.Ink, labels ...string) map[string]Near {
	at := pointOf(image, k)
	m.mu.RLock()
	defer m.mu.RUnlock()
	all := map[string]Near{}
	for _, label := range labels {
		best := Near{Distance: math.Inf(1)}
		for _, t := range m.traces[label] {
			if d := math.Sqrt(compare(at, t.at).in(m.units) / twinDistance); d < best.Distance {
				best = Near{t.id, d}
			}
		}
		if !math.IsInf(best.Distance, 1) {
			all[label] = best
		}
	}
	return all
}
