package samples

import (
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"strings"

	"modernc.org/sqlite"

	"inkshade/glcompute/message"
)

// applicationID marks the file as ours (PRAGMA application_id): the letters "Inks".
const applicationID = 0x496e6b73

// steps[v] turns a database of version v into one of version v+1; the version stands in PRAGMA user_version, and version 0 is an
// empty database. A step that was released is never edited: a change of the schema is a new step.
var steps = []string{createVersion1, checksums()}

// Column part of samples is that of type part: 0 new, 1 learned, 2 held out. Times are nanoseconds since 1970-01-01 UTC.
// Column deletion names the deletion that took the sample away. AUTOINCREMENT, so that an id
// never means two samples.
const createVersion1 = `
CREATE TABLE deletions (
	id      INTEGER PRIMARY KEY AUTOINCREMENT,
	made_at INTEGER NOT NULL
);
CREATE TABLE samples (
	id                   INTEGER PRIMARY KEY AUTOINCREMENT,
	label                TEXT    NOT NULL CHECK (label <> ''),
	writer               TEXT    NOT NULL,
	context              INTEGER NOT NULL CHECK (context IN (0, 1)),
	strokes              BLOB    NOT NULL,
	device_scale         REAL    NOT NULL,
	made_at              INTEGER NOT NULL,
	answered_label       TEXT    NOT NULL,
	answered_probability REAL    NOT NULL,
	correction           INTEGER NOT NULL CHECK (correction IN (0, 1)),
	session              TEXT    NOT NULL,
	part                 INTEGER NOT NULL CHECK (part IN (0, 1, 2)),
	deletion             INTEGER REFERENCES deletions (id),
	CHECK (NOT (correction = 1 AND part = 2))
);
CREATE INDEX samples_by_label ON samples (label) WHERE deletion IS NULL;
CREATE INDEX samples_by_deletion ON samples (deletion) WHERE deletion IS NOT NULL;
CREATE TABLE models (
	id       INTEGER PRIMARY KEY AUTOINCREMENT,
	parent   INTEGER REFERENCES models (id),
	base     TEXT    NOT NULL,
	name     TEXT    NOT NULL,
	made_at  INTEGER NOT NULL,
	settings TEXT    NOT NULL,
	figures  TEXT    NOT NULL,
	onnx     BLOB    NOT NULL,
	checksum INTEGER NOT NULL
);
CREATE TABLE in_force (
	base  TEXT    PRIMARY KEY,
	model INTEGER NOT NULL REFERENCES models (id)
);
`

// checksums is the step to version 2, in which every row has a checksum over all its columns.
func checksums() string {
	var b strings.Builder
	for _, t := range tables {
		if t.name != "models" { // which had one of its file
			fmt.Fprintf(&b, "ALTER TABLE %s ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;\n", t.name)
		}
		fmt.Fprintf(&b, "UPDATE %s SET checksum = %s;\n%s", t.name, t.sum(""), t.triggers())
	}
	return b.String()
}

// schema is what made the tables of a database but those of SQLite itself, each statement with single spaces.
func schema(db *sql.DB) (map[string]bool, error) {
	made := map[string]bool{}
	_, err := readAll(func(row scanner) (sql string, err error) {
		err = row.Scan(&sql)
		made[strings.Join(strings.Fields(sql), " ")] = true
		return sql, err
	}, db, "SELECT sql FROM sqlite_schema WHERE sql NOT NULL AND name NOT LIKE 'sqlite_%'")
	return made, err
}

// has tells whether a database has all that the steps make, and whether it has more, which another program has made.
func has(db *sql.DB, steps []string) (all, more bool, err error) {
	blank, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return false, false, err
	}
	defer blank.Close()
	blank.SetMaxOpenConns(1)
	made, err := schema(db)
	if err == nil {
		err = migrate(blank, steps, 0)
	}
	if err != nil {
		return false, false, err
	}
	ours, err := schema(blank)
	all = true
	for statement := range ours {
		all = all && made[statement]
		delete(made, statement)
	}
	return all, len(made) > 0, err
}

// migrate takes the database from version to the newest in one transaction: a step that fails, or a kill, leaves the
// version before.
func migrate(db *sql.DB, steps []string, version int) error {
	if version == len(steps) {
		return nil
	}
	return transact(db, 0, func(tx *sql.Tx) error {
		for v := version; v < len(steps); v++ {
			if _, err := tx.Exec(steps[v]); err != nil {
				return message.Errorf("bringing the database from version %d to %d: %w", v, v+1, err)
			}
		}
		_, err := tx.Exec(fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, len(steps)))
		return err
	})
}

// table is one of ours, whose rows carry a checksum over all their columns in a last column, checksum.
type table struct {
	name    string
	columns []string // but the checksum; a first column id is the rowid
}

var (
	deletionsTable = table{"deletions", []string{"id", "made_at"}}
	samplesTable   = table{"samples", []string{
		"id", "label", "writer", "context", "strokes", "device_scale", "made_at", "answered_label", "answered_probability",
		"correction", "session", "part", "deletion",
	}}
	modelsTable  = table{"models", []string{"id", "parent", "base", "name", "made_at", "settings", "figures", "onnx"}}
	inForceTable = table{"in_force", []string{"base", "model"}}
)

// tables are in the order in which rows refer to each other.
var tables = []table{deletionsTable, samplesTable, modelsTable, inForceTable}

func (t table) insert(or string) string {
	return fmt.Sprintf("INSERT %s INTO %s (%s, checksum) VALUES (?%s, 0)", or, t.name, strings.Join(t.columns, ", "), strings.Repeat(", ?", len(t.columns)-1))
}

// sum is the SQL expression of a row's checksum; row is empty or the name of one, as new.
func (t table) sum(row string) string {
	return fmt.Sprintf("row_checksum('%s', %s%s)", t.name, row, strings.Join(t.columns, ", "+row))
}

// triggers keep the checksums of a table.
func (t table) triggers() string {
	set := fmt.Sprintf("ON %s BEGIN UPDATE %s SET checksum = %s WHERE rowid = new.rowid; END;\n", t.name, t.name, t.sum("new."))
	return fmt.Sprintf("CREATE TRIGGER %s_inserted AFTER INSERT %sCREATE TRIGGER %s_updated AFTER UPDATE OF %s %s",
		t.name, set, t.name, strings.Join(t.columns, ", "), set)
}

func init() {
	sqlite.MustRegisterDeterministicScalarFunction("row_checksum", -1, func(_ *sqlite.FunctionContext, values []driver.Value) (driver.Value, error) {
		return rowChecksum(values), nil
	})
}

// rowChecksum is the CRC-32C of the values, each with its type and, of text and bytes, its length.
func rowChecksum[T any](values []T) int64 {
	sum := uint32(0)
	add := func(kind byte, number uint64, rest []byte) {
		var b [9]byte
		b[0] = kind
		binary.LittleEndian.PutUint64(b[1:], number)
		sum = crc32.Update(crc32.Update(sum, castagnoli, b[:]), castagnoli, rest)
	}
	for _, value := range values {
		switch v := any(value).(type) {
		case nil:
			add('n', 0, nil)
		case int64:
			add('i', uint64(v), nil)
		case float64:
			add('f', math.Float64bits(v), nil)
		case string:
			add('s', uint64(len(v)), []byte(v))
		case []byte:
			add('b', uint64(len(v)), v)
		default:
			panic(fmt.Sprintf("samples: a column of type %T", value))
		}
	}
	return int64(sum)
}
