package samples

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"strconv"

	"inkshade/recognizer/ink"
)

// largestID bounds the ids of a copy, so that as many again follow them.
const largestID = 1 << 48

// Copy writes the samples that f chooses as JSON Lines, each with its id, and returns how many there were. Fill reads them.
func (s *Store) Copy(w io.Writer, f Filter) (int, error) {
	return s.export(w, ink.WriteJSONLines, f, func(v *Sample) ink.Labelled {
		l := v.labelled()
		l.Attributes[attributeID] = strconv.FormatInt(v.ID, 10)
		return l
	})
}

// Fill stores what Copy has written, with the same ids, which must be free; whose says who wrote it, name what it is called
// where nobody is named. It stores all of the samples or, where one is not as Copy writes it, none.
func (s *Store) Fill(ctx context.Context, r io.Reader, whose Whose, name string) error {
	var candidates []candidate
	err := ink.Each(r, func(l ink.Labelled) error {
		v, err := fromLabelled(l)
		if err == nil && !(v.ID > 0 && v.ID < largestID) {
			err = errors.New("it has no id")
		}
		if err == nil {
			err = v.check()
		}
		if err != nil {
			return fmt.Errorf("sample %d: %w", len(candidates)+1, err)
		}
		candidates = append(candidates, candidate{file: name, sample: v})
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	_, err = s.Import(ctx, candidates, whose, nil)
	return err
}

// FillModel stores a model of the history of another store, with its id, after its parent.
func (s *Store) FillModel(m Model) error {
	if !(m.ID > 0 && m.ID < largestID) {
		return fmt.Errorf("a trained model has the id %d", m.ID)
	}
	return s.change("save the trained model", func(tx *sql.Tx) error {
		return addModel(tx, &m, m.InForce)
	})
}
