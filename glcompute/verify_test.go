package glcompute

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"inkshade/glcompute/internal/program"
)

// Mesa's softpipe reads large buffer textures at wrong places. Where that is so, it must be left
// out with a sentence, and the processor stands in; where it has been mended, it must be right. A machine without Mesa
// takes its own driver, which must be right too.
func TestWrongDriverIsLeftOut(t *testing.T) {
	if os.Getenv("GALLIUM_DRIVER") != "softpipe" {
		again := exec.Command(os.Args[0], "-test.run=^TestWrongDriverIsLeftOut$", "-test.v")
		again.Env = append(os.Environ(), "GALLIUM_DRIVER=softpipe", "INKSHADE_CACHE=off")
		if out, err := again.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	dev := OpenOrCPU(Fragment)
	defer dev.Close()
	if reason := dev.Info().Fallback.String(); reason != "" && !strings.Contains(reason, "computes wrongly with fragment shaders") {
		t.Fatal(reason)
	}
	p := program.New()
	a, b := p.Input(8, 500), p.Input(500, 250)
	out := p.Product(program.Plain(a), program.Plain(b))
	run, err := dev.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	x, y, got := make([]float32, a.Len()), make([]float32, b.Len()), make([]float32, out.Len())
	for i := range x {
		x[i] = float32(i % 7)
	}
	for i := range y {
		y[i] = float32(i%11 - 5)
	}
	if err := run.Do(In(a, x), In(b, y), Out(out, got)); err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		want := float32(0) // whole numbers are exact
		for k := range a.Cols {
			want += x[i/out.Cols*a.Cols+k] * y[k*b.Cols+i%out.Cols]
		}
		if v != want {
			t.Fatalf("%s: value %d is %g, want %g", run.Info().Name, i, v, want)
		}
	}
}
