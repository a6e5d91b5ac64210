package dataset

import (
	"math"
	"math/rand/v2"
	"sync/atomic"
)

// Elastic displacements are noise on a coarse grid, one node every sigma pixels, smoothed
// by the same Gaussian as noise on every pixel would be: what the finer noise adds the
// Gaussian removes. At this distance the sum of the kernels is even to one part in ten
// thousand.
const (
	reach    = 3                  // sigmas after which the Gaussian ends
	taps     = 2 * reach          // nodes within reach of a pixel
	maxNodes = side + 2*reach + 1 // along an axis, for the smallest sigma, 1
)

// kernel holds what depends on sigma alone.
type kernel struct {
	sigma   float64
	nodes   int
	first   [side]int           // the first node within reach of a pixel
	weights [side][taps]float32 // of the nodes from first on
}

// recent is the kernel of the last sigma asked for; a training uses one.
var recent atomic.Pointer[kernel]

func newKernel(sigma float64) *kernel {
	k := &kernel{sigma: sigma}
	for i := range side {
		at := float64(i)/sigma + reach // in nodes; node 0 lies reach sigmas before the image
		k.first[i] = int(at) - reach + 1
		power := 0.0
		for t := range taps {
			d := at - float64(k.first[i]+t)
			w := math.Exp(-d * d / 2)
			k.weights[i][t] = float32(w)
			power += w * w
		}
		// Noise on every pixel would have the power 1/(2√π sigma) along an axis.
		scale := float32(math.Sqrt(1 / (2 * math.Sqrt(math.Pi) * sigma) / power))
		for t := range taps {
			k.weights[i][t] *= scale
		}
		k.nodes = max(k.nodes, k.first[i]+taps)
	}
	return k
}

// addElastic adds smoothed noise times alpha to both coordinates.
func (f *field) addElastic(alpha, sigma float64, rng *rand.Rand) {
	k := recent.Load()
	if k == nil || k.sigma != sigma {
		k = newKernel(sigma)
		recent.Store(k)
	}
	var noise [maxNodes * maxNodes]float32
	for _, target := range []*[pixels]float32{&f.x, &f.y} {
		fill(noise[:k.nodes*k.nodes], float32(alpha), rng)
		k.add(target, noise[:])
	}
}

// fill draws even noise from -scale to scale, four values from each 64 random bits.
func fill(noise []float32, scale float32, rng *rand.Rand) {
	scale /= 1 << 15
	for i := 0; i < len(noise); i += 4 {
		bits := rng.Uint64()
		for j := i; j < min(i+4, len(noise)); j++ {
			noise[j] = scale * (float32(int16(bits)) + 0.5)
			bits >>= 16
		}
	}
}

// add smooths the noise along y, a row of pixels at a time, then along x.
func (k *kernel) add(target *[pixels]float32, noise []float32) {
	var column [maxNodes]float32
	for i := range side {
		clear(column[:k.nodes])
		for t, w := range k.weights[i] {
			for j, v := range noise[(k.first[i]+t)*k.nodes:][:k.nodes] {
				column[j] += w * v
			}
		}
		for j := range side {
			c := column[k.first[j]:][:taps]
			w := &k.weights[j]
			target[i*side+j] += w[0]*c[0] + w[1]*c[1] + w[2]*c[2] + w[3]*c[3] + w[4]*c[4] + w[5]*c[5]
		}
	}
}
