package samples

import (
	"bytes"
	"database/sql"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"inkshade/recognizer/ink"
)

func TestSampleComesBackAfterReopening(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir, standard())
	want := []Sample{
		sampleOf("7", 1),
		{Label: "Ω", Writer: "w07", Context: true, Ink: ink.Ink{{{X: 1, Y: 2}}}, DeviceScale: 1, Time: time.Unix(1, 1).UTC(), Session: "s2", HoldOut: true},
		{Label: "new sign", Ink: drawing(3), DeviceScale: 2, Time: time.Unix(2, 0).UTC(), Correction: true, Answered: Answer{"8", 1}},
	}
	var added []Sample
	for i := range want {
		added = append(added, must(s.Add(want[i]))(t))
		want[i].ID = added[i].ID
	}
	want[2].Learned = true // as every correction
	equal(t, "what was added", added, want)
	s.Close()
	s = openIn(t, dir, standard())
	equal(t, "list", must(s.List(Filter{}))(t), want)
	for _, w := range want {
		equal(t, "get", must(s.Get(w.ID))(t), w)
	}
	if s.Recovered() != (Recovery{}) || s.Recovered().String() != "" {
		t.Error("a sound database was recovered")
	}
	if _, err := s.Get(99); !errors.Is(err, ErrNotFound) {
		t.Errorf("Get of an unknown id: %v", err)
	}
}

func TestDefaultsAndLabels(t *testing.T) {
	s := openTemp(t)
	before := time.Now()
	got := must(s.Get(must(s.Add(Sample{Label: " e\u0301 ", Ink: drawing(1)}))(t).ID))(t)
	if got.Label != "é" || got.DeviceScale != 1 || got.Time.Before(before.Add(-time.Millisecond)) || got.Time.After(time.Now()) {
		t.Errorf("stored as %+v", got)
	}
}

func TestBadSamplesAreRefusedWhole(t *testing.T) {
	s := openTemp(t)
	good := sampleOf("7", 1)
	for name, spoil := range map[string]func(*Sample){
		"no label":      func(s *Sample) { s.Label = " " },
		"control":       func(s *Sample) { s.Label = "a\nb" },
		"not UTF-8":     func(s *Sample) { s.Label = "\xff" },
		"long label":    func(s *Sample) { s.Label = strings.Repeat("x", ink.MaxLabel+1) },
		"no ink":        func(s *Sample) { s.Ink = nil },
		"empty strokes": func(s *Sample) { s.Ink = ink.Ink{{}, {}} },
		"NaN":           func(s *Sample) { s.Ink = ink.Ink{{{X: math.NaN()}}} },
		"Inf time":      func(s *Sample) { s.Ink = ink.Ink{{{T: math.Inf(1)}}} },
		"scale":         func(s *Sample) { s.DeviceScale = -1 },
		"NaN scale":     func(s *Sample) { s.DeviceScale = math.NaN() },
		"probability":   func(s *Sample) { s.Answered.Probability = 1.5 },
		"NaN chance":    func(s *Sample) { s.Answered.Probability = math.NaN() },
		"held and used": func(s *Sample) { s.HoldOut, s.Correction = true, true },
		"far time":      func(s *Sample) { s.Time = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC) },
		"long session":  func(s *Sample) { s.Session = strings.Repeat("x", maxText+1) },
	} {
		bad := good
		spoil(&bad)
		if _, err := s.Add(bad); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if n := must(s.count(Filter{}))(t); n != 0 {
		t.Errorf("%d refused samples are there", n)
	}
}

