package bench

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inkshade/glcompute"
	"inkshade/glcompute/compare"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
)

func TestGonumMultipliesWhatDevicesMultiply(t *testing.T) {
	dev, err := glcompute.Open(glcompute.CPU)
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	ours, theirs := deviceStation(dev), gonumStation()
	defer ours.Close()
	defer theirs.Close()
	for _, n := range []int{3, 130} {
		want, err := ours.Prepare(Product, n)
		if err != nil {
			t.Fatal(err)
		}
		got, err := theirs.Prepare(Product, n)
		if err != nil {
			t.Fatal(err)
		}
		_, err = compare.Slices(got, want, compare.Limit{Abs: 1e-5, Rel: 1e-5, Reason: "the order of sums"})
		if err != nil || len(got) != min(n*n, 10) {
			t.Errorf("product of %d rows: %v; gonum %v, the device %v", n, err, got, want)
		}
		if times, err := theirs.Turn(1); err != nil || len(times) == 0 {
			t.Errorf("product of %d rows: times %v, error %v", n, times, err)
		}
	}
	if _, err := theirs.Prepare(Recognition, 1); err == nil {
		t.Error("gonum recognises")
	}
}

// replies answers the lines of in.
func replies(t *testing.T, in string, s *station) []stationReply {
	t.Helper()
	var out bytes.Buffer
	if err := serveStation(strings.NewReader(in), &out, "name", s); err != nil {
		t.Fatal(err)
	}
	var all []stationReply
	for line := range strings.Lines(out.String()) {
		var r stationReply
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

func TestStationAnswersLineByLine(t *testing.T) {
	dev, err := glcompute.Open(glcompute.CPU)
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	in := `{"do":"turn","ms":1}
{"do":"prepare","experiment":"recognition","size":2}
{"do":"turn","ms":1}
{"do":"prepare","experiment":"training-step","size":16}
{"do":"turn","ms":1}
{"do":"prepare","experiment":"weather","size":1}
{"do":"dance"}
nonsense
`
	replies := replies(t, in, deviceStation(dev))
	if len(replies) != 9 {
		t.Fatalf("%d replies: %+v", len(replies), replies)
	}
	if replies[0].Name != "name" || replies[1].Error == "" {
		t.Errorf("greeting %+v, turn before anything is prepared %+v", replies[0], replies[1])
	}
	sum := float32(0)
	for _, p := range replies[2].Proof {
		sum += p
	}
	if len(replies[2].Proof) != 10 || sum < 0.999 || sum > 1.001 {
		t.Errorf("the proof of a recognition is no distribution: %v", replies[2].Proof)
	}
	for _, i := range []int{3, 5} {
		if len(replies[i].Times) == 0 || replies[i].Times[0] <= 0 || replies[i].Error != "" {
			t.Errorf("turn: %+v", replies[i])
		}
	}
	for _, r := range replies[6:] {
		if r.Error == "" {
			t.Errorf("no error in %+v", r)
		}
	}
}

func TestStationOfGonumTakesProductsAlone(t *testing.T) {
	got := replies(t, `{"do":"prepare","experiment":"product","size":48}
{"do":"turn","ms":1}
{"do":"prepare","experiment":"recognition","size":2}
{"do":"turn","ms":1}
`, gonumStation())
	if len(got) != 5 || len(got[1].Proof) != 10 || len(got[2].Times) == 0 || got[2].Times[0] <= 0 {
		t.Fatalf("%+v", got)
	}
	if !strings.Contains(got[3].Error, "products alone") || got[4].Error == "" {
		t.Errorf("recognition %+v, a turn after it %+v", got[3], got[4])
	}
}

func TestStationWritesItsInputs(t *testing.T) {
	folder := t.TempDir()
	if err := writeInputs(folder, 4096, []int{256, 1024}); err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]int64{"w1": 784 * 800, "b1": 800, "w2": 8000, "b2": 10, "pixels": 4096 * 784, "left256": 256 * 256, "right1024": 1024 * 1024} {
		st, err := os.Stat(filepath.Join(folder, name+".bin"))
		if err != nil {
			t.Fatal(err)
		}
		if st.Size() != 4*size {
			t.Errorf("%s has %d bytes, want %d", name, st.Size(), 4*size)
		}
	}
	for _, name := range []string{"network.onnx", "convolution.onnx"} {
		if m, err := onnx.ReadFile(t.Context(), filepath.Join(folder, name), ""); err != nil || m.Preprocessing != nn.MNIST28 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
