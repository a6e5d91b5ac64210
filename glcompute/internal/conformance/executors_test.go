package conformance

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute"
	"inkshade/glcompute/compute"
	"inkshade/glcompute/cpu"
	"inkshade/glcompute/fragment"
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/internal/program"
)

// The limits that OpenGL 3.3 and 4.3 promise, and OpenGL ES 3.0 and 3.1: the suites run on drivers that can do no more than
// they must.
var (
	leastFragment = map[uint32]int32{gl.MAX_TEXTURE_SIZE: 1024, gl.MAX_ARRAY_TEXTURE_LAYERS: 256, gl.MAX_TEXTURE_BUFFER_SIZE: 65536}
	leastCompute  = map[uint32]int32{gl.MAX_TEXTURE_SIZE: 16384, gl.MAX_TEXTURE_BUFFER_SIZE: 65536, gl.MAX_SHADER_STORAGE_BLOCK_SIZE: 1 << 24}
	smallTextures = map[uint32]int32{gl.MAX_TEXTURE_SIZE: 40} // beyond which nearly every matrix goes
	leastES       = map[uint32]int32{gl.MAX_TEXTURE_SIZE: 2048, gl.MAX_ARRAY_TEXTURE_LAYERS: 256, gl.MAX_SHADER_STORAGE_BLOCK_SIZE: 1 << 27}
)

// withES is whether OpenGL ES is asked for on this system.
const withES = runtime.GOOS == "linux"

// opened gives what an executor opened, closed at the end of the test. An executor that cannot be had is a failure.
func opened(t *testing.T, dev program.Device, err error) program.Device {
	t.Helper()
	must(t, err)
	t.Cleanup(func() { dev.Close() })
	return dev
}

func openCPU(t *testing.T) program.Device {
	dev, err := cpu.Open()
	return opened(t, dev, err)
}

func openFragment(t *testing.T, o fragment.Options) program.Device {
	dev, err := fragment.OpenWith(o)
	return opened(t, dev, err)
}

func openCompute(t *testing.T, o compute.Options) program.Device {
	dev, err := compute.OpenWith(o)
	return opened(t, dev, err)
}

// narrower are the settings of the environment by which the processor has narrower vectors than those named.
var narrower = map[string][]string{
	"AVX-512": {"cpu.avx512f=off", "cpu.avx512f=off,cpu.avx2=off"},
	"AVX2":    {"cpu.avx2=off"},
}

// The processor passes with each width of its vectors, the narrower ones in processes of their own.
func TestConformanceCPU(t *testing.T) {
	dev := openCPU(t)
	engine, _, _ := strings.Cut(dev.Info().Version, ",")
	t.Run(engine, func(t *testing.T) { suite(t, dev) })
	if os.Getenv("GODEBUG") != "" {
		return
	}
	for _, setting := range narrower[engine] {
		t.Run(setting, func(t *testing.T) {
			c := exec.Command(os.Args[0], "-test.run=^TestConformanceCPU$", "-test.v", fmt.Sprintf("-test.short=%t", testing.Short()))
			c.Env = append(os.Environ(), "GODEBUG="+setting)
			said, err := c.CombinedOutput()
			if err != nil || strings.Contains(string(said), "/"+engine+"/") || strings.Count(string(said), "--- PASS") < 300 {
				t.Errorf("%v\n%s", err, said)
			}
		})
	}
}

// Also when nearly every matrix is folded into several layers, and draws are cut into bands.
func TestConformanceFragment(t *testing.T) {
	ways := map[string]fragment.Options{
		"textures": {Reads: fragment.ReadsMemory, Limits: leastFragment},
		"folded":   {Reads: fragment.ReadsMemory, PieceWork: 1 << 16, Limits: smallTextures},
		"unpacked": {Unpacked: true},
		"ES":       {ES: true, Limits: leastES},
	}
	if !withES {
		delete(ways, "ES")
	}
	for name, o := range ways {
		t.Run(name, func(t *testing.T) { suite(t, openFragment(t, o)) })
	}
}

