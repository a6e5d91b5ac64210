//go:build linux && cgo

package state

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"inkshade/glcompute"
	"inkshade/recognizer/personal"
	"inkshade/recognizer/samples"
)

// lostFile names the file with which testdata/losing.c loses all contexts.
const lostFile = "INKSHADE_LOST"

// systemEGL asks the compiler where the library is that losing.c hands calls on to.
func systemEGL(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("cc", "-print-file-name=libEGL.so.1").Output()
	path := strings.TrimSpace(string(out))
	if err != nil || !filepath.IsAbs(path) {
		t.Fatalf("libEGL.so.1 is not found: %q, %v; .ci/setup test installs it", path, err)
	}
	return path
}

// TestContextLostWhileTraining trains on a driver that resets in the middle of it: the training goes on on the
// processor and says so, and everything that was kept is there. The test runs itself with that driver in place of
// the system's.
func TestContextLostWhileTraining(t *testing.T) {
	if os.Getenv(lostFile) == "" {
		dir, egl := t.TempDir(), systemEGL(t)
		build := exec.Command("cc", "-shared", "-fPIC", "-o", filepath.Join(dir, "libEGL.so.1"), `-DSYSTEM_EGL="`+egl+`"`, "testdata/losing.c", "-ldl")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		again := exec.Command(os.Args[0], "-test.run", "^TestContextLostWhileTraining$", "-test.v")
		again.Env = append(os.Environ(), lostFile+"="+filepath.Join(dir, "lost"), "LD_LIBRARY_PATH="+dir)
		if out, err := again.CombinedOutput(); err != nil || strings.Count(string(out), "--- PASS") != 5 {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	for _, kind := range []glcompute.DeviceKind{glcompute.Compute, glcompute.Fragment, glcompute.Mixed, glcompute.Auto} {
		t.Run(string(kind), func(t *testing.T) {
			f := learning(t, 12)
			f.Learner.Learn, f.Learner.Open = personal.Train, glcompute.OpenOrCPU
			o := DefaultOptions()
			o.Device, o.Steps = kind, 20
			lost := os.Getenv(lostFile)
			train := func(during func()) Training {
				e, err := f.Train(t.Context(), base, o, func(p personal.Progress) {
					if p.Stage == personal.Learning && p.Step >= 5 {
						during()
					}
				})
				if err != nil {
					t.Fatal(err)
				}
				return e
			}
			e := train(func() {
				if err := os.WriteFile(lost, nil, 0o600); err != nil {
					t.Error(err)
				}
			})
			if err := os.Remove(lost); err != nil {
				t.Fatalf("the context was not lost: %v", err)
			}
			const sentence = "stopped working: the OpenGL context was lost"
			if alone := kind == glcompute.Compute || kind == glcompute.Fragment; alone && !strings.Contains(e.Report.Fallback.String(), sentence) {
				t.Errorf("the report says %q, and does not tell of the loss", e.Report.Fallback)
			}
			if all, err := f.store.List(samples.Filter{}); err != nil || len(all) != 12 {
				t.Errorf("%d samples, error %v", len(all), err)
			}
			if id, err := f.activeID(base); err != nil || (id == e.ID) != e.Active {
				t.Errorf("in force is %d, trained was %d, which says that it is in force: %v; error %v", id, e.ID, e.Active, err)
			}
			if next := train(func() {}); strings.Contains(next.Report.Fallback.String(), sentence) {
				t.Errorf("the next training says %q", next.Report.Fallback)
			}
		})
	}
}
