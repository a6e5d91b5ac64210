package samples

import (
	"database/sql"
	"errors"
	"io/fs"
	"os"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"inkshade/glcompute/message"
	"inkshade/recognizer/files"
)

// What can go wrong; each error of this package that has one of these causes wraps it.
var (
	ErrNotFound = message.Errorf("not in the store")
	ErrNewer    = message.Errorf("made by a newer version of Inkshade")
	ErrForeign  = message.Errorf("not a database of Inkshade")
	ErrInUse    = message.Errorf("another Inkshade uses the samples")
	ErrDiskFull = message.Errorf("the disk is full")
	ErrReadOnly = message.Errorf("no permission to write")
	ErrDamaged  = message.Errorf("damaged on disk")
)

// explain turns an error of the driver or the file system into a sentence that says what failed and what to do; doing
// completes "cannot ...".
func explain(doing *message.Message, err error) error {
	if err == nil {
		return nil
	}
	switch {
	case damage(err):
		return message.Errorf("cannot %s: the database is %w; close Inkshade and start it again: it is then moved aside and what can be read is kept", doing, ErrDamaged)
	case code(err) != 0:
		switch code(err) & 0xff {
		case codes.SQLITE_FULL:
			return message.Errorf("cannot %s: %w; nothing was changed: free some space and try again", doing, ErrDiskFull)
		case codes.SQLITE_IOERR:
			return message.Errorf("cannot %s: the disk cannot be read or written, or is full; nothing was changed: check the disk and try again: %w", doing, err)
		case codes.SQLITE_READONLY, codes.SQLITE_PERM, codes.SQLITE_CANTOPEN:
			if err := filesLeft(); err != nil {
				return message.Errorf("cannot %s: too many files are open; close other programs and try again: %w", doing, err)
			}
			return message.Errorf("cannot %s: %w in the data folder; choose another with --data-dir or allow it (%v)", doing, ErrReadOnly, err)
		case codes.SQLITE_CONSTRAINT:
			if c := code(err); c == codes.SQLITE_CONSTRAINT_PRIMARYKEY || c == codes.SQLITE_CONSTRAINT_UNIQUE || c == codes.SQLITE_CONSTRAINT_ROWID {
				return message.Errorf("cannot %s: two have the same id", doing)
			}
		case codes.SQLITE_BUSY, codes.SQLITE_LOCKED, codes.SQLITE_PROTOCOL:
			return message.Errorf("cannot %s: %w and did not let go in time; try again", doing, ErrInUse)
		}
	case errors.Is(err, sql.ErrNoRows):
		return message.Errorf("cannot %s: %w; it may have been removed", doing, ErrNotFound)
	case errors.Is(err, fs.ErrPermission):
		return message.Errorf("cannot %s: %w in the data folder; choose another with --data-dir or allow it (%v)", doing, ErrReadOnly, err)
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
	var driver *sqlite.Error
	if errors.As(err, &driver) {
		return driver.Code()
	}
	return 0
}
