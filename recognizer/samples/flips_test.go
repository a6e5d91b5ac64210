package samples

import (
	"flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"testing"
)

var flips = flag.Int("flips", 60, "bits that TestFlippedBits flips, one at a time")

// A header that says it is of a format to come makes SQLite open the database for reading only.
func TestWriteVersionToCome(t *testing.T) {
	dir := t.TempDir()
	fillStore(t, dir, 20)
	path := filepath.Join(dir, databaseName)
	b := must(os.ReadFile(path))(t)
	b[18] ^= 1 << 5
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := openIn(t, dir, standard()).Recovered(); r.Samples != 20 || r.Models != 2 {
		t.Errorf("recovered %+v", r)
	}
}

// TestFlippedBits flips single bits of a database: half of them in the header of its first page, a quarter in the first page and
// the roots of its tables, the others anywhere. The store opens, loses the samples of at most one page, and changes none.
func TestFlippedBits(t *testing.T) {
	const count = 400
	dir := t.TempDir()
	all := fillStore(t, dir, count)
	path := filepath.Join(dir, databaseName)
	whole := must(os.ReadFile(path))(t)
	roots := rootPages(t, path)
	rng := rand.New(rand.NewSource(7))
	most, damaged := 0, 0
	for n := range *flips {
		at := rng.Intn(len(whole))
		switch n % 4 {
		case 0, 2:
			at = (n / 2 * 7) % 100 // every byte of the header, with enough flips
		case 1:
			at = (roots[n/4%len(roots)]-1)*pageSize + rng.Intn(pageSize)
			if n%8 == 1 {
				at = at / pageSize * pageSize // the type of the page
			}
		}
		b := append([]byte(nil), whole...)
		b[at] ^= 1 << (n / 4 % 8)
		into := t.TempDir()
		if err := os.WriteFile(filepath.Join(into, databaseName), b, 0o600); err != nil {
			t.Fatal(err)
		}
		what := fmt.Sprintf("bit %d of byte %d, in page %d", n/4%8, at, at/pageSize+1)
		s, err := Open(into)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		left := must(s.List(Filter{}))(t)
		r, models := s.Recovered(), len(must(s.Models(""))(t))
		if r.Path != "" {
			damaged++
		}
		if r.Path != "" && (r.Samples != len(left) || r.Models != models) {
			t.Errorf("%s: %d samples and %d models are there; %+v", what, len(left), models, r)
		}
		if most = max(most, count-len(left)); len(left) < count-20 {
			t.Errorf("%s: %d of %d samples are left; %s", what, len(left), count, r)
		}
		for _, v := range left {
			if d := difference(all[v.ID-1], v); d != "" {
				t.Errorf("%s: a sample was changed: %s", what, d)
				break
			}
		}
		wholeIntegrity(t, s)
		s.Close()
	}
	t.Logf("%d flips, %d found to be damage; at most %d of %d samples lost", *flips, damaged, most, count)
}

// rootPages are the numbers of the first page and of the roots of the tables.
func rootPages(t *testing.T, path string) []int {
	t.Helper()
	db := must(connect(path, nil))(t)
	defer db.Close()
	rows := must(db.Query("SELECT rootpage FROM sqlite_schema WHERE type = 'table'"))(t)
	defer rows.Close()
	roots := []int{1}
	for rows.Next() {
		var page int
		if err := rows.Scan(&page); err != nil {
			t.Fatal(err)
		}
		roots = append(roots, page)
	}
	return roots
}

// A database of version 1, whose rows have no checksum, is salvaged too.
func TestDamagedVersion1IsSalvaged(t *testing.T) {
	dir := t.TempDir()
	writeVersion1(t, dir)
	path := filepath.Join(dir, databaseName)
	b := must(os.ReadFile(path))(t)
	b[0] ^= 1
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	s := openIn(t, dir, standard())
	if r := s.Recovered(); r.Samples != 1 || r.Models != 2 {
		t.Errorf("recovered %+v", r)
	}
	checkVersion1(t, s)
}
