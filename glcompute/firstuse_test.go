package glcompute

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"inkshade/glcompute/internal/cache"
)

// fault is what the checking process of a test does instead of its work.
const fault = "INKSHADE_TEST_FAULT"

// TestCheckingProcess is that process, and nothing where no test has started it.
func TestCheckingProcess(t *testing.T) {
	f := os.Getenv(fault)
	if f == "" {
		return
	}
	if tries, err := os.OpenFile(os.Getenv("INKSHADE_TEST_TRIES"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		tries.WriteString(f + "\n")
		tries.Close()
	}
	o := Options{Cache: "off"}
	switch f {
	case "abort":
		p, _ := os.FindProcess(os.Getpid())
		p.Signal(syscall.SIGABRT)
		select {}
	case "hang":
		select {}
	case "wrong":
		o.edit = wrongSums
	case "busy":
		once := sync.OnceFunc(func() {
			for begin := time.Now(); time.Since(begin) < patience+3*pulse; time.Sleep(pulse / 10) {
				for work := time.Now(); time.Since(work) < pulse/50; {
				}
			}
		})
		o.edit = func(_, text string) string { once(); return text }
	}
	if err := o.checkDriver(DeviceKind(os.Args[len(os.Args)-1]), os.Stdout); err != nil {
		t.Fatal(err)
	}
	os.Exit(0) // and no word of the test
}

// wrongSums changes shaders of products so that their sums do not begin with zero.
func wrongSums(_, text string) string {
	return regexp.MustCompile(`(\bsum\[[^]]*\] = vec4\()0\.0`).ReplaceAllString(text, "${1}0.25")
}

// checkedBy are options whose drivers a process with a fault tries, and the number of tries so far.
func checkedBy(t *testing.T, f string) (Options, func() int) {
	t.Helper()
	opened.Lock()
	clear(opened.keys)
	opened.Unlock()
	tries := filepath.Join(t.TempDir(), "tries")
	t.Setenv(fault, f)
	t.Setenv("INKSHADE_TEST_TRIES", tries)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Options{Cache: t.TempDir(), checker: []string{program, "-test.run=^TestCheckingProcess$"}}, func() int {
		text, _ := os.ReadFile(tries)
		return strings.Count(string(text), "\n")
	}
}

func TestDriverThatFailsItsTrialIsLeftOut(t *testing.T) {
	for f, want := range map[string]string{
		"abort": "it ended a process that tried it (SIGABRT", "hang": "did not go on for 10s", "wrong": "computes wrongly",
	} {
		t.Run(f, func(t *testing.T) {
			o, tries := checkedBy(t, f)
			for range 2 {
				dev, err := o.Open(Fragment)
				if err == nil {
					dev.Close()
					t.Fatal("the driver was used")
				}
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v, want %q", err, want)
				}
			}
			if n := tries(); n != 1 {
				t.Errorf("%d tries, want one that is remembered", n)
			}
			dev := o.OpenOrCPU(Fragment)
			defer dev.Close()
			if info := dev.Info(); info.Kind != CPU || !strings.Contains(info.Fallback.String(), want) {
				t.Errorf("%+v", info)
			}
		})
	}
}

// A step that takes longer than patience, but works a little all the time, is one on a busy machine.
func TestADriverIsNotLeftOutOnABusyMachine(t *testing.T) {
	o, tries := checkedBy(t, "busy")
	begin := time.Now()
	dev, err := o.Open(Fragment)
	if err != nil {
		t.Fatal(err)
	}
	dev.Close()
	if took := time.Since(begin); took < patience || tries() != 1 {
		t.Errorf("%d tries within %v", tries(), took)
	}
}

func TestDriverIsTriedAgainForAnotherBuildOrDriver(t *testing.T) {
	o, tries := checkedBy(t, "none")
	open := func(what string, want int) {
		t.Helper()
		opened.Lock()
		clear(opened.keys) // as another process would begin
		opened.Unlock()
		dev, err := o.Open(Fragment)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		dev.Close()
		if n := tries(); n != want {
			t.Errorf("%s: %d tries, want %d", what, n, want)
		}
	}
	open("the first start", 1)
	open("the second start", 1)

	files, key := cache.Named(o.Cache), o.checkKey(Fragment)
	v, ok := keptVerdict(files, key)
	if !ok || !strings.Contains(v.Driver, "; ") {
		t.Fatalf("kept %+v, %t", v, ok)
	}
	v.Driver += ", an older one"
	v.keep(files, key)
	open("another driver", 2)
	files.Remove(key)
	open("the start after one that ended while the driver was opened", 3)

	build := filepath.Join(t.TempDir(), "rebuilt")
	text, err := os.ReadFile(o.checker[0])
	if err == nil {
		err = os.WriteFile(build, text, 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	o.checker = append([]string{build}, o.checker[1:]...)
	open("another build", 4)
	if err := os.Chtimes(build, time.Now(), time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	open("the build made anew", 5)
	t.Setenv("GALLIUM_DRIVER", "llvmpipe")
	open("another environment", 6)

	v = verdict{Ended: "signal: aborted", At: time.Now().Add(-believed)}
	v.keep(files, o.checkKey(Fragment))
	open("the day after a failure", 7)
	v = verdict{Silent: true, At: time.Now().Add(-believedSilent)}
	v.keep(files, o.checkKey(Fragment))
	open("a while after a hang", 8)
}
