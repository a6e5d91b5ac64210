package samples

import (
	"database/sql"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	codes "modernc.org/sqlite/lib"

	"inkshade/glcompute/message"
)

const salvagePrefix = "salvage-"

// Recovery tells of a damaged database.
type Recovery struct {
	Path    string // where the damaged file lies now; "" when nothing was damaged
	Problem string // what was wrong with it
	Samples int    // samples that could be read from it and are in the store
	Models  int    // models that could be read from it and are in the store
}

// String is one sentence for the user; "" when nothing was damaged.
func (r Recovery) String() string {
	if r.Path == "" {
		return ""
	}
	return fmt.Sprintf("The samples file was damaged (%s) and now lies at %s; %d samples and %d models could be read from it and were kept.",
		r.Problem, r.Path, r.Samples, r.Models)
}

// sideFiles are what SQLite keeps beside a database. They come first when a database is moved: a write-ahead log left
// behind would be taken for that of the fresh database.
var sideFiles = []string{"-wal", "-shm", "-journal", ""}

// damaged says what is wrong with a database.
type damaged string

func (d damaged) Error() string { return string(d) }

// inspect looks at the database at path: its version, and whether it is sound (where thorough is set, the whole file); the error
// is damaged where it is not. An empty
// file is a sound database of version 0. It changes nothing, so that a damaged file is kept as it was found; only a transaction
// that was interrupted before the write-ahead log was in use must be rolled back to be able to read at all.
func inspect(path string, steps []string, thorough bool) (version int, err error) {
	version, err = inspectAs("ro", path, steps, thorough)
	if c := code(err) & 0xff; c == codes.SQLITE_READONLY || c == codes.SQLITE_CANTOPEN {
		version, err = inspectAs("rw", path, steps, thorough)
	}
	if damage(err) || refused(err) {
		err = damaged(err.Error())
	} else if err == nil && thorough && version > 0 && writeVersion(path) > 2 {
		err = damaged("its header allows no writing")
	}
	return version, err
}

// writeVersion is that of the file format; SQLite opens a database of one above 2, which there is none of, for reading only. The
// process must have it open nowhere else: closing a file drops the locks on it.
func writeVersion(path string) byte {
	var header [20]byte
	f, err := os.Open(path)
	if err != nil {
		return 0 // whoever opens it next says why
	}
	defer f.Close()
	f.ReadAt(header[:], 0)
	return header[18]
}

// refused tells whether err is SQLite's word that a statement does not suit the database: of one of ours, that its schema
// is damaged.
func refused(err error) bool { return code(err)&0xff == codes.SQLITE_ERROR }

func inspectAs(mode, path string, steps []string, thorough bool) (version int, err error) {
	db, err := sql.Open("sqlite", location(path)+"?_pragma=busy_timeout(10000)&mode="+mode)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	var application, objects int
	err = db.QueryRow(`SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM pragma_application_id),
		(SELECT count(*) FROM sqlite_schema)`).Scan(&version, &application, &objects)
	if err != nil || application == 0 && version == 0 && objects == 0 {
		return 0, err
	}
	newest := len(steps)
	if application != applicationID || version < 1 || version > newest {
		switch ours, err := hasSome(db, steps); {
		case err != nil:
			return 0, err
		case ours:
			return 0, damaged(fmt.Sprintf("its header names version %d of application %#x", version, application))
		case application != applicationID:
			return 0, message.Errorf("%s is %w: move it away or choose another folder with --data-dir", path, ErrForeign)
		case version > newest:
			return 0, message.Errorf("%s was %w (schema %d, this version knows %d): update Inkshade, or choose another folder with --data-dir",
				path, ErrNewer, version, newest)
		}
		return 0, damaged(fmt.Sprintf("its version is %d", version))
	}
	if !thorough {
		return version, nil
	}
	switch whole, more, err := has(db, steps[:version]); {
	case err != nil || !whole:
		return 0, damaged("its schema is not that of its version")
	case more: // a trigger, perhaps, that deletes what is saved
		return 0, message.Errorf("%s is %w: it has tables or triggers of another program; move it away or choose another folder with --data-dir", path, ErrForeign)
	}
	var verdict string
	if err = db.QueryRow("PRAGMA integrity_check(1)").Scan(&verdict); err == nil && verdict != "ok" {
		err = damaged(verdict)
	}
	return version, err
}

// hasSome tells whether the database is one of ours of any version, whatever its header says.
func hasSome(db *sql.DB, steps []string) (bool, error) {
	for version := range len(steps) {
		if whole, _, err := has(db, steps[:version+1]); whole || err != nil {
			return whole, err
		}
	}
	return false, nil
}

// verify compares every row with its checksum, which SQLite's own check does not know; the error is damaged where one does not fit.
func verify(db *sql.DB) error {
	for _, t := range tables {
		var row int64
		err := db.QueryRow("SELECT rowid FROM " + t.name + " WHERE checksum IS NOT " + t.sum("") + " LIMIT 1").Scan(&row)
		switch {
		case err == nil:
			return damaged(fmt.Sprintf("row %d of its %s does not fit its checksum", row, t.name))
		case refused(err):
			return damaged(err.Error())
		case !errors.Is(err, sql.ErrNoRows):
			return err
		}
	}
	return nil
}

