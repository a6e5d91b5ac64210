package samples

import (
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"strings"

	"modernc.org/sqlite"
)

// table is one of ours, whose rows carry a checksum over all their columns in a last column, checksum.
type table struct {
	name    string
	columns []string // but the checksum; a first column id is the rowid
}

// tables are in the order in which rows refer to each other.
var tables = []table{
	{"deletions", []string{"id", "made_at"}},
	{"samples", []string{
		"id", "label", "writer", "context", "strokes", "device_scale", "made_at", "answered_label", "answered_probability",
		"correction", "session", "part", "deletion",
	}},
	{"models", []string{"id", "parent", "base", "name", "made_at", "settings", "figures", "onnx"}},
	{"in_force", []string{"base", "model"}},
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
func rowChecksum(values []driver.Value) int64 {
	sum := uint32(0)
	add := func(kind byte, number uint64, rest []byte) {
		var b [9]byte
		b[0] = kind
		binary.LittleEndian.PutUint64(b[1:], number)
		sum = crc32.Update(crc32.Update(sum, castagnoli, b[:]), castagnoli, rest)
	}
	for _, value := range values {
		switch v := value.(type) {
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
