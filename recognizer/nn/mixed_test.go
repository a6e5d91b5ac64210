package nn

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"inkshade/glcompute/cpu"
	"inkshade/glcompute/program"
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

// paced is a device whose replays take as long as a test says, on a clock of its own.
type paced struct {
	program.Device
	rows *int // computed so far
}

type pacedRun struct {
	program.Run
	rows *int
}

func (d paced) Compile(p *program.Program) (program.Run, error) {
	run, err := d.Device.Compile(p)
	return pacedRun{run, d.rows}, err
}

func (r pacedRun) Do(b ...program.Binding) error {
	*r.rows += b[0].Tensor.Rows
	return r.Run.Do(b...)
}

func openPaced(t *testing.T) paced {
	t.Helper()
	dev, err := cpu.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return paced{dev, new(int)}
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

// Mixed gives what one device gives, in order, whatever the shares, and stops mixing when
// it does not win.
func TestMixed(t *testing.T) {
	net := NewNetwork([]int{9, 8, 4}, program.Tanh, 3)
	rows := mixedRows(4*LargeBatch+17, 9)
	one, err := NewInference(openPaced(t), net)
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	want := map[int]string{}
	note := func(to map[int]string) func(int, []float32, []float32) {
		return func(i int, logits, probabilities []float32) { to[i] = fmt.Sprint(logits, probabilities) }
	}
	if err := one.Each(rows, note(want)); err != nil {
		t.Fatal(err)
	}
	a, b := openPaced(t), openPaced(t)
	m, err := NewMixed(net, a, b)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	// The clock goes on by what is read from it: 256 rows take 1 s on the first device and
	// 3 s on the second; a mixed batch takes what the test says.
	var ticks []time.Duration
	clock := time.Time{}
	m.now = func() time.Time {
		clock = clock.Add(ticks[0])
		ticks = ticks[1:]
		return clock
	}
	run := func(wins bool, rowsA, rowsB int, steps ...time.Duration) {
		t.Helper()
		ticks, *a.rows, *b.rows = steps, 0, 0
		got := map[int]string{}
		if err := m.Each(rows, note(got)); err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Fatalf("%d rows came back of %d", len(got), len(want))
		}
		for i, w := range want {
			if got[i] != w {
				t.Fatalf("row %d: %s, want %s", i, got[i], w)
			}
		}
		if *a.rows != rowsA || *b.rows != rowsB || m.Wins() != wins {
			t.Errorf("%d and %d rows, wins %t; want %d, %d, %t", *a.rows, *b.rows, m.Wins(), rowsA, rowsB, wins)
		}
	}
	const warm = 2 * LargeBatch // of the measurement
	run(true, warm+3*LargeBatch, warm+2*LargeBatch, 0, 0, 0, time.Second, 0, 0, 0, 3*time.Second, 0, 9*time.Second)
	run(true, 3*LargeBatch, 2*LargeBatch, 0, 3*time.Second)
	if alone, together := m.Speeds(); alone[0] != LargeBatch || together < 300 {
		t.Errorf("speeds %v and %v", alone, together)
	}
	m.mixed = 200
	run(false, 3*LargeBatch, 2*LargeBatch, 0, 5*time.Second)
	run(false, 5*LargeBatch, 0) // alone from now on
}
