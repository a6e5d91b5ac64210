package samples

import (
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"inkshade/glcompute/message"
	"inkshade/recognizer/ink"
)

// NewSession returns a new name for a sitting that starts at now: its time and three random bytes, such as
// 20260131T120000-3f9a2c.
func NewSession(now time.Time) string {
	var b [3]byte
	rand.Read(b[:])
	return fmt.Sprintf("%s-%x", now.UTC().Format("20060102T150405"), b)
}

// idList is ids as SQL's json_each takes them.
func idList(ids []int64) string { return strings.ReplaceAll(fmt.Sprint(ids), " ", ",") }

// Relabel gives each sample the label that stands beside its id, all or none, and returns the labels before, for another
// Relabel to undo it. Ids that are deleted or unknown are left out of the answer; it fails with ErrNotFound when none is left.
func (s *Store) Relabel(labels map[int64]string) (before map[int64]string, err error) {
	err = s.change(message.Text("relabel the samples"), func(tx *sql.Tx) (err error) {
		before, err = rewrite(tx, "label", labels, func(id int64, label string) (string, error) {
			clean, err := CleanLine(label)
			if err != nil || len(clean) <= ink.MaxLabel {
				return clean, err
			}
			var line bool
			if err := tx.QueryRow("SELECT EXISTS (SELECT 1 FROM samples WHERE id = ? AND context)", id).Scan(&line); err != nil || line {
				return clean, err
			}
			return CleanLabel(label)
		})
		return err
	})
	return before, err
}

// SetWriters gives each sample the writer that stands beside its id, as Relabel does a label; "" is the user.
func (s *Store) SetWriters(writers map[int64]string) (before map[int64]string, err error) {
	err = s.change(message.Text("change who drew the samples"), func(tx *sql.Tx) (err error) {
		before, err = rewrite(tx, "writer", writers, func(_ int64, writer string) (string, error) { return writer, CheckText(writer) })
		return err
	})
	return before, err
}

func rewrite(tx *sql.Tx, column string, texts map[int64]string, clean func(id int64, text string) (string, error)) (before map[int64]string, err error) {
	cleaned := map[int64]string{}
	for _, id := range sortedKeys(texts) {
		if cleaned[id], err = clean(id, texts[id]); err != nil {
			return nil, err
		}
	}
	list, err := json.Marshal(cleaned)
	if err != nil {
		return nil, err
	}
	var old []byte
	err = tx.QueryRow("SELECT json_group_object(samples.id, "+column+") FROM samples JOIN json_each(?) ON samples.id = CAST(key AS INTEGER) WHERE deletion IS NULL", string(list)).Scan(&old)
	if err == nil {
		err = json.Unmarshal(old, &before)
	}
	if err != nil {
		return nil, err
	}
	return before, affected(tx, "UPDATE samples SET "+column+" = value FROM json_each(?) WHERE samples.id = CAST(key AS INTEGER) AND deletion IS NULL", string(list))
}

// Delete takes samples out of every list; Restore with the number of the deletion brings them back, also after a restart. Ids that are deleted
// already or unknown do not count; it fails with ErrNotFound when none is left.
func (s *Store) Delete(ids ...int64) (deletion int64, err error) {
	err = s.change(message.Text("delete the samples"), func(tx *sql.Tx) error {
		if err := tx.QueryRow("INSERT INTO deletions (made_at) VALUES (?) RETURNING id", s.now().UnixNano()).Scan(&deletion); err != nil {
			return err
		}
		return affected(tx, "UPDATE samples SET deletion = ? WHERE deletion IS NULL AND id IN (SELECT value FROM json_each(?))", deletion, idList(ids))
	})
	return deletion, err
}

// affected runs a statement, which fails where it changes no row.
func affected(tx *sql.Tx, query string, arguments ...any) error {
	result, err := tx.Exec(query, arguments...)
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	if err == nil && n == 0 {
		err = sql.ErrNoRows
	}
	return err
}

// Restore takes a deletion back; ErrNotFound when it was taken back already.
func (s *Store) Restore(deletion int64) error {
	return s.change(message.Text("restore the samples"), func(tx *sql.Tx) error {
		return affected(tx, "UPDATE samples SET deletion = NULL WHERE deletion = ?", deletion)
	})
}

// SetHoldOut holds samples out, or releases them to be learned from. It fails, and changes none, when one that is to be
// held out has been learned from: what was seen in training can never measure it. As long as the program runs undo takes
// it back; a release only until a training has learned from what was released.
func (s *Store) SetHoldOut(holdOut bool, ids ...int64) (undo func() error, err error) {
	doing := message.Text("change what is kept for testing")
	from, to := partHeldOut, partLearned
	if holdOut {
		from, to = partNew, partHeldOut
	}
	var trained int64
	var changed string
	err = s.change(doing, func(tx *sql.Tx) error {
		var learned int
		err := tx.QueryRow(`SELECT count(*) FILTER (WHERE part = ?), json_group_array(id) FILTER (WHERE part = ? AND deletion IS NULL), `+trainings+`
			FROM samples WHERE id IN (SELECT value FROM json_each(?))`, partLearned, from, idList(ids)).Scan(&learned, &changed, &trained)
		if err == nil && holdOut && learned > 0 {
			err = message.Errorf("%d of them have been learned from; only drawings that have not can be kept for testing", learned)
		}
		if err != nil {
			return err
		}
		return setPart(tx, from, to, changed)
	})
	return func() error {
		return s.change(doing, func(tx *sql.Tx) error {
			var now int64
			if err := tx.QueryRow("SELECT " + trainings).Scan(&now); err != nil {
				return err
			}
			if !holdOut && now != trained {
				return ErrLearned
			}
			return setPart(tx, to, from, changed)
		})
	}, err
}

// trainings counts the models that were ever stored.
const trainings = "coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'models'), 0)"

// setPart changes the part of those of the samples, a list in JSON, that are of the part from.
func setPart(tx *sql.Tx, from, to part, ids string) error {
	_, err := tx.Exec("UPDATE samples SET part = ? WHERE part = ? AND id IN (SELECT value FROM json_each(?))", to, from, ids)
	return err
}