// replace makes a fresh database of what can be read from the damaged one at path, moves the damaged one and its side
// files to a new name, and puts the fresh one in its place; a failure or a kill before the move leaves everything for
// the next try. The caller holds the exclusive lock, so nobody else has the file open.
func replace(dir, path, problem string, o options) (Recovery, error) {
	r := Recovery{Problem: problem}
	work, err := os.MkdirTemp(dir, salvagePrefix)
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(work)
	fresh := filepath.Join(work, databaseName)
	if err := r.fill(fresh, path, o); err != nil {
		return r, err
	}
	if r.Path, err = moveAside(dir, path, o.now()); err != nil {
		return r, err
	}
	if err := os.Rename(fresh, path); err != nil {
		return r, err
	}
	return r, syncFolder(dir)
}

func moveAside(dir, path string, now time.Time) (string, error) {
	stem := "samples-damaged-" + now.Format("2006-01-02-150405")
	target := filepath.Join(dir, stem+".db")
	for n := 2; taken(target); n++ {
		target = filepath.Join(dir, fmt.Sprintf("%s-%d.db", stem, n))
	}
	for _, suffix := range sideFiles {
		if err := os.Rename(path+suffix, target+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return target, nil
}

// taken tells whether a database of this name, or any side file of one, is there.
func taken(path string) bool {
	return slices.ContainsFunc(sideFiles, func(suffix string) bool {
		_, err := os.Lstat(path + suffix)
		return err == nil
	})
}

// fill makes the database fresh and copies into it what can be read of the damaged one.
func (r *Recovery) fill(fresh, damaged string, o options) error {
	if err := createPrivate(fresh); err != nil {
		return err
	}
	db, err := connect(fresh, o.pragmas)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := migrate(db, o.steps, 0); err != nil {
		return err
	}
	p, err := readPages(damaged)
	if err == nil {
		err = transact(db, 0, func(tx *sql.Tx) error { return r.salvage(tx, p) })
	}
	if err != nil {
		return err
	}
	return db.Close()
}

// salvage copies into a fresh database all rows on the pages of a damaged one that fit their checksum, and so loses those on
// damaged pages alone. What a lost row takes with it: a model whose parent is lost starts at the shipped model, an active model
// that is lost is so no more, and a deleted sample is gone.
func (r *Recovery) salvage(tx *sql.Tx, p pages) error {
	// Rows come in any order, and those whose others are lost are removed below.
	if _, err := tx.Exec("PRAGMA defer_foreign_keys = 1"); err != nil {
		return err
	}
	insert := make([]*sql.Stmt, len(tables))
	for i, t := range tables {
		var err error
		if insert[i], err = tx.Prepare(t.insert("OR IGNORE")); err != nil {
			return err
		}
	}
	for rowid, values := range p.rows() {
		for i, t := range tables {
			if row := t.row(rowid, values); row != nil {
				if _, err := insert[i].Exec(row...); err != nil {
					return err
				}
				break
			}
		}
	}
	_, err := tx.Exec(`UPDATE models SET parent = NULL WHERE parent NOT IN (SELECT id FROM models);
		DELETE FROM in_force WHERE base IS NOT (SELECT base FROM models WHERE id = model);
		DELETE FROM samples WHERE deletion IS NOT NULL AND deletion NOT IN (SELECT id FROM deletions)`)
	if err != nil {
		return err
	}
	return tx.QueryRow("SELECT (SELECT count(*) FROM samples WHERE deletion IS NULL), (SELECT count(*) FROM models)").Scan(&r.Samples, &r.Models)
}

// row gives the columns of a row in the form that SQLite gives them, where it is one of the table; else nil.
func (t table) row(rowid int64, values []any) []any {
	n := len(t.columns)
	if len(values) < n || len(values) > n+1 {
		return nil
	}
	if t.columns[0] == "id" {
		if values[0] != nil && values[0] != rowid {
			return nil
		}
		values[0] = rowid
	}
	for i, name := range t.columns {
		if v, ok := values[i].(int64); ok && (name == "device_scale" || name == "answered_probability") {
			values[i] = float64(v) // whole numbers of REAL columns are stored as integers
		}
	}
	whole := len(values) == n+1 && values[n] == rowChecksum(append([]any{t.name}, values[:n]...))
	// In version 1 strokes and the files of models alone have a checksum.
	switch {
	case whole:
	case t.name == "models":
		onnx, ok := values[n-1].([]byte)
		whole = ok && len(values) > n && values[n] == int64(crc32.Checksum(onnx, castagnoli))
	case t.name == "samples":
		strokes, _ := values[4].([]byte)
		_, err := decodeStrokes(strokes)
		whole = err == nil && len(values) == n
	default:
		whole = len(values) == n
	}
	if !whole {
		return nil
	}
	return values[:n]
}
