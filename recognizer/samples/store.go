// Package samples keeps what the user wrote and what was learned from it: labelled ink, and every model trained from it,
// in one SQLite database in the user's data folder.
//
// # Promises
//
//   - A sample is on disk when Add returns: each change is one transaction, committed to the write-ahead log with
//     synchronous=FULL before the method returns. A killed process loses nothing that was reported saved.
//   - Two running instances may use one folder: SQLite's locks order their writes, and each waits up to ten seconds for the other.
//   - A damaged database is renamed, never overwritten; what can still be read from it is copied into a fresh one, and
//     Recovered says where the damaged file lies.
//   - A database of a newer version, or one that is not ours, is left alone.
//   - A full disk, a folder without permission: an error that says so, and the state before it stays.
//
// # Files
//
// samples.db is the database; samples.db-wal and samples.db-shm belong to it while it is open. samples.lock is held shared by
// every open Store and exclusively by one that repairs; samples.opening.lock orders those that are opening. The locks are
// released by the operating system when a process dies.
package samples

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
	codes "modernc.org/sqlite/lib"

	"inkshade/glcompute/message"
)

const (
	databaseName = "samples.db"
	inUseName    = "samples.lock"
	openingName  = "samples.opening.lock"
)

// Store is an open data folder. Its methods may be called from several goroutines at once, and several Stores, in one process or
// in several, may have the same folder open. Each change is one transaction and is on disk when its method returns.
type Store struct {
	dir       string
	db        *sql.DB
	file      os.FileInfo // of the database as it was opened
	from      querier     // what is read, of db or of a snapshot
	inUse     *fileLock
	recovered Recovery
	now       func() time.Time

	// SQLite admits one writer at a time and makes others poll; within a process a mutex is fair and faster. All changes go through
	// one connection, so that it knows those of others.
	writing sync.Mutex
	writer  *sql.Conn
	wait    time.Duration // at most, for other processes that write
	version int64         // of the data, as the writer numbers what others change
}

type options struct {
	steps   []string
	pragmas []string
	wait    time.Duration
	now     func() time.Time
}

func standard() options {
	return options{steps: steps, wait: 10 * time.Second, now: time.Now}
}

// Open opens the store in the folder dir, and makes both where they are missing. It fails, with nothing changed, when
// the folder cannot be written (ErrReadOnly), when the database was made by a newer version (ErrNewer) or another
// program (ErrForeign), when it is damaged or of an older version while another instance has it open (ErrInUse), or when
// there is no space (ErrDiskFull).
//
// The first instance to open the folder checks the whole database (PRAGMA integrity_check, and the checksum of all ink and all
// models); a damaged one is moved aside, and Recovered tells of it.
func Open(dir string) (*Store, error) { return open(dir, standard()) }

func open(dir string, o options) (*Store, error) {
	doing := message.Text("open the samples in %s", dir)
	if err := makeDir(dir); err != nil {
		return nil, explain(doing, err)
	}
	opened, err := Hold(filepath.Join(dir, openingName), true, 3*o.wait)
	if errors.Is(err, ErrInUse) {
		return nil, message.Errorf("cannot %s: %w and is still opening them; try again in a minute", doing, ErrInUse)
	} else if err != nil {
		return nil, explain(doing, err)
	}
	defer opened()
	inUse, err := openLock(filepath.Join(dir, inUseName))
	if err != nil {
		return nil, explain(doing, err)
	}
	s := &Store{dir: dir, inUse: inUse, now: o.now, wait: o.wait}
	if err := s.start(o); err != nil {
		s.Close()
		return nil, explain(doing, err)
	}
	return s, nil
}

// start checks, repairs, migrates and opens the database; the caller holds the opening lock.
func (s *Store) start(o options) error {
	// Whoever gets the exclusive lock is alone, and stays so while it holds the opening lock.
	alone, err := s.inUse.acquire(true, 0)
	if err != nil {
		return err
	}
	if alone {
		left, _ := filepath.Glob(filepath.Join(s.dir, salvagePrefix+"*")) // by a replace that was killed
		for _, path := range left {
			os.RemoveAll(path)
		}
	}
	path := filepath.Join(s.dir, databaseName)
	err = s.prepare(path, o, alone)
	if problem, is := errors.AsType[damaged](err); is {
		if !alone {
			return message.Errorf("the database is %w (%s), and %w: close it and start again", ErrDamaged, problem, ErrInUse)
		}
		s.recovered, err = replace(s.dir, path, problem.Error(), o)
	}
	if err != nil {
		return err
	}
	if held, err := s.inUse.acquire(false, 0); err != nil {
		return err
	} else if !held {
		return ErrInUse
	}
	if s.db == nil {
		if s.db, err = connect(path, o.pragmas); err != nil {
			return err
		}
	}
	s.from = s.db
	if s.writer, err = s.db.Conn(context.Background()); err != nil {
		return err
	}
	// While it waits, SQLite looks ten times a second whether another process writes, and may for ever look at the wrong moments; at first
	// it looks oftener, so it waits shortly, time and again.
	if _, err := s.writer.ExecContext(context.Background(), "PRAGMA busy_timeout = 25"); err != nil {
		return err
	}
	if err := writable(s.writer, s.wait); err != nil {
		return err
	}
	if s.file, err = os.Stat(path); err != nil {
		return err
	}
	_, err = s.changedElsewhere()
	return err
}

// errRemoved is the error of a change that would go into a file that nobody finds again.
var errRemoved = message.Errorf("the file of the samples was removed or replaced while it was open; start Inkshade again, nothing is kept before")

