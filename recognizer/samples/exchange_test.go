package samples

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"inkshade/recognizer/ink"
)

// everyKind are samples with every field in use, odd text, and two that are the same but for their id.
func everyKind() []Sample {
	all := []Sample{
		sampleOf("7", 1), sampleOf("a", 2), sampleOf("A", 3), sampleOf(`"`, 4), sampleOf(`\`, 5), sampleOf("<&>", 6), sampleOf("两 字", 7), sampleOf("..", 8), sampleOf("a/b", 9),
		{Label: "dot", Ink: ink.Ink{{{X: 0, Y: 0}}}, DeviceScale: 1, Time: time.Unix(1, 0).UTC()},
		{Label: "dot", Ink: ink.Ink{{{X: 0, Y: 0}}}, DeviceScale: 1, Time: time.Unix(1, 0).UTC()},
		{Label: "tiny", Ink: ink.Ink{{{X: 1e-300, Y: -5e-324}, {X: 1e300, Y: 0.1 + 0.2, T: 1.0 / 3, Pressure: 1}}}, DeviceScale: 1.0 / 3, Time: time.Unix(2, 1).UTC()},
	}
	all[0].Correction, all[0].Learned = true, true
	all[1].HoldOut, all[1].Writer = true, "writer one"
	all[2].Learned, all[2].Session = true, `odd "session" <1>`
	all[3].Context, all[3].Answered = true, Answer{"'", 1}
	all[4].Answered, all[4].Writer = Answer{}, `back\slash`
	return all
}

func withoutIDs(t *testing.T, s *Store) []Sample {
	t.Helper()
	all := must(s.List(Filter{}))(t)
	for i := range all {
		all[i].ID = 0
	}
	return all
}

func TestExportImportedIsTheSame(t *testing.T) {
	from := openTemp(t)
	must(addAll(from, everyKind()))(t)
	must(from.Delete(must(from.Add(sampleOf("deleted", 99)))(t).ID))(t)
	want := withoutIDs(t, from)
	for _, name := range []string{"x.jsonl", "x.jsonl.gz", "x.inkml", "x.INKML.GZ", "x.unipen", "x.unp.gz", "pictures"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			if n := must(from.ExportFile(t.Context(), path, Filter{}, nil))(t); n != len(want) {
				t.Errorf("%d samples exported, want %d", n, len(want))
			}
			if b, err := os.ReadFile(path); err == nil && bytes.HasPrefix(b, []byte{0x1f, 0x8b}) != strings.HasSuffix(strings.ToLower(name), "gz") {
				t.Error("gzip where it should not be, or none where it should")
			}
			to := openTemp(t)
			result := must(to.ImportFile(t.Context(), path, Stated, nil))(t)
			if len(result.IDs) != len(want) || result.Known != 0 || len(result.Skipped) != 0 {
				t.Errorf("imported %v", result)
			}
			got := withoutIDs(t, to)
			if name == "pictures" { // which come in order of their classes
				byTime := cmpopts.SortSlices(func(a, b Sample) bool {
					return a.Time.Before(b.Time) || a.Time.Equal(b.Time) && a.Label < b.Label
				})
				if d := difference(want, got, byTime); d != "" {
					t.Error(d)
				}
			} else {
				equal(t, "samples", got, want)
			}
			again := must(to.ImportFile(t.Context(), path, Stated, nil))(t)
			if len(again.IDs) != 0 || again.Known != len(want) || must(to.count(Filter{}))(t) != len(want) {
				t.Errorf("imported again: %v", again)
			}
			if result = must(from.ImportFile(t.Context(), path, Stated, nil))(t); result.Known != len(want) {
				t.Errorf("imported where it came from: %v", result)
			}
		})
	}
}

func TestExportIsFiltered(t *testing.T) {
	s := openTemp(t)
	must(addAll(s, everyKind()))(t)
	var b bytes.Buffer
	if n := must(s.export(&b, ink.WriteJSONLines, Filter{Label: "dot"}, (*Sample).labelled))(t); n != 2 || strings.Count(b.String(), "\n") != 2 {
		t.Errorf("%d samples, %q", n, b.String())
	}
}

func TestForeignInk(t *testing.T) {
	s := openTemp(t)
	text := `{"label":"a","writer":"w1","strokes":[[[0,0],[1,1,5,500]]],"context":true,"attributes":{"mood":"fine"}}
{"label":"","strokes":[[[0,0]]]}
{"label":"b","strokes":[[]]}
{"label":"c","strokes":[[],[[0,0,0,1000]]],"attributes":{"inkshade-time":"yesterday"}}
{"label":"d","strokes":[[],[[0,0,0,1000]]]}
`
	result := must(imports(t, s, text))(t)
	if len(result.IDs) != 2 || len(result.Skipped) != 3 || !strings.Contains(result.Skipped[2].Error(), "inkshade-time") || !strings.HasPrefix(result.Skipped[0].Error(), "sample 2") {
		t.Fatalf("%+v", result)
	}
	a, d := must(s.Get(result.IDs[0]))(t), must(s.Get(result.IDs[1]))(t)
	if a.Writer != "w1" || !a.Context || a.Learned || a.HoldOut || !strings.HasPrefix(a.Session, "import-") || d.Session != a.Session || time.Since(a.Time) > time.Minute {
		t.Errorf("%+v", a)
	}
	if a.Ink[0][1].Pressure != 0.5 || d.Ink[0][0].Pressure != 1 {
		t.Errorf("pressures %v and %v", a.Ink[0][1].Pressure, d.Ink[0][0].Pressure)
	}
	if again := must(imports(t, s, text))(t); again.Known != 2 || len(again.IDs) != 0 {
		t.Errorf("again: %+v", again)
	}
	for _, bad := range []string{"", "hello", `{"label":"a","strokes":[[[0,0]]]}` + "\n{", "<ink><trace>0 0, 1", "\x1f\x8b\x08"} {
		if _, err := imports(t, s, bad); err == nil {
			t.Errorf("%q was imported", bad)
		}
	}
	if _, err := s.ImportFile(t.Context(), "testdata/nowhere/x.jsonl", Stated, nil); err == nil || !strings.HasPrefix(err.Error(), "cannot import testdata/nowhere/x.jsonl: ") {
		t.Errorf("of a file of which there may be others with its name it says %v", err)
	}
	if n := must(s.count(Filter{}))(t); n != 2 {
		t.Errorf("%d samples after failed imports", n)
	}
}

func TestFailedExportLeavesTheFileBefore(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.jsonl")
	if err := os.WriteFile(path, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openTemp(t)
	must(s.Add(sampleOf("1", 1)))(t)
	must(s.db.Exec("UPDATE samples SET strokes = x'00'"))(t)
	if _, err := s.ExportFile(t.Context(), path, Filter{}, nil); err == nil {
		t.Error("a damaged sample was exported")
	}
	entries := must(os.ReadDir(dir))(t)
	if b := must(os.ReadFile(path))(t); string(b) != "before" || len(entries) != 1 {
		t.Errorf("the file holds %q; %d files", b, len(entries))
	}
	for _, bad := range []string{filepath.Join(dir, "x.doc"), dir, filepath.Join(dir, "none", "x.jsonl")} {
		if _, err := s.ExportFile(t.Context(), bad, Filter{}, nil); err == nil {
			t.Errorf("exported to %s", bad)
		}
	}
}

// FuzzImport feeds files of any content: nothing panics, and what is stored passes the store's own check and exports again.
func FuzzImport(f *testing.F) {
	s, err := Open(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	defer s.Close()
	if _, err := addAll(s, everyKind()); err != nil {
		f.Fatal(err)
	}
	for _, format := range ink.Formats() {
		var b bytes.Buffer
		if _, err := s.export(&b, format.Write, Filter{}, (*Sample).labelled); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		result, err := imports(t, s, string(file))
		if err != nil || len(result.IDs) == 0 {
			return
		}
		for _, id := range result.IDs {
			v, err := s.Get(id)
			if err != nil || v.check() != nil {
				t.Fatalf("sample %d: %v, %v", id, err, v.check())
			}
			var b bytes.Buffer
			l := v.labelled()
			if err := ink.WriteInkML(&b, []ink.Labelled{l}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Delete(result.IDs...); err != nil {
			t.Fatal(err)
		}
	})
}

// Files do not hold the sign of a zero, so that what has one is known again without it.
func TestNegativeZeroIsKnownAgain(t *testing.T) {
	s := openTemp(t)
	sample := sampleOf("7", 1)
	sample.Ink[0][0].X, sample.Ink[0][0].Y = math.Copysign(0, -1), math.Copysign(0, -1)
	must(s.Add(sample))(t)
	for _, name := range []string{"x.jsonl", "x.inkml", "x.unipen", "pictures"} {
		path := filepath.Join(t.TempDir(), name)
		must(s.ExportFile(t.Context(), path, Filter{}, nil))(t)
		if r := must(s.ImportFile(t.Context(), path, Stated, nil))(t); r.Known != 1 || len(r.IDs) != 0 {
			t.Errorf("%s: %v", name, r)
		}
	}
}

// Others of whom a file says nothing go by its name; what Inkshade has written keeps its writers.
func TestWhoseSamples(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "class 7b.part.jsonl")
	line := `{"label":"x","writer":%q,"strokes":[[[0,0],[5,9]]],"attributes":{%s}}` + "\n"
	ours := `"inkshade-time":"2026-01-01T00:00:00Z"`
	text := fmt.Sprintf(line+line+line+line, "", "", "anna", "", "", ours, "anna", ours)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for whose, want := range map[Whose][]string{
		Stated: {"", "anna", "", "anna"}, Mine: {"", "", "", "anna"}, Others: {"class 7b", "anna", "class 7b", "anna"},
	} {
		s := must(Open(t.TempDir()))(t)
		ids := must(s.ImportFile(t.Context(), path, whose, nil))(t).IDs
		var got []string
		for _, id := range ids {
			got = append(got, must(s.Get(id))(t).Writer)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: by %q, want %q", whose, got, want)
		}
		for _, again := range []Whose{Stated, Mine, Others} {
			if r := must(s.ImportFile(t.Context(), path, again, nil))(t); r.Known != len(want) || len(r.IDs) > 0 {
				t.Errorf("%s, and then %s: %d are added, %d known", whose, again, len(r.IDs), r.Known)
			}
		}
		before := must(s.SetWriters(map[int64]string{ids[0]: "me", ids[1]: ""}))(t)
		if a, b := must(s.Get(ids[0]))(t).Writer, must(s.Get(ids[1]))(t).Writer; a != "me" || b != "" || before[ids[0]] != want[0] || before[ids[1]] != want[1] {
			t.Errorf("now by %q and %q, before by %v", a, b, before)
		}
		if _, err := s.SetWriters(map[int64]string{ids[0]: "a\nb"}); err == nil {
			t.Error("a writer of two lines")
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = must(Open(s.Dir()))(t) // its checksums are right
		if r := s.Recovered(); r.Path != "" {
			t.Errorf("%s", r)
		}
		s.Close()
	}
}
