package samples

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
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

// inspect looks at the database at path: its version, and whether it is sound (where thorough is set, the whole file). An empty
// file is a sound database of version 0. It changes nothing, so that a damaged file is kept as it was found; only a transaction
// that was interrupted before the write-ahead log was in force must be rolled back to be able to read at all.
func inspect(path string, newest int, thorough bool) (version int, damaged string, err error) {
	version, damaged, err = inspectAs("ro", path, newest, thorough)
	var driver *sqlite.Error
	if errors.As(err, &driver) && (driver.Code()&0xff == codes.SQLITE_READONLY || driver.Code()&0xff == codes.SQLITE_CANTOPEN) {
		return inspectAs("rw", path, newest, thorough)
	}
	return version, damaged, err
}

func inspectAs(mode, path string, newest int, thorough bool) (version int, damaged string, err error) {
	db, err := sql.Open("sqlite", location(path)+"?_pragma=busy_timeout(10000)&mode="+mode)
	if err != nil {
		return 0, "", err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	var application, tables int
	err = db.QueryRow(`SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM pragma_application_id),
		(SELECT count(*) FROM sqlite_schema)`).Scan(&version, &application, &tables)
	switch {
	case damage(err):
		return 0, err.Error(), nil
	case err != nil:
		return 0, "", err
	case application == 0 && version == 0 && tables == 0:
	case application != applicationID:
		return 0, "", fmt.Errorf("%s is %w: move it away or choose another folder with --data-dir", path, ErrForeign)
	case version > newest:
		return 0, "", fmt.Errorf("%s was %w (schema %d, this version knows %d): update Inkshade, or choose another folder with --data-dir",
			path, ErrNewer, version, newest)
	}
	if thorough {
		var verdict string
		err = db.QueryRow("PRAGMA integrity_check(1)").Scan(&verdict)
		if damage(err) {
			return 0, err.Error(), nil
		}
		if err != nil {
			return 0, "", err
		}
		if verdict != "ok" {
			return 0, verdict, nil
		}
	}
	return version, "", nil
}

// verify compares every drawing and every model with its checksum, which SQLite's own check does not know.
func verify(db *sql.DB) (damaged string, err error) {
	rows, err := db.Query("SELECT id, strokes FROM samples")
	if err != nil {
		return "", err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var b sql.RawBytes
		if err := rows.Scan(&id, &b); err != nil {
			return "", err
		}
		if n := len(b) - 4; n < 1 || crc32.Checksum(b[:n], castagnoli) != binary.LittleEndian.Uint32(b[n:]) {
			return fmt.Sprintf("the strokes of sample %d do not fit their checksum", id), nil
		}
	}
	if err := rows.Err(); err != nil {
		return "", err
	}
	models, err := db.Query("SELECT id, onnx, checksum FROM models")
	if err != nil {
		return "", err
	}
	defer models.Close()
	for models.Next() {
		var id, sum int64
		var b sql.RawBytes
		if err := models.Scan(&id, &b, &sum); err != nil {
			return "", err
		}
		if crc32.Checksum(b, castagnoli) != uint32(sum) {
			return fmt.Sprintf("the trained model %d does not fit its checksum", id), nil
		}
	}
	return "", models.Err()
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
	// SQLite writes into a database that it opens; the damaged one stays as it was found.
	copied, fresh := filepath.Join(work, "damaged.db"), filepath.Join(work, databaseName)
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(copied+suffix, path+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return r, err
		}
	}
	if err := pad(copied); err != nil {
		return r, err
	}
	if err := r.fill(fresh, copied, o); err != nil {
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
	for _, suffix := range sideFiles {
		if _, err := os.Lstat(path + suffix); err == nil {
			return true
		}
	}
	return false
}

// removeLeftovers removes what a killed replace has left.
func removeLeftovers(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, salvagePrefix+"*"))
	for _, path := range left {
		os.RemoveAll(path)
	}
}

// fill makes the database fresh and copies into it what can be read of copied, in one transaction. Rows that cannot be read, and
// deleted samples, are left out; a copy in which nothing can be read leaves fresh empty.
func (r *Recovery) fill(fresh, copied string, o options) error {
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
	old, err := sql.Open("sqlite", location(copied))
	if err != nil {
		return err
	}
	defer old.Close()
	old.SetMaxOpenConns(1)
	var version int
	if err := old.QueryRow("PRAGMA user_version").Scan(&version); err != nil || version < 1 || version > len(o.steps) {
		return nil
	}
	if migrate(old, o.steps, version) != nil {
		return nil
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if r.Samples, err = salvageSamples(tx, old); err != nil {
		return err
	}
	if r.Models, err = salvageModels(tx, old); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return db.Close()
}

// pad lengthens a database that was cut to the size that its header states, with zeros, because SQLite does not open a
// shorter one at all. File format: https://www.sqlite.org/fileformat.html, section 1.3.
func pad(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	header := make([]byte, 100)
	if _, err := f.ReadAt(header, 0); err != nil {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	page := int64(binary.BigEndian.Uint16(header[16:]))
	size := page * int64(binary.BigEndian.Uint32(header[28:]))
	// A header that claims far more than is there is damaged itself.
	if size <= info.Size() || size > 100*info.Size() {
		return nil
	}
	return f.Truncate(size)
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
