package device

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"inkshade/glcompute"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/inputformat"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/personal"
)

func labelled(t *testing.T, labels ...string) *nn.Model {
	t.Helper()
	m, err := model(t)
	if err != nil {
		t.Fatal(err)
	}
	m.Network = nn.NewNetwork([]int{m.Network.Width(), 8, len(labels)}, "tanh", 2)
	m.Labels = labels
	return m
}

func (r *rig) best(t *testing.T, k ink.Ink) (label string, classes int, by Side) {
	t.Helper()
	a, by, err := r.Recognize(k, false)
	if err != nil {
		t.Fatal(err)
	}
	return a.Candidates[0].Label, len(a.Candidates), by
}

func TestAnotherModelOnBothDevices(t *testing.T) {
	r := newRig(t, glcompute.Auto)
	r.prepare()
	if err := r.Use("letters", labelled(t, "a", "b")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []Choice{ChooseCPU, ChooseGPU} {
		r.Choose(c)
		if label, n, by := r.best(t, drawing); n != 2 || label != "a" && label != "b" {
			t.Errorf("the %s answers %s of %d classes", by, label, n)
		}
	}
	if s := r.last(); s.Model != "letters" || len(s.Labels) != 2 || s.GPU.State != Ready || r.closed != 0 {
		t.Errorf("status %+v, %d devices closed", s, r.closed)
	}
	if err := r.Use("no such model", nil); err == nil {
		t.Error("a model that is not there was put in use")
	}
	if s := r.last(); s.Model != "letters" {
		t.Errorf("after the refusal: %+v", s)
	}
}

func TestModelThatNoDeviceTakesLeavesTheOneBefore(t *testing.T) {
	r := newRig(t, glcompute.Auto)
	r.prepare()
	bad := labelled(t, "a", "b")
	bad.Preprocessing = "unheard of"
	if err := r.Use("bad", bad); err == nil {
		t.Fatal("no error")
	}
	if _, n, _ := r.best(t, drawing); n != 3 || r.last().Model != "test" || len(r.last().Labels) != 3 {
		t.Errorf("%d classes answer, status %+v", n, r.last())
	}
}

func TestModelAskedForBeforeTheDevicesAreReadyIsTheOneThatAnswers(t *testing.T) {
	r := newRig(t, glcompute.Auto)
	open := r.open
	r.open = func(k glcompute.DeviceKind) (glcompute.Device, error) {
		if k == glcompute.Compute {
			if err := r.Use("letters", labelled(t, "a", "b")); err != nil {
				t.Error(err)
			}
		}
		return open(k)
	}
	r.prepare()
	if _, n, by := r.best(t, drawing); n != 2 || by != GPU {
		t.Errorf("the %s answers with %d classes", by, n)
	}
}

// A model that is asked for while the first is read answers, though the first cannot be read.
func TestModelAskedForWhileABrokenOneIsRead(t *testing.T) {
	r := newRig(t, glcompute.Auto)
	r.load = func(string) (*nn.Model, *inputformat.Inferred, error) {
		return nil, nil, errors.Join(errors.New("broken"), r.Use("letters", labelled(t, "a", "b")))
	}
	if s := r.prepare(); s.Answering != GPU || s.Model != "letters" {
		t.Fatalf("status %+v", s)
	}
	if _, n, _ := r.best(t, drawing); n != 2 {
		t.Errorf("%d classes answer", n)
	}
}

// A GPU that becomes ready while another model is put in use gets that one, too. The lock is held until both wait for it, and
// taken from the first once more, after which a mutex goes by the order of asking: putting the model in use, the GPU, and
// whatever putting it in use has left to do.
func TestModelChangesAtTheInstantAGPUBecomesReady(t *testing.T) {
	r := newRig(t, glcompute.Auto)
	used := make(chan error)
	var once sync.Once
	r.replayed = func(kind glcompute.DeviceKind) {
		once.Do(func() {
			r.Engine.mu.Lock()
			go func() { used <- r.Use("letters", labelled(t, "a", "b")) }()
			time.Sleep(20 * time.Millisecond)
			go func() {
				for range 2 {
					time.Sleep(20 * time.Millisecond)
					r.Engine.mu.Unlock()
					r.Engine.mu.Lock()
				}
				r.Engine.mu.Unlock()
			}()
		})
	}
	r.prepare()
	if err := <-used; err != nil {
		t.Fatal(err)
	}
	for _, c := range []Choice{ChooseCPU, ChooseGPU} {
		r.Choose(c)
		if _, n, by := r.best(t, drawing); n != 2 || r.last().Model != "letters" {
			t.Errorf("the %s answers with %d classes, %s is said to be in use", by, n, r.last().Model)
		}
	}
}

func TestMemoryAnswersOnEveryDevice(t *testing.T) {
	r := newRig(t, glcompute.Auto)
	m := personal.NewMemory()
	r.Remember(m)
	r.prepare()
	if err := m.Add(t.Context(), personal.Sample{ID: 1, Label: "star", Ink: drawing}); err != nil {
		t.Fatal(err)
	}
	r.Remember(m)
	for _, c := range []Choice{ChooseCPU, ChooseGPU} {
		r.Choose(c)
		if label, _, by := r.best(t, drawing); label != "star" {
			t.Errorf("the %s answers %s to a remembered drawing", by, label)
		}
	}
}

func TestRestriction(t *testing.T) {
	r := newRig(t, glcompute.Auto)
	only := func(labels ...string) func(string) bool {
		return func(l string) bool {
			for _, x := range labels {
				if x == l {
					return true
				}
			}
			return false
		}
	}
	if err := r.Restrict(only("2", "star")); err != nil {
		t.Fatal(err)
	}
	r.prepare()
	if label, n, _ := r.best(t, drawing); label != "2" || n != 1 {
		t.Errorf("%s of %d classes answers", label, n)
	}
	if err := r.Restrict(only("x")); err == nil {
		t.Error("nothing at all may be answered")
	}
	m := personal.NewMemory()
	if err := m.Add(t.Context(), personal.Sample{ID: 1, Label: "star", Ink: drawing}); err != nil {
		t.Fatal(err)
	}
	r.Remember(m)
	if label, n, _ := r.best(t, drawing); label != "star" || n != 2 {
		t.Errorf("with a remembered class: %s of %d", label, n)
	}
	if err := r.Restrict(nil); err != nil {
		t.Fatal(err)
	}
	if _, n, _ := r.best(t, drawing); n != 4 {
		t.Errorf("%d classes answer without a restriction", n)
	}
	// A model without the chosen classes answers with all it has.
	if err := r.Restrict(only("2")); err != nil {
		t.Fatal(err)
	}
	if err := r.Use("letters", labelled(t, "a", "b")); err != nil {
		t.Fatal(err)
	}
	if _, n, _ := r.best(t, drawing); n < 2 {
		t.Errorf("%d classes answer", n)
	}
}

// A model that does not say how it is fed is tried, and what was found out is told as long as it
// is in use.
func TestHowAModelIsFedIsTold(t *testing.T) {
	m, err := recognizer.LoadModel("digits-mlp")
	if err != nil {
		t.Fatal(err)
	}
	m.Preprocessing, m.Metadata = "", nil
	path := filepath.Join(t.TempDir(), "foreign.onnx")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(onnx.Write(f, m), f.Close()); err != nil {
		t.Fatal(err)
	}
	r := newRig(t, glcompute.Auto)
	r.prepare()
	if err := r.Use(path, nil); err != nil {
		t.Fatal(err)
	}
	if fed := r.last().Fed; !strings.HasPrefix(fed.String(), "it expects pixels from 0 (paper) to 1 (ink)") {
		t.Errorf("of a model from elsewhere is told %q", fed)
	}
	if err := r.Use("letters", labelled(t, "a", "b")); err != nil {
		t.Fatal(err)
	}
	if fed := r.last().Fed; fed != nil {
		t.Errorf("of the next model is told %q", fed)
	}
}
