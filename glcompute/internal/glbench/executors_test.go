// Package glbench tests and times the OpenGL executors by what they have in common: numbered variants,
// choices and linked programs that are kept for the next start.
package glbench

import (
	"os"
	"testing"
	"time"

	"inkshade/glcompute/compute"
	"inkshade/glcompute/fragment"
	"inkshade/glcompute/internal/cache"
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
)

// opener opens a device of an executor with a cache, which may be nil, a time for trials, 0 standing for
// the usual one, and variants that are always taken.
type opener func(files *cache.Folder, trials time.Duration, variants map[string]int) (program.Device, error)

func openCompute(files *cache.Folder, trials time.Duration, variants map[string]int) (program.Device, error) {
	return compute.OpenWith(compute.Options{Cache: files, TrialTime: trials, Variants: variants})
}

func openFragment(files *cache.Folder, trials time.Duration, variants map[string]int) (program.Device, error) {
	return fragment.OpenWith(fragment.Options{Cache: files, TrialTime: trials, Variants: variants})
}

func TestPairsCompute(t *testing.T)  { checkPairs(t, openCompute) }
func TestPairsFragment(t *testing.T) { checkPairs(t, openFragment) }

func TestTooLongIsRefusedCompute(t *testing.T)  { checkLong(t, openCompute) }
func TestTooLongIsRefusedFragment(t *testing.T) { checkLong(t, openFragment) }

func TestSecondStartCompilesNothingCompute(t *testing.T)  { checkSecondStart(t, openCompute) }
func TestSecondStartCompilesNothingFragment(t *testing.T) { checkSecondStart(t, openFragment) }

// Tables of the times of all variants, which one round gives: -benchtime 1x.
func BenchmarkVariantsCompute(b *testing.B)  { timeVariants(b, compute.Tunables(), openCompute) }
func BenchmarkVariantsFragment(b *testing.B) { timeVariants(b, fragment.Tunables(), openFragment) }

func BenchmarkCompute(b *testing.B)  { timed(b, openCompute, timeNetwork) }
func BenchmarkFragment(b *testing.B) { timed(b, openFragment, timeNetwork) }

func BenchmarkConvolutionalCompute(b *testing.B)  { timed(b, openCompute, timeConvolutional) }
func BenchmarkConvolutionalFragment(b *testing.B) { timed(b, openFragment, timeConvolutional) }

// BenchmarkPacking compares four values in a texel with one, where products read from mirrors
// in buffer textures and where they read from the textures themselves.
func BenchmarkPacking(b *testing.B) {
	for _, operands := range []struct {
		name string
		from gldevice.Reads
	}{{"from buffers", gldevice.ReadsView}, {"from textures", gldevice.ReadsMemory}} {
		for _, unpacked := range []bool{false, true} {
			name := "packed "
			if unpacked {
				name = "unpacked "
			}
			b.Run(name+operands.name, func(b *testing.B) {
				timed(b, func(*cache.Folder, time.Duration, map[string]int) (program.Device, error) {
					return fragment.OpenWith(fragment.Options{Unpacked: unpacked, Reads: operands.from})
				}, timeSmall)
			})
		}
	}
}

// timed opens a device that keeps what it measures, measures on it and closes it.
func timed(b *testing.B, open opener, measure func(*testing.B, program.Device)) {
	dev, err := open(cache.Named(os.Getenv(cache.Variable)), 0, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer dev.Close()
	measure(b, dev)
}