// Of the person's style are samples of all kinds but those of others, those held out, and single characters cut from running text.
func TestFilterOwn(t *testing.T) {
	s := openTemp(t)
	add := func(v Sample) int64 { t.Helper(); v.Ink = drawing(1); return must(s.Add(v))(t).ID }
	want := []int64{
		add(Sample{Label: "a"}), add(Sample{Label: "b", Learned: true, Correction: true}), add(Sample{Label: "学生", Context: true}),
	}
	for _, v := range []Sample{
		{Label: "a", Writer: "w"}, {Label: "a", HoldOut: true}, {Label: "a", Context: true}, {Label: "学", Context: true}, {Label: "ab", Context: true, HoldOut: true},
	} {
		add(v)
	}
	var got []int64
	for _, v := range must(s.List(Filter{Own: true}))(t) {
		got = append(got, v.ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestFilters(t *testing.T) {
	s := openTemp(t)
	add := func(v Sample) int64 { t.Helper(); return must(s.Add(v))(t).ID }
	a := add(Sample{Label: "a", Session: "one", Ink: drawing(1)})
	b := add(Sample{Label: "B", Session: "two", Ink: drawing(2), Correction: true, Answered: Answer{"100%", 0.5}})
	c := add(Sample{Label: "a", Session: "two", Ink: drawing(3), HoldOut: true, Writer: "w_1"})
	d := add(Sample{Label: "d", Session: "one", Ink: drawing(4), Learned: true})
	must(s.Delete(add(Sample{Label: "a", Session: "one", Ink: drawing(5)})))(t)
	for name, c := range map[string]struct {
		f    Filter
		want []int64
	}{
		"all":           {Filter{}, []int64{a, b, c, d}},
		"label":         {Filter{Label: "a"}, []int64{a, c}},
		"writer":        {Filter{Writer: "w_1"}, []int64{c}},
		"corrections":   {Filter{Corrections: true}, []int64{b}},
		"held out":      {Filter{Part: HeldOut}, []int64{c}},
		"learned":       {Filter{Part: Learned}, []int64{b, d}},
		"undecided":     {Filter{Part: Undecided}, []int64{a}},
		"text, case":    {Filter{Text: "b"}, []int64{b}},
		"text, percent": {Filter{Text: "%"}, []int64{b}},
		"text, under":   {Filter{Text: "w_"}, []int64{c}},
		"text, session": {Filter{Text: "tw"}, []int64{b, c}},
		"both":          {Filter{Label: "a", Text: "two"}, []int64{c}},
		"newest, two":   {Filter{Newest: true, Limit: 2}, []int64{d, c}},
		"offset":        {Filter{Offset: 3}, []int64{d}},
		"none":          {Filter{Label: "z"}, nil},
	} {
		var ids []int64
		for _, v := range must(s.List(c.f))(t) {
			ids = append(ids, v.ID)
		}
		if !slices.Equal(ids, c.want) {
			t.Errorf("%s: %v, want %v", name, ids, c.want)
		}
		if c.f.Limit == 0 && c.f.Offset == 0 {
			if n := must(s.count(c.f))(t); n != len(c.want) {
				t.Errorf("%s: counted %d, want %d", name, n, len(c.want))
			}
		}
	}
	equal(t, "classes", must(s.Classes())(t), []Class{
		{Label: "B", Samples: 1}, {Label: "a", Samples: 2}, {Label: "d", Samples: 1},
	})
}

func TestRelabelAndUndo(t *testing.T) {
	s := openTemp(t)
	a, b := must(s.Add(sampleOf("1", 1)))(t).ID, must(s.Add(sampleOf("7", 2)))(t).ID
	before := must(s.Relabel(map[int64]string{a: "9", b: "9", 99: "9"}))(t)
	equal(t, "labels before", before, map[int64]string{a: "1", b: "7"})
	if must(s.Get(a))(t).Label != "9" || must(s.Get(b))(t).Label != "9" {
		t.Error("the labels were not changed")
	}
	must(s.Relabel(before))(t)
	if must(s.Get(a))(t).Label != "1" || must(s.Get(b))(t).Label != "7" {
		t.Error("the labels did not come back")
	}
	if _, err := s.Relabel(map[int64]string{a: " "}); err == nil {
		t.Error("an empty label was taken")
	}
	if _, err := s.Relabel(map[int64]string{99: "x"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("unknown sample: %v", err)
	}
	if _, err := s.Relabel(map[int64]string{a: "5", b: "\x00"}); err == nil || must(s.Get(a))(t).Label != "1" {
		t.Error("half a relabelling was stored")
	}
}

// A line has a text of up to 256 bytes, where it is drawn, relabelled, exported and imported; a character has a label of up to 64.
func TestLongTextsAreThoseOfLines(t *testing.T) {
	s := openTemp(t)
	long := strings.Repeat("文", maxText/3)
	whole := sampleOf("ab", 1)
	whole.Label, whole.Context = long, true
	line, character := must(s.Add(whole))(t), must(s.Add(sampleOf("1", 2)))(t)
	if line.Label != long || !line.Line() {
		t.Errorf("stored as %+v", line)
	}
	whole.Label += "字"
	if _, err := s.Add(whole); err == nil {
		t.Error("a line of more bytes was taken")
	}
	other := strings.Repeat("é", maxText/2)
	before := must(s.Relabel(map[int64]string{line.ID: other}))(t)
	equal(t, "text before", before, map[int64]string{line.ID: long})
	if _, err := s.Relabel(map[int64]string{line.ID: long, character.ID: long}); err == nil || must(s.Get(line.ID))(t).Label != other {
		t.Errorf("a character was relabelled with %d bytes: %v", len(long), err)
	}
	if _, err := s.ExportFile(t.Context(), filepath.Join(t.TempDir(), "pictures"), Filter{}, nil); err != nil {
		t.Error(err)
	}
	var file bytes.Buffer
	if _, err := s.Copy(&file, Filter{}); err != nil {
		t.Fatal(err)
	}
	next := openTemp(t)
	if err := next.Fill(t.Context(), &file, Stated, "file"); err != nil {
		t.Fatal(err)
	}
	equal(t, "copied", must(next.List(Filter{}))(t), must(s.List(Filter{}))(t))
}

func TestDeleteAndRestore(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir, standard())
	var ids []int64
	for n := range 4 {
		ids = append(ids, must(s.Add(sampleOf("1", n)))(t).ID)
	}
	whole := must(s.List(Filter{}))(t)
	first := must(s.Delete(ids[0], ids[1]))(t)
	second := must(s.Delete(ids[1], ids[2]))(t)
	if must(s.count(Filter{}))(t) != len(whole)-3 || !must(s.Get(ids[0]))(t).Deleted {
		t.Errorf("%d samples are left", must(s.count(Filter{}))(t))
	}
	s.Close()
	s = openIn(t, dir, standard())
	if err := s.Restore(first); err != nil || must(s.count(Filter{}))(t) != len(whole)-1 {
		t.Errorf("%d samples after restoring two of three, %v", must(s.count(Filter{}))(t), err)
	}
	if err := s.Restore(first); !errors.Is(err, ErrNotFound) {
		t.Errorf("restoring twice: %v", err)
	}
	if err := s.Restore(second); err != nil {
		t.Error(err)
	}
	equal(t, "everything back", must(s.List(Filter{}))(t), whole)
}

func TestFolderNamesHaveNoMeaning(t *testing.T) {
	names := []string{"with space", "a&b=c", "100%41", "#1", "日本", "q'"}
	if runtime.GOOS != "windows" { // which does not allow these in names
		names = append(names, "a?mode=ro", "file:x", "\"", "back\\slash")
	}
	for _, name := range names {
		dir := t.TempDir() + "/" + name
		s := openIn(t, dir, standard())
		must(s.Add(sampleOf("1", 1)))(t)
		s.Close()
		if s = openIn(t, dir, standard()); must(s.count(Filter{}))(t) != 1 || s.Dir() != dir {
			t.Errorf("%s: the sample is not there", name)
		}
	}
}

func TestSessionNames(t *testing.T) {
	at := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	a, b := NewSession(at), NewSession(at)
	if a == b || !strings.HasPrefix(a, "20260131T120000-") {
		t.Errorf("%q and %q", a, b)
	}
}

// Only what another store changes is news, and only once.
func TestChangesElsewhereAreKnown(t *testing.T) {
	dir := t.TempDir()
	s, other := openIn(t, dir, standard()), openIn(t, dir, standard())
	for _, c := range []struct {
		what   string
		do     func() (Sample, error)
		change bool
	}{
		{"nothing", func() (Sample, error) { return Sample{}, nil }, false},
		{"its own", func() (Sample, error) { return s.Add(sampleOf("1", 1)) }, false},
		{"another's", func() (Sample, error) { return other.Add(sampleOf("2", 2)) }, true},
		{"nothing more", func() (Sample, error) { return s.Get(1) }, false},
	} {
		_, err := c.do()
		if changed, failed := s.ChangedElsewhere(); err != nil || failed != nil || changed != c.change {
			t.Errorf("%s: %v, %v, %v", c.what, changed, err, failed)
		}
	}
}

// Every connection, also the ones the pool opens later, writes through to the disk before a commit returns.
func TestEveryConnectionIsDurable(t *testing.T) {
	s := openTemp(t)
	for range 4 {
		c := must(s.db.Conn(t.Context()))(t)
		defer c.Close()
		var journal string
		var synchronous, foreign, wait int
		err := c.QueryRowContext(t.Context(), `SELECT (SELECT journal_mode FROM pragma_journal_mode), (SELECT synchronous FROM pragma_synchronous),
			(SELECT foreign_keys FROM pragma_foreign_keys), (SELECT timeout FROM pragma_busy_timeout)`).Scan(&journal, &synchronous, &foreign, &wait)
		if err != nil || journal != "wal" || synchronous != 2 || foreign != 1 || wait != 10000 {
			t.Errorf("journal %s, synchronous %d, foreign keys %d, wait %d ms, %v", journal, synchronous, foreign, wait, err)
		}
	}
}

// A process that writes all the time, and lets go in between for moments, keeps nobody out; one that does not let go is waited for no
// longer than said.
func TestOthersThatWriteAreWaitedFor(t *testing.T) {
	s := openTemp(t)
	other := must(sql.Open("sqlite", location(filepath.Join(s.dir, databaseName))+"?_txlock=immediate"))(t)
	defer other.Close()
	tx := must(other.Begin())(t)
	s.wait = 100 * time.Millisecond
	if _, err := s.Add(sampleOf("1", 1)); !errors.Is(err, ErrInUse) {
		t.Errorf("beside one that does not let go: %v", err)
	}
	s.wait = time.Minute
	time.AfterFunc(200*time.Millisecond, func() { tx.Rollback() })
	if _, err := s.Add(sampleOf("1", 1)); err != nil {
		t.Errorf("beside one that lets go: %v", err)
	}
}

func BenchmarkChangedElsewhere(b *testing.B) {
	s, err := Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for b.Loop() {
		if _, err := s.ChangedElsewhere(); err != nil {
			b.Fatal(err)
		}
	}
}

// Nothing is said to be kept that goes into a file without a name.
func TestFileRemovedWhileOpen(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file that is open cannot be removed there")
	}
	s := must(Open(t.TempDir()))(t)
	defer s.Close()
	if _, err := s.Add(sampleOf("1", 1)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(s.dir, databaseName)); err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"removed", "another in its place"} {
		if _, err := s.Add(sampleOf("2", 2)); !errors.Is(err, errRemoved) {
			t.Errorf("%s: %v", what, err)
		}
		if err := os.WriteFile(filepath.Join(s.dir, databaseName), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	s, err := Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	v := sampleOf("1", 1)
	for b.Loop() {
		if _, err := s.Add(v); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpen checks and opens a store of ten thousand samples.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	s, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	var all []Sample
	for n := range 10000 {
		all = append(all, sampleOf("1", n))
	}
	if _, err := addAll(s, all); err != nil {
		b.Fatal(err)
	}
	s.Close()
	for b.Loop() {
		if s, err = Open(dir); err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}
