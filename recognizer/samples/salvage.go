package samples

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
)

// salvage copies into a fresh database all rows on the pages of a damaged one that fit their checksum, and so loses those on
// damaged pages alone. What a lost row takes with it: a model whose parent is lost starts at the shipped model, a model in force
// that is lost is so no more, and a deleted sample is gone.
func salvage(tx *sql.Tx, p pages) (samples, models int, err error) {
	// Rows come in any order, and those whose others are lost are removed below.
	if _, err := tx.Exec("PRAGMA defer_foreign_keys = 1"); err != nil {
		return 0, 0, err
	}
	var insert []*sql.Stmt
	for _, t := range tables {
		statement, err := tx.Prepare(fmt.Sprintf("INSERT OR IGNORE INTO %s (%s, checksum) VALUES (?%s, 0)",
			t.name, strings.Join(t.columns, ", "), strings.Repeat(", ?", len(t.columns)-1)))
		if err != nil {
			return 0, 0, err
		}
		defer statement.Close()
		insert = append(insert, statement)
	}
	p.rows(func(rowid int64, values []driver.Value) {
		for i, t := range tables {
			if err != nil || !t.fits(rowid, values) {
				continue
			}
			arguments := make([]any, len(t.columns))
			for j := range arguments {
				arguments[j] = values[j]
			}
			_, err = insert[i].Exec(arguments...)
			return
		}
	})
	if err != nil {
		return 0, 0, err
	}
	_, err = tx.Exec(`UPDATE models SET parent = NULL WHERE parent NOT IN (SELECT id FROM models);
		DELETE FROM in_force WHERE base IS NOT (SELECT base FROM models WHERE id = model);
		DELETE FROM samples WHERE deletion IS NOT NULL AND deletion NOT IN (SELECT id FROM deletions)`)
	if err != nil {
		return 0, 0, err
	}
	err = tx.QueryRow("SELECT (SELECT count(*) FROM samples WHERE deletion IS NULL), (SELECT count(*) FROM models)").Scan(&samples, &models)
	return samples, models, err
}

// fits tells whether a row is one of the table, and gives its values the form that SQLite gives them.
func (t table) fits(rowid int64, values []driver.Value) bool {
	n := len(t.columns)
	if len(values) < n || len(values) > n+1 {
		return false
	}
	if t.columns[0] == "id" {
		if values[0] != nil && values[0] != rowid {
			return false
		}
		values[0] = rowid
	}
	if t.name == "samples" { // whole numbers of REAL columns are stored as integers
		for _, name := range []string{"device_scale", "answered_probability"} {
			if v, ok := values[slices.Index(t.columns, name)].(int64); ok {
				values[slices.Index(t.columns, name)] = float64(v)
			}
		}
	}
	if len(values) == n+1 && values[n] == rowChecksum(append([]driver.Value{t.name}, values[:n]...)) {
		return true
	}
	return t.fitsVersion1(values)
}

// fitsVersion1 is fits for databases of version 1, in which strokes and model files alone have a checksum.
func (t table) fitsVersion1(values []driver.Value) bool {
	switch t.name {
	case "samples":
		strokes, ok := values[slices.Index(t.columns, "strokes")].([]byte)
		if !ok || len(values) > len(t.columns) {
			return false
		}
		_, err := decodeStrokes(strokes)
		return err == nil
	case "models":
		onnx, ok := values[len(t.columns)-1].([]byte)
		return ok && len(values) > len(t.columns) && values[len(t.columns)] == int64(crc32.Checksum(onnx, castagnoli))
	}
	return len(values) == len(t.columns)
}
