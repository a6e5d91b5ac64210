package samples

import (
	"cmp"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"strings"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"inkshade/glcompute/message"
	"inkshade/recognizer/files"
)

// Part chooses samples by what they serve for.
type Part int

// Every sample is in exactly one of the last three.
const (
	Everything Part = iota
	Undecided       // neither learned from nor held out yet; AssignHoldOut decides
	Learned         // learned from
	HeldOut         // kept out of learning
)

// Filter chooses samples; its zero value is all of them. Every condition that is set must hold.
type Filter struct {
	Label       string // exactly this label
	Writer      string // exactly this writer
	Part        Part
	Corrections bool   // only corrections
	Own         bool   // only those of the style of that writer, empty for the user: not held out, no single characters cut from running text
	Text        string // occurs in label, answer, writer or session; ASCII letters match in either case
	Newest      bool   // newest first; else in order of id
	Limit       int    // at most so many; 0 is no limit
	Offset      int    // leave out so many first
}

func (f Filter) where() (condition string, arguments []any) {
	conditions := []string{"deletion IS NULL"}
	add := func(c string, value any) { conditions, arguments = append(conditions, c), append(arguments, value) }
	if f.Label != "" {
		add("label = ?", f.Label)
	}
	if f.Writer != "" || f.Own {
		add("writer = ?", f.Writer)
	}
	if f.Part != Everything {
		add("part = ?", int(f.Part-Undecided))
	}
	if f.Corrections {
		add("correction = ?", true)
	}
	if f.Own {
		add("part <> ? AND (context = 0 OR length(label) > 1)", int(HeldOut-Undecided))
	}
	if f.Text != "" {
		add("instr(lower(label || char(10) || answered_label || char(10) || writer || char(10) || session), lower(?)) > 0", f.Text)
	}
	return strings.Join(conditions, " AND "), arguments
}

// List returns the samples that f chooses, with their ink; deleted ones are never among them.
func (s *Store) List(f Filter) ([]Sample, error) {
	samples, err := list(s.from, f)
	return samples, explain(message.Text("read the samples"), err)
}

type querier interface {
	Query(query string, arguments ...any) (*sql.Rows, error)
	QueryRow(query string, arguments ...any) *sql.Row
}

func list(q querier, f Filter) ([]Sample, error) {
	condition, arguments := f.where()
	query := "SELECT " + sampleColumns + " FROM samples WHERE " + condition + " ORDER BY id"
	if f.Newest {
		query += " DESC"
	}
	arguments = append(arguments, cmp.Or(max(f.Limit, 0), -1), f.Offset) // -1 is no limit
	return readAll(scanSample, q, query+" LIMIT ? OFFSET ?", arguments...)
}

// scanner is a row of an answer.
type scanner interface{ Scan(...any) error }

func readAll[T any](scan func(scanner) (T, error), q querier, query string, arguments ...any) ([]T, error) {
	rows, err := q.Query(query, arguments...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

// Class is how many samples the store has of one label.
type Class struct {
	Label   string
	Samples int
}

// Classes returns every label that has samples, in order of its bytes.
func (s *Store) Classes() ([]Class, error) {
	classes, err := readAll(func(row scanner) (c Class, err error) {
		return c, row.Scan(&c.Label, &c.Samples)
	}, s.from, "SELECT label, count(*) FROM samples WHERE deletion IS NULL GROUP BY label ORDER BY label")
	return classes, explain(message.Text("count the samples"), err)
}

// What can go wrong; each error of this package that has one of these causes wraps it.
var (
	ErrNotFound = message.Errorf("not in the store")
	ErrNewer    = message.Errorf("made by a newer version of Inkshade")
	ErrForeign  = message.Errorf("not a database of Inkshade")
	ErrLearned  = message.Errorf("a training has learned from them since")
	ErrInUse    = message.Errorf("another Inkshade uses the samples")
	ErrDiskFull = message.Errorf("the disk is full")
	ErrReadOnly = message.Errorf("no permission to write")
	ErrDamaged  = message.Errorf("damaged on disk")
)

// explain turns an error of the driver or the file system into a sentence that says what failed and what to do; doing
// completes "cannot ...".
func explain(doing *message.Message, err error) error {
	c := code(err)
	switch primary := c & 0xff; {
	case err == nil:
		return nil
	case damage(err):
		return message.Errorf("cannot %s: the database is %w; close Inkshade and start it again: it is then moved aside and what can be read is kept", doing, ErrDamaged)
	case primary == codes.SQLITE_FULL:
		return message.Errorf("cannot %s: %w; nothing was changed: free some space and try again", doing, ErrDiskFull)
	case primary == codes.SQLITE_IOERR:
		return message.Errorf("cannot %s: the disk cannot be read or written, or is full; nothing was changed: check the disk and try again: %w", doing, err)
	case primary == codes.SQLITE_READONLY, primary == codes.SQLITE_PERM, primary == codes.SQLITE_CANTOPEN, errors.Is(err, fs.ErrPermission):
		if none := filesLeft(); none != nil && c != 0 {
			return message.Errorf("cannot %s: too many files are open; close other programs and try again: %w", doing, none)
		}
		return message.Errorf("cannot %s: %w in the data folder; choose another with --data-dir or allow it (%v)", doing, ErrReadOnly, err)
	case c == codes.SQLITE_CONSTRAINT_PRIMARYKEY, c == codes.SQLITE_CONSTRAINT_UNIQUE, c == codes.SQLITE_CONSTRAINT_ROWID:
		return message.Errorf("cannot %s: two have the same id", doing)
	case primary == codes.SQLITE_BUSY, primary == codes.SQLITE_LOCKED, primary == codes.SQLITE_PROTOCOL:
		return message.Errorf("cannot %s: %w and did not let go in time; try again", doing, ErrInUse)
	case errors.Is(err, sql.ErrNoRows):
		return message.Errorf("cannot %s: %w; it may have been removed", doing, ErrNotFound)
	}
	return message.Errorf("cannot %s: %w", doing, err)
}

// filesLeft fails when no few files more can be opened, of which SQLite says only that one cannot.
func filesLeft() error {
	for range 8 {
		f, err := os.Open(os.DevNull)
		if err != nil {
			return files.Cause(err)
		}
		defer f.Close()
	}
	return nil
}

// damage tells whether err is SQLite's word that the file's content is not a sound database.
func damage(err error) bool {
	c := code(err)
	return c&0xff == codes.SQLITE_CORRUPT || c&0xff == codes.SQLITE_NOTADB || c == codes.SQLITE_IOERR_SHORT_READ
}

// code is SQLite's of an error, whose low byte is the primary one; 0 of others.
func code(err error) int {
	if driver, ok := errors.AsType[*sqlite.Error](err); ok {
		return driver.Code()
	}
	return 0
}
