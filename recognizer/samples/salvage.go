package samples

import (
	"database/sql"
)

// orders are the two ways in which a damaged table is read: from its first row to the damage, then from its last row back to it.
var orders = []string{" ORDER BY id", " ORDER BY id DESC"}

// salvageSamples copies the samples of old that can be read and fit their checksum, with their ids.
func salvageSamples(tx *sql.Tx, old *sql.DB) (int, error) {
	kept := map[int64]bool{}
	for _, order := range orders {
		rows, err := old.Query("SELECT " + sampleColumns + " FROM samples NOT INDEXED WHERE deletion IS NULL" + order)
		if err != nil {
			continue
		}
		for rows.Next() {
			sample, err := scanSample(rows)
			if err != nil || kept[sample.ID] || sample.check() != nil {
				continue
			}
			if err := insertSample(tx, &sample); err != nil {
				rows.Close()
				return 0, err
			}
			kept[sample.ID] = true
		}
		whole := rows.Err() == nil
		rows.Close()
		if whole {
			break
		}
	}
	return len(kept), nil
}

// salvageModels copies the models of old that can be read and fit their checksum, with their ids, and which of them are
// in force. A model whose parent is lost starts at the shipped model.
func salvageModels(tx *sql.Tx, old *sql.DB) (int, error) {
	found := map[int64]Model{}
	for _, order := range orders {
		rows, err := old.Query("SELECT " + modelColumns + ", onnx, checksum FROM models NOT INDEXED" + order)
		if err != nil {
			continue
		}
		for rows.Next() {
			if m, err := scanModel(rows, true); err == nil {
				found[m.ID] = m
			}
		}
		whole := rows.Err() == nil
		rows.Close()
		if whole {
			break
		}
	}
	// Parents have smaller ids than their children.
	for _, id := range sortedKeys(found) {
		m := found[id]
		if _, ok := found[m.Parent]; !ok {
			m.Parent = 0
		}
		if err := insertModel(tx, &m); err != nil {
			return 0, err
		}
	}
	rows, err := old.Query("SELECT base, model FROM in_force")
	if err != nil {
		return len(found), nil
	}
	defer rows.Close()
	for rows.Next() {
		var base string
		var id int64
		if rows.Scan(&base, &id) != nil {
			continue
		}
		if m, ok := found[id]; ok && m.Base == base {
			if err := putInForce(tx, base, id); err != nil {
				return 0, err
			}
		}
	}
	return len(found), nil
}
