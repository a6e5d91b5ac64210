package nn

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"inkshade/glcompute/program"
	"inkshade/recognizer/nn/nntest"
)

func TestShares(t *testing.T) {
	for _, c := range []struct {
		n      int
		speeds []float64
		unit   int
		want   []int
	}{
		{1000, []float64{1, 1}, 1, []int{500, 500}},
		{1000, []float64{1, 3}, 1, []int{250, 750}},
		{1000, []float64{3, 1}, 256, []int{768, 232}},
		{1000, []float64{1000, 1}, 256, []int{1000, 0}},
		{1000, []float64{1, 1000}, 256, []int{0, 1000}},
		{7, []float64{1, 1, 1}, 1, []int{2, 3, 2}},
	} {
		got := shares(c.n, c.speeds, c.unit)
		if !slices.Equal(got, c.want) {
			t.Errorf("%d rows at %v in units of %d: %v, want %v", c.n, c.speeds, c.unit, got, c.want)
		}
	}
}

func mixedRows(n, width int) [][]float32 {
	rows := make([][]float32, n)
	for i := range rows {
		rows[i] = make([]float32, width)
		for j := range rows[i] {
			rows[i][j] = float32((i*7+j)%5) / 5
		}
	}
	return rows
}

// eacher is what Inference and Mixed have in common.
type eacher interface {
	Each(rows [][]float32, yield func(i int, logits, probabilities []float32)) error
}

// answersOf are what rows give; each must come once and in order.
func answersOf(t *testing.T, e eacher, rows [][]float32) map[int]string {
	t.Helper()
	got := map[int]string{}
	err := e.Each(rows, func(i int, logits, probabilities []float32) {
		if i != len(got) {
			t.Errorf("row %d came as number %d", i, len(got))
		}
		got[i] = fmt.Sprint(logits, probabilities)
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func inferenceOn(t *testing.T, dev program.Device, net Network) *Inference {
	t.Helper()
	inf, err := NewInference(dev, net)
	if err != nil {
		t.Fatal(err)
	}
	return inf
}

// Mixed gives what one device gives, in order, whoever does what, and is used where it wins.
func TestMixed(t *testing.T) {
	net := NewNetwork([]int{9, 8, 4}, "tanh", 3)
	rows := mixedRows(10*LargeBatch+17, 9)
	for name, c := range map[string]struct {
		cpu, gpu time.Duration // for a row
		same     bool          // both are one processor
		want     string
		shares   [2]int // rows of the batch with what fills the last pieces, by device
	}{
		"sharing wins":          {3 * time.Millisecond, 5 * time.Millisecond, false, "mixed: CPU 62 %, compute shaders 38 %, 1.6 times the CPU alone", [2]int{6, 5}},
		"one processor":         {3 * time.Millisecond, 5 * time.Millisecond, true, "the CPU alone is faster, mixed not used (6.14e+03 ms against 7.68e+03 ms)", [2]int{11, 0}},
		"the other one alone":   {5 * time.Millisecond, 3 * time.Millisecond, true, "compute shaders alone is faster, mixed not used (6.14e+03 ms against 7.68e+03 ms)", [2]int{0, 11}},
		"too slow for a share":  {time.Millisecond, 90 * time.Millisecond, false, "the CPU alone is faster, mixed not used (the other would be too slow for a share)", [2]int{11, 0}},
		"too fast for the rest": {90 * time.Millisecond, time.Millisecond, false, "compute shaders alone is faster, mixed not used (the other would be too slow for a share)", [2]int{0, 11}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, b := nntest.Open(t, program.CPU, c.cpu), nntest.Open(t, program.Compute, c.gpu)
				if c.same {
					a.Turn = make(chan struct{}, 1)
					b.Turn = a.Turn
				}
				want := answersOf(t, inferenceOn(t, nntest.Open(t, program.CPU, 0), net), rows)
				m := NewMixed(inferenceOn(t, a, net), inferenceOn(t, b, net))
				defer m.Close()
				if err := m.Measure(t.Context(), rows, time.Minute); err != nil {
					t.Fatal(err)
				}
				s := m.Sharing()
				if s.String() != c.want {
					t.Errorf("%q, want %q", s, c.want)
				}
				a.Rows, b.Rows = 0, 0
				if got := answersOf(t, m, rows); !maps.Equal(got, want) {
					t.Error("the answers differ from those of one device")
				}
				if got := [2]int{a.Rows / LargeBatch, b.Rows / LargeBatch}; got != c.shares {
					t.Errorf("shares %v of the pieces, want %v", got, c.shares)
				}
			})
		})
	}
}

