package samples

import (
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// version1 makes a database of version 1 with rows in it, as the first release wrote it. It is never edited.
//
//go:embed testdata/version1.sql
var version1 string

func writeVersion1(t *testing.T, dir string) {
	t.Helper()
	db := must(sql.Open("sqlite", location(filepath.Join(dir, databaseName))))(t)
	defer db.Close()
	must(db.Exec(version1))(t)
}

func schemaOf(t *testing.T, dir string) string {
	t.Helper()
	db := must(sql.Open("sqlite", location(filepath.Join(dir, databaseName))))(t)
	defer db.Close()
	var text string
	if err := db.QueryRow("SELECT group_concat(sql, ';' || char(10)) FROM (SELECT sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY name)").Scan(&text); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(text), " ")
}

func checkVersion1(t *testing.T, s *Store) {
	t.Helper()
	equal(t, "samples", must(s.List(Filter{}))(t), []Sample{{
		ID: 3, Label: "7", Writer: "w1", Context: true, Ink: drawing(3), DeviceScale: 1.25, Time: time.Unix(1700000000, 5).UTC(),
		Answered: Answer{"1", 0.75}, Correction: true, Session: "s", Learned: true,
	}})
	m, trained, err := s.ActiveModel("digits-mlp")
	if err != nil || !trained || m.ID != 2 || string(m.ONNX) != "onnx" || string(m.Figures) != `{"error":1}` {
		t.Errorf("active model %+v, %v, %v", m, trained, err)
	}
	if err := s.Restore(1); err != nil || must(s.count(Filter{}))(t) != 2 {
		t.Errorf("restored %d samples, %v", must(s.count(Filter{}))(t), err)
	}
}

func TestVersion1IsRead(t *testing.T) {
	old, fresh := t.TempDir(), t.TempDir()
	writeVersion1(t, old)
	db := must(connect(filepath.Join(fresh, databaseName), nil))(t)
	if err := migrate(db, steps[:1], 0); err != nil {
		t.Fatal(err)
	}
	db.Close()
	equal(t, "schema of version 1", schemaOf(t, fresh), schemaOf(t, old))
	checkVersion1(t, openIn(t, old, standard()))
}

// future stands for a release to come: it adds a column and gives it a value.
var future = append(append([]string(nil), steps...), `ALTER TABLE samples ADD COLUMN mood TEXT NOT NULL DEFAULT ''; UPDATE samples SET mood = 'old';`)

func withSteps(s []string) options {
	o := standard()
	o.steps, o.wait = s, 0
	return o
}

func TestMigration(t *testing.T) {
	dir := t.TempDir()
	writeVersion1(t, dir)
	s := openIn(t, dir, withSteps(future))
	var version int
	var mood string
	if err := s.db.QueryRow("SELECT user_version, (SELECT mood FROM samples WHERE id = 3) FROM pragma_user_version").Scan(&version, &mood); err != nil || version != len(future) || mood != "old" {
		t.Errorf("version %d, new column %q, %v", version, mood, err)
	}
	checkVersion1(t, s)
	wholeIntegrity(t, s)
}

func TestFailedMigrationLeavesTheVersionBefore(t *testing.T) {
	dir := t.TempDir()
	writeVersion1(t, dir)
	path := filepath.Join(dir, databaseName)
	if s, err := open(dir, withSteps(append(future, "CREATE TABLE other (a); INSERT INTO nowhere VALUES (1)"))); err == nil {
		s.Close()
		t.Fatal("a failing migration was taken")
	}
	version, err := inspect(path, steps, true)
	if version != 1 || err != nil {
		t.Fatalf("version %d, %v", version, err)
	}
	checkVersion1(t, openIn(t, dir, standard()))
}

func TestNoMigrationUnderAnOlderInstance(t *testing.T) {
	dir := t.TempDir()
	old := openIn(t, dir, standard())
	must(old.Add(sampleOf("1", 1)))(t)
	if s, err := open(dir, withSteps(future)); !errors.Is(err, ErrInUse) {
		t.Errorf("%v, %v", s, err)
	}
	must(old.Add(sampleOf("2", 2)))(t)
	old.Close()
	if n := must(openIn(t, dir, withSteps(future)).count(Filter{}))(t); n != 2 {
		t.Errorf("%d samples after migration", n)
	}
}

func TestNewerAndForeignDatabasesAreLeftAlone(t *testing.T) {
	newer := func(t *testing.T, dir string) {
		s := openIn(t, dir, withSteps(future))
		s.Close()
	}
	foreign := func(statement string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			db := must(sql.Open("sqlite", location(filepath.Join(dir, databaseName))))(t)
			defer db.Close()
			must(db.Exec(statement))(t)
		}
	}
	for name, c := range map[string]struct {
		make func(*testing.T, string)
		want error
	}{
		"newer":                {newer, ErrNewer},
		"foreign":              {foreign("CREATE TABLE recipes (a)"), ErrForeign},
		"foreign application":  {foreign("PRAGMA application_id = 7; CREATE TABLE samples (a)"), ErrForeign},
		"foreign with version": {foreign("PRAGMA user_version = 1"), ErrForeign},
		"a trigger of others": {func(t *testing.T, dir string) {
			openIn(t, dir, standard()).Close()
			foreign("CREATE TRIGGER thief AFTER INSERT ON samples BEGIN DELETE FROM samples; END; PRAGMA wal_checkpoint(TRUNCATE)")(t, dir)
		}, ErrForeign},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c.make(t, dir)
			before := filesIn(t, dir)
			s, err := Open(dir)
			if !errors.Is(err, c.want) {
				t.Fatalf("%v, %v", s, err)
			}
			if !strings.Contains(err.Error(), databaseName) {
				t.Errorf("the message does not name the file: %v", err)
			}
			after := filesIn(t, dir)
			if after[databaseName+"-wal"] == "" {
				delete(after, databaseName+"-wal") // a reader makes it, and has nothing to write into it
			}
			for _, name := range []string{inUseName, openingName, databaseName + "-shm"} {
				delete(after, name)
				delete(before, name)
			}
			equal(t, "files", after, before)
		})
	}
}

// filesIn reads all files of a folder. No store of this process may have it open: closing a file drops the process's locks on it.
func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, entry := range must(os.ReadDir(dir))(t) {
		if entry.IsDir() {
			all[entry.Name()] = "folder"
			continue
		}
		all[entry.Name()] = fmt.Sprintf("%x", must(os.ReadFile(filepath.Join(dir, entry.Name())))(t))
	}
	return all
}

// Whoever asks whether it is alone has the folder open after that as before.
func TestAlone(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir, standard())
	if err := s.Alone(); err != nil {
		t.Error(err)
	}
	other := openIn(t, dir, standard())
	if err := s.Alone(); !errors.Is(err, ErrInUse) {
		t.Error(err)
	}
	other.Close()
	if err := Unused(dir); !errors.Is(err, ErrInUse) {
		t.Errorf("the folder is open: %v", err)
	}
}