// Only products read mirrors.
func TestMirrors(t *testing.T) {
	for name, o := range map[string]fragment.Options{
		"planes": {Reads: gldevice.ReadsView, Limits: leastFragment},
		"folded": {Reads: gldevice.ReadsView, Limits: smallTextures},
	} {
		t.Run(name, func(t *testing.T) {
			dev := openFragment(t, o)
			checkAll(t, dev, networkCases())
			products(t, dev)
			trainingParity(t, dev)
		})
	}
}

// OpenGL ES may have four render targets only.
func TestFewTargets(t *testing.T) {
	dev := openFragment(t, fragment.Options{ES: withES, Limits: map[uint32]int32{gl.MAX_DRAW_BUFFERS: 4}})
	products(t, dev)
	checkAll(t, dev, slices.Concat(updateCases(), networkCases()))
}

// Both ways of reading tensors pass, also when dispatches are cut into pieces.
func TestConformanceCompute(t *testing.T) {
	ways := map[string]compute.Options{
		"texture": {Reads: gldevice.ReadsView, Limits: leastCompute},
		"buffer":  {Reads: gldevice.ReadsMemory, PieceWork: 1 << 16, Limits: leastCompute},
		"ES":      {ES: true, Limits: leastES},
	}
	if !withES {
		delete(ways, "ES")
	}
	for name, o := range ways {
		t.Run(name, func(t *testing.T) { suite(t, openCompute(t, o)) })
	}
}

// second is a processor by another name.
type second struct{ program.Device }

func (d second) Info() program.Info {
	info := d.Device.Info()
	info.Name = "second"
	return info
}

// Auto moves parameters between two processors while they are compared.
func TestConformanceAuto(t *testing.T) {
	suite(t, glcompute.NewAuto(nil, openCPU(t), second{openCPU(t)}))
}

// With the processor behind it nothing is different.
func TestConformanceStandIn(t *testing.T) {
	suite(t, glcompute.NewStandIn(openCPU(t), openCPU(t), nil))
}

// What each numbered variant of an operation must pass.
var variants = map[string]func(*testing.T, program.Device){glops.ProductName: products, "softmax": softmax, glops.NearestName: nearest}

// Every variant is right at awkward shapes, on a device that always takes it.
func TestVariants(t *testing.T) {
	check := func(t *testing.T, operations []gldevice.Tunable, open func(t *testing.T, o gldevice.Options) program.Device) {
		for _, o := range operations {
			for i, name := range o.Variants {
				t.Run(fmt.Sprint(o.Name, " ", i+1, " ", name), func(t *testing.T) {
					variants[o.Name](t, open(t, gldevice.Options{Variants: map[string]int{o.Name: i + 1}}))
				})
			}
		}
	}
	t.Run("fragment", func(t *testing.T) { check(t, fragment.Tunables(), openFragment) })
	t.Run("compute", func(t *testing.T) { check(t, compute.Tunables(), openCompute) })
}

func TestTinyUpdatesArriveInTwoFloats(t *testing.T) {
	t.Run("CPU", func(t *testing.T) { tinyUpdates(t, openCPU(t)) })
	t.Run("fragment", func(t *testing.T) { tinyUpdates(t, openFragment(t, fragment.Options{})) })
	t.Run("compute", func(t *testing.T) { tinyUpdates(t, openCompute(t, compute.Options{})) })
}

// The image matrix of a convolution is never stored. Mirrors, which only software renderers have, are copies of what products
// read. The processor packs the filters once for each of the two products, sums the gradient of filters up in eight parts,
// and each thread makes tiles of the image matrix that stay in its cache.
func TestConvolutionMemory(t *testing.T) {
	const filters, tile, step = 25 * 32 * 64, 48 << 10, 512 * 64
	t.Run("CPU", func(t *testing.T) {
		convolutionMemory(t, openCPU(t), (2+8)*filters+runtime.GOMAXPROCS(0)*(3*tile+step))
	})
	t.Run("fragment", func(t *testing.T) {
		convolutionMemory(t, openFragment(t, fragment.Options{Reads: fragment.ReadsMemory}), 0)
	})
	t.Run("compute", func(t *testing.T) { convolutionMemory(t, openCompute(t, compute.Options{}), 0) })
}