// The split can be given, and then nothing is measured.
func TestMixedSplit(t *testing.T) {
	net := NewNetwork([]int{9, 8, 4}, "tanh", 3)
	a, b := nntest.Open(t, program.CPU, 0), nntest.Open(t, program.Compute, 0)
	m := NewMixed(inferenceOn(t, a, net), inferenceOn(t, b, net))
	defer m.Close()
	m.Split(0.75)
	answersOf(t, m, mixedRows(4*LargeBatch, 9))
	if a.Rows != 3*LargeBatch || b.Rows != LargeBatch {
		t.Errorf("%d and %d rows", a.Rows, b.Rows)
	}
	if want := "mixed: CPU 75 %, compute shaders 25 %, as was asked for"; m.Sharing().String() != want {
		t.Errorf("%q, want %q", m.Sharing(), want)
	}
	info := m.Sharing().Info()
	if info.Kind != MixedKind || info.Name != "a stand-in for cpu 75 %, a stand-in for compute 25 %" {
		t.Errorf("%+v", info)
	}
	a.Rows, b.Rows = 0, 0
	answersOf(t, m, mixedRows(LargeBatch, 9))
	if b.Rows != 0 {
		t.Error("a small batch was shared")
	}
}

// A device that fails, or whose place another takes, loses no row, while it shares, works
// alone, or is measured.
func TestMixedSurvives(t *testing.T) {
	net := NewNetwork([]int{9, 8, 4}, "tanh", 3)
	rows := mixedRows(10*LargeBatch+17, 9)
	want := answersOf(t, inferenceOn(t, nntest.Open(t, program.CPU, 0), net), rows)
	for name, lose := range map[string]func(cpu, gpu *nntest.Device){
		"sharing":        func(_, gpu *nntest.Device) { gpu.FailAt = 90 },
		"sharing, later": func(_, gpu *nntest.Device) { gpu.FailAt = 92 },
		"alone":          func(cpu, gpu *nntest.Device) { cpu.Row, gpu.FailAt = 90*time.Millisecond, 50 },
		"measured":       func(_, gpu *nntest.Device) { gpu.FailAt = 5 },
		"replaced":       func(_, gpu *nntest.Device) { gpu.FailAt, gpu.Stands = 90, true },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, b := nntest.Open(t, program.CPU, time.Millisecond), nntest.Open(t, program.Compute, time.Millisecond)
				lose(a, b)
				m := NewMixed(inferenceOn(t, a, net), inferenceOn(t, b, net))
				defer m.Close()
				if err := m.Measure(t.Context(), rows, 20*time.Second); err != nil {
					t.Fatal(err)
				}
				for range 40 {
					if got := answersOf(t, m, rows); !maps.Equal(got, want) {
						t.Fatal("the answers differ from those of one device")
					}
				}
				if s := m.Sharing(); !strings.HasPrefix(s.String(), "the CPU goes on alone: a stand-in for compute: ") || s.Shared() {
					t.Errorf("after %d replays: %q", b.Replays, s)
				}
			})
		})
	}
	for _, stands := range []bool{false, true} {
		a, b := nntest.Open(t, program.CPU, 0), nntest.Open(t, program.Compute, 0)
		a.FailAt, a.Stands = 3, stands
		m := NewMixed(inferenceOn(t, a, net), inferenceOn(t, b, net))
		defer m.Close()
		if err := m.Measure(t.Context(), rows, 0); errors.Is(err, program.ErrLost) == stands {
			t.Errorf("the first device fails, another stands in %t: %v", stands, err)
		}
	}
}

func TestMixedMeasureCanBeCancelled(t *testing.T) {
	net := NewNetwork([]int{9, 8, 4}, "tanh", 3)
	stopped := errors.New("the user pressed stop")
	synctest.Test(t, func(t *testing.T) {
		m := NewMixed(inferenceOn(t, nntest.Open(t, program.CPU, time.Millisecond), net), inferenceOn(t, nntest.Open(t, program.Compute, time.Millisecond), net))
		defer m.Close()
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		time.AfterFunc(10*time.Second, func() { cancel(stopped) })
		if err := m.Measure(ctx, mixedRows(measuredRows, 9), time.Hour); !errors.Is(err, stopped) {
			t.Errorf("%v, want %v", err, stopped)
		}
	})
}
