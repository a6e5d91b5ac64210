package recognizer

import (
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"inkshade/glcompute"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/nntest"
)

// manyLines are n drawings that differ.
func manyLines(n int) []ink.Ink {
	drawings := make([]ink.Ink, n)
	for i := range drawings {
		drawings[i] = straight(0, 0, float64(1+i%7), float64(1+i%11))
	}
	return drawings
}

func answersWithoutTimes(t *testing.T, r *Recognizer, drawings []ink.Ink) []Answer {
	t.Helper()
	answers, err := r.RecognizeMany(drawings, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range answers {
		answers[i].Timing = Timing{}
	}
	return answers
}

// Many drawings are shared where that wins, few never, and the answers are the same.
func TestManyDrawingsAreShared(t *testing.T) {
	drawings := manyLines(1024)
	want := answersWithoutTimes(t, newRecognizer(t, testModel(nn.MNIST28)), drawings)
	for _, c := range []struct {
		same   bool // both are one processor
		split  float64
		failAt int
		kind   glcompute.DeviceKind
		words  string
	}{
		{false, 0, 0, glcompute.Mixed, "mixed: CPU 50 %, compute shaders 50 %, 2.0 times the CPU alone"},
		{true, 0, 0, glcompute.CPU, "the CPU alone is faster, mixed not used (256 ms against 256 ms)"},
		{true, 0.25, 0, glcompute.Mixed, "mixed: CPU 25 %, compute shaders 75 %, as was asked for"},
		{false, 0.25, 2, glcompute.CPU, "the CPU goes on alone: a stand-in for compute stopped working: the OpenGL context was lost"},
	} {
		synctest.Test(t, func(t *testing.T) {
			own, other := nntest.Open(t, glcompute.CPU, time.Millisecond), nntest.Open(t, glcompute.Compute, time.Millisecond)
			if c.same {
				own.Turn = make(chan struct{}, 1)
				other.Turn = own.Turn
			}
			other.FailAt = c.failAt
			r, err := New(testModel(nn.MNIST28), glcompute.Split(c.split, own, other))
			if err != nil {
				t.Fatal(err)
			}
			for range 5 {
				if got := answersWithoutTimes(t, r, drawings); !reflect.DeepEqual(got, want) {
					t.Errorf("%s: the answers differ from those of one device", c.words)
				}
			}
			if info := r.Answering(len(drawings)); info.Kind != c.kind || info.Choice.String() != c.words {
				t.Errorf("answered by %s: %q, want %q", info.Kind, info.Choice, c.words)
			}
			if _, err := r.Recognize(drawings[0]); err != nil || r.Answering(1).Kind == glcompute.Mixed {
				t.Errorf("%s: a single drawing was shared (%v)", c.words, err)
			}
			if err := r.Close(); err != nil || own.Memory() != 0 || other.Memory() != 0 {
				t.Errorf("%s: %d and %d bytes left (%v)", c.words, own.Memory(), other.Memory(), err)
			}
		})
	}
}

// The processor and OpenGL answer alike together; a missing OpenGL is a failure.
func TestSharedWithOpenGL(t *testing.T) {
	dev := glcompute.Usual().OpenMixed(0.5)
	defer dev.Close()
	drawings := manyLines(600)
	want := answersWithoutTimes(t, newRecognizer(t, testModel(nn.MNIST28)), drawings)
	r, err := New(testModel(nn.MNIST28), dev)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got := answersWithoutTimes(t, r, drawings)
	for i, w := range want {
		a, b := got[i].Candidates[0], w.Candidates[0]
		if d := a.Probability - b.Probability; a.Label != b.Label || d > 1e-5 || d < -1e-5 {
			t.Fatalf("drawing %d: %v, want %v", i+1, a, b)
		}
	}
	if info := r.Answering(len(drawings)); info.Kind != glcompute.Mixed {
		t.Errorf("answered by %+v", info)
	}
}