func (s *Store) inPlace() error {
	now, err := os.Stat(filepath.Join(s.dir, databaseName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil || !os.SameFile(now, s.file) {
		return errRemoved
	}
	return nil
}

// writable fails where SQLite has opened the database for reading only, which it does without a word.
func writable(db beginner, wait time.Duration) error {
	tx, err := begin(db, wait)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	_, err = tx.Exec(fmt.Sprintf("PRAGMA application_id = %d", applicationID))
	return err
}

// prepare leaves at path a sound database of the newest version, opened as s.db; the error is damaged where its content is not sound.
func (s *Store) prepare(path string, o options, alone bool) error {
	if err := createPrivate(path); err != nil {
		return err
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return errors.Join(err, message.Errorf("%s is %w: move it away or choose another folder with --data-dir", path, ErrForeign))
	}
	version, err := inspect(path, o.steps, alone)
	if err != nil {
		return err
	}
	if version < len(o.steps) && !alone {
		return message.Errorf("the database must be brought from version %d to %d, and %w: close it and start again", version, len(o.steps), ErrInUse)
	}
	db, err := connect(path, o.pragmas)
	if err == nil {
		err = migrate(db, o.steps, version)
	}
	if err == nil && alone {
		err = verify(db)
	}
	if err == nil {
		s.db = db
		return nil
	}
	if db != nil {
		db.Close()
	}
	if damage(err) {
		err = damaged(err.Error())
	}
	return err
}

// createPrivate makes an empty file that only its owner can read, if there is none; SQLite gives its side files the same mode.
func createPrivate(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// connect opens the database at path for use. Write transactions take their lock when they begin, so that none fails half way.
func connect(path string, pragmas []string) (*sql.DB, error) {
	q := url.Values{"_txlock": {"immediate"}, "_pragma": append([]string{
		"busy_timeout(10000)", "foreign_keys(1)", "fullfsync(1)", "journal_mode(WAL)", "synchronous(FULL)",
	}, pragmas...)}
	db, err := sql.Open("sqlite", location(path)+"?"+q.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(5)
	db.SetMaxIdleConns(5)
	if err := db.Ping(); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// location is path as a URI in which no character of a folder's name has a meaning.
func location(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if path = filepath.ToSlash(path); !strings.HasPrefix(path, "/") { // C:/
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// Unused fails with ErrInUse where an instance, this one too, has the store in dir open.
func Unused(dir string) error {
	release, err := Hold(filepath.Join(dir, inUseName), true, 0)
	if err == nil {
		err = release()
	}
	if errors.Is(err, ErrInUse) {
		return err
	}
	return explain(message.Text("look at the samples in %s", dir), err)
}

// Alone fails with ErrInUse where another instance has the folder open, or is opening it.
func (s *Store) Alone() error {
	opened, err := Hold(filepath.Join(s.dir, openingName), true, 0)
	if err != nil {
		return err
	}
	defer opened() // until then nobody else gets the exclusive lock
	alone, err := s.inUse.acquire(true, 0)
	if err == nil && !alone {
		err = ErrInUse
	}
	_, back := s.inUse.acquire(false, standard().wait)
	return errors.Join(err, back)
}

// Dir returns the folder of the store.
func (s *Store) Dir() string { return s.dir }

// Recovered tells of a damaged database that Open moved aside; its Path is empty when there was none.
func (s *Store) Recovered() Recovery { return s.recovered }

// Close ends the use of the folder. Nothing waits to be written: what was reported saved is on disk already.
func (s *Store) Close() error {
	var err error
	if s.writer != nil {
		err = s.writer.Close()
	}
	if s.db != nil {
		err = errors.Join(err, s.db.Close())
	}
	return errors.Join(err, s.inUse.release())
}

// Snapshot lets do read the store as it is now, whatever is changed meanwhile; it is for nothing else.
func (s *Store) Snapshot(do func(*Store) error) error {
	tx, err := s.db.BeginTx(context.Background(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return explain(message.Text("read the samples"), err)
	}
	defer tx.Rollback()
	return do(&Store{dir: s.dir, from: tx})
}

// ChangedElsewhere tells whether another Store, of this process or of another, has changed anything since it was asked last, or since
// this one was opened. It reads no samples.
func (s *Store) ChangedElsewhere() (bool, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	changed, err := s.changedElsewhere()
	return changed, explain(message.Text("read the samples"), err)
}

func (s *Store) changedElsewhere() (changed bool, err error) {
	before := s.version
	err = s.writer.QueryRowContext(context.Background(), "PRAGMA data_version").Scan(&s.version)
	return s.version != before, err
}

// change runs f in one write transaction, and leaves the state before when f or the commit fails.
func (s *Store) change(doing *message.Message, f func(*sql.Tx) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.inPlace(); err != nil {
		return explain(doing, err)
	}
	return explain(doing, transact(s.writer, s.wait, f))
}

// beginner is a database, or a connection to one.
type beginner interface {
	BeginTx(ctx context.Context, o *sql.TxOptions) (*sql.Tx, error)
}

// begin begins a transaction, for which other processes that write are waited for.
func begin(db beginner, wait time.Duration) (*sql.Tx, error) {
	for end := time.Now().Add(wait); ; {
		tx, err := db.BeginTx(context.Background(), nil)
		if code(err)&0xff != codes.SQLITE_BUSY || time.Now().After(end) {
			return tx, err
		}
	}
}

// transact runs f in one transaction, of which nothing is left when f or the commit fails.
func transact(db beginner, wait time.Duration, f func(*sql.Tx) error) error {
	tx, err := begin(db, wait)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}
