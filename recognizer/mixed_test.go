package recognizer

import (
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"inkshade/glcompute/program"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/nntest"
)

// manyLines are n drawings that differ.
func manyLines(n int) []ink.Ink {
	drawings := make([]ink.Ink, n)
	for i := range drawings {
		drawings[i] = line(0, 0, float64(1+i%7), float64(1+i%11))
	}
	return drawings
}

func answersWithoutTimes(t *testing.T, r *Recognizer, drawings []ink.Ink) []Answer {
	t.Helper()
	answers, err := r.RecognizeMany(drawings)
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
		kind   program.DeviceKind
		words  string
	}{
		{false, 0, 0, nn.MixedKind, "mixed: CPU 50 %, compute shaders 50 %, 2.0 times the CPU alone"},
		{true, 0, 0, program.CPU, "the CPU alone is faster, mixed not used (1.02e+03 ms against 1.02e+03 ms)"},
		{true, 0.25, 0, nn.MixedKind, "mixed: CPU 25 %, compute shaders 75 %, as was asked for"},
		{false, 0.25, 2, program.CPU, "the CPU goes on alone: a stand-in for compute: running the network on the compute device: the OpenGL context was lost"},
	} {
		synctest.Test(t, func(t *testing.T) {
			own, other := nntest.Open(t, program.CPU, time.Millisecond), nntest.Open(t, program.Compute, time.Millisecond)
			if c.same {
				own.Turn = make(chan struct{}, 1)
				other.Turn = own.Turn
			}
			other.FailAt = c.failAt
			r, err := New(testModel(nn.MNIST28), own)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.ShareWith(other, c.split); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if got := answersWithoutTimes(t, r, drawings); !reflect.DeepEqual(got, want) {
					t.Errorf("%s: the answers differ from those of one device", c.words)
				}
			}
			if s, ok := r.Sharing(); !ok || s.String() != c.words {
				t.Errorf("%q, want %q", s, c.words)
			}
			if kind := r.Answering(len(drawings)).Kind; kind != c.kind {
				t.Errorf("%s: answered by %s", c.words, kind)
			}
			before := other.Rows
			answersWithoutTimes(t, r, drawings[:100])
			if _, err := r.Recognize(drawings[0]); err != nil || other.Rows != before || r.Answering(100).Kind != program.CPU {
				t.Errorf("%s: few drawings were shared (%v)", c.words, err)
			}
			if err := r.Close(); err != nil || own.Memory() != 0 || other.Memory() != 0 {
				t.Errorf("%s: %d and %d bytes left (%v)", c.words, own.Memory(), other.Memory(), err)
			}
			if err := r.ShareWith(other, 0); err == nil || other.Memory() != 0 {
				t.Errorf("a closed recognizer shares; %d bytes left", other.Memory())
			}
		})
	}
}

// The processor and OpenGL answer alike together; a missing OpenGL is a failure.
func TestSharedWithOpenGL(t *testing.T) {
	cpu, gl, why := OpenMixed()
	if gl == nil {
		t.Fatal(why)
	}
	defer cpu.Close()
	defer gl.Close()
	if cpu.Info().Kind != program.CPU || gl.Info().Kind == program.CPU {
		t.Errorf("opened %+v and %+v", cpu.Info(), gl.Info())
	}
	drawings := manyLines(600)
	want := answersWithoutTimes(t, newRecognizer(t, testModel(nn.MNIST28)), drawings)
	r, err := New(testModel(nn.MNIST28), cpu)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.ShareWith(gl, 0.5); err != nil {
		t.Fatal(err)
	}
	got := answersWithoutTimes(t, r, drawings)
	for i, w := range want {
		a, b := got[i].Candidates[0], w.Candidates[0]
		if d := a.Probability - b.Probability; a.Label != b.Label || d > 1e-5 || d < -1e-5 {
			t.Fatalf("drawing %d: %v, want %v", i+1, a, b)
		}
	}
	if s, _ := r.Sharing(); !strings.HasPrefix(s.String(), "mixed: ") {
		t.Errorf("%q", s)
	}
}
