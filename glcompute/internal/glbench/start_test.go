package glbench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"inkshade/glcompute/internal/cache"
	"inkshade/glcompute/internal/program"
)

// startVariable names the environment variable that makes a test process one start of the
// program: a folder for the cache, the time for trials, and "tune" to tune at the end.
const startVariable = "INKSHADE_TEST_START"

// start is what a start of the program has seen.
type start struct {
	Compiled, Restored int
	Left               int    // variants that have not been measured
	Numbers            uint64 // digest of the results
}

// measuring is an OpenGL device, beyond program.Device.
type measuring interface {
	program.Device
	Shaders() (compiled, restored int)
	Selections() ([]program.Selection, error)
	Tune(ctx context.Context, all bool, before func(program.Tuning)) error
}

// checkSecondStart starts the program twice, in processes of their own, with one cache, and
// lets it recognise and train: the second start compiles nothing and gives the same
// numbers, whether the time for trials was enough, ran out on the way or was over at once.
// After tuning nothing is left over, and soon nothing is compiled again.
func checkSecondStart(t *testing.T, open opener) {
	if how := os.Getenv(startVariable); how != "" {
		begin(t, strings.Split(how, "\n"), open)
		return
	}
	for name, trials := range map[string]time.Duration{"enough": time.Minute, "some": 50 * time.Millisecond, "none": 1} {
		t.Run(name, func(t *testing.T) {
			files := t.TempDir()
			first := again(t, files, trials, "")
			t.Logf("first start: %+v", first)
			if first.Compiled == 0 || first.Restored > 0 {
				t.Errorf("the first start: %+v, want everything compiled", first)
			}
			if name == "enough" && first.Left > 0 || name == "none" && first.Left == 0 {
				t.Errorf("%d variants left, the time being %s", first.Left, name)
			}
			second := again(t, files, trials, "")
			if second.Compiled > 0 || second.Restored == 0 || second.Left != first.Left || second.Numbers != first.Numbers {
				t.Errorf("the second start: %+v after %+v", second, first)
			}
			if name != "none" {
				return
			}
			tuned := again(t, files, trials, "tune")
			if tuned.Left > 0 || tuned.Numbers != first.Numbers {
				t.Errorf("tuning: %+v after %+v, want nothing left and the same numbers", tuned, first)
			}
			again(t, files, trials, "") // shaders of winners that tuning has not seen
			if last := again(t, files, trials, ""); last.Compiled > 0 {
				t.Errorf("after tuning: %+v", last)
			}
		})
	}
}

// again runs this test in another process.
func again(t *testing.T, files string, trials time.Duration, then string) start {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+strings.Split(t.Name(), "/")[0]+"$", "-test.v")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s\n%d\n%s", startVariable, files, trials, then))
	out, err := cmd.CombinedOutput()
	_, after, ok := strings.Cut(string(out), reportMark)
	line, _, _ := strings.Cut(after, "\n")
	var s start
	if err != nil || !ok || json.Unmarshal([]byte(line), &s) != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return s
}

// reportMark stands before what a start reports to its parent.
const reportMark = "start: "

// begin is one start: it recognises one drawing and a few, trains a step, and reports.
func begin(t *testing.T, how []string, open opener) {
	trials, err := time.ParseDuration(how[1] + "ns")
	if err != nil {
		t.Fatal(err)
	}
	opened, err := open(cache.In(how[0]), trials, nil)
	if err != nil {
		t.Fatal(err)
	}
	dev := opened.(measuring)
	defer dev.Close()
	digest := fnv.New64a()
	for _, rows := range []int{1, 12} {
		p := program.New()
		x := p.Input(rows, in)
		y, _ := network(p, x)
		work(t, dev, p, digest.Write, y, program.In(x, values(rows*in)))
	}
	p, loss, bindings := step(24)
	work(t, dev, p, digest.Write, loss, bindings...)
	var s start
	s.Compiled, s.Restored = dev.Shaders()
	s.Numbers = digest.Sum64()
	if how[2] == "tune" {
		ctx, cancel := context.WithCancel(t.Context())
		if err := dev.Tune(ctx, false, func(program.Tuning) { cancel() }); !errors.Is(err, context.Canceled) {
			t.Fatalf("interrupted tuning gives %v", err)
		}
		asked, total := 0, 0
		if err := dev.Tune(t.Context(), false, func(s program.Tuning) { asked, total = asked+1, s.Total }); err != nil {
			t.Fatal(err)
		}
		if asked == 0 || asked != total {
			t.Errorf("tuning asked for %d trials and spoke of %d", asked, total)
		}
	}
	all, err := dev.Selections()
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		s.Left += one.Left()
	}
	report, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(reportMark + string(report))
}

// work compiles a program, runs it and digests one of its tensors.
func work(t *testing.T, dev program.Device, p *program.Program, write func([]byte) (int, error), result *program.Tensor, bindings ...program.Binding) {
	t.Helper()
	run, err := dev.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float32, result.Rows*result.Cols)
	if err := run.Do(append(bindings, program.Out(result, got))...); err != nil {
		t.Fatal(err)
	}
	for _, v := range got {
		bits := math.Float32bits(v)
		write([]byte{byte(bits), byte(bits >> 8), byte(bits >> 16), byte(bits >> 24)})
	}
}
