package samples

import (
	"database/sql"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"inkshade/glcompute/message"
	"inkshade/recognizer/ink"
)

// childVariable makes the test binary act as another instance of the app; its value is a key of children.
const childVariable = "INKSHADE_SAMPLES_TEST_CHILD"

var children = map[string]func(dir string) error{}

func TestMain(m *testing.M) {
	if name := os.Getenv(childVariable); name != "" {
		if err := children[name](os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child prepares another process that runs children[name] on the folder.
func child(t *testing.T, name, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], dir)
	cmd.Env = append(os.Environ(), childVariable+"="+name)
	cmd.Stderr = os.Stderr
	return cmd
}

// drawing is ink that differs with n and holds everything a pen can say.
func drawing(n int) ink.Ink {
	rng := rand.New(rand.NewSource(int64(n)))
	k := make(ink.Ink, 1+rng.Intn(3))
	for i := range k {
		k[i] = make(ink.Stroke, 1+rng.Intn(40))
		for j := range k[i] {
			k[i][j] = ink.Point{X: rng.NormFloat64() * 100, Y: float64(float32(rng.Float64() * 300)), T: float64(8 * j), Pressure: rng.Float64()}
		}
	}
	return k
}

func sampleOf(label string, n int) Sample {
	return Sample{
		Label: label, Ink: drawing(n), DeviceScale: 1.5, Session: "s1", Time: time.Date(2026, 1, 31, 12, 0, n, 123456789, time.UTC),
		Answered: Answer{"q", 0.1 + 0.2},
	}
}

func openTemp(t *testing.T) *Store {
	t.Helper()
	return openIn(t, t.TempDir(), standard())
}

func openIn(t *testing.T, dir string, o options) *Store {
	t.Helper()
	s, err := open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// addAll stores many samples in one transaction and gives their ids.
func addAll(s *Store, all []Sample) (ids []int64, err error) {
	err = s.change(message.Text("save the samples"), func(tx *sql.Tx) error {
		for _, v := range all {
			if err := v.check(); err != nil {
				return err
			}
			if err := insertSample(tx, &v); err != nil {
				return err
			}
			ids = append(ids, v.ID)
		}
		return nil
	})
	return ids, err
}

func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := difference(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// difference says what differs, where anything does; an empty slice is as good as none. Nearly everything here is deeply
// equal, which is found in far less time than a report.
func difference(want, got any, o ...cmp.Option) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got, append(o, cmpopts.EquateEmpty())...)
}

func wholeIntegrity(t *testing.T, s *Store) {
	t.Helper()
	var verdict string
	if err := s.db.QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Fatalf("integrity_check says %q, %v", verdict, err)
	}
	if err := verify(s.db); err != nil {
		t.Fatalf("checksums: %v", err)
	}
}

// count is how many samples f chooses.
func (s *Store) count(f Filter) (int, error) {
	all, err := s.List(f)
	return len(all), err
}

// imports imports a file of that content.
func imports(t testing.TB, s *Store, content string) (Imported, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ink")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return s.ImportFile(t.Context(), path, Stated, nil)
}
