package trainer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/samples"
)

// Entry is one model of the history. That of ID 0 is the shipped model, which has neither
// options nor a report.
type Entry struct {
	ID, Parent int64
	Title      string // that a person gave the model, or empty
	Time       time.Time
	InForce    bool
	Options    Options
	Report     Report
}

func entryOf(m samples.Model) (Entry, error) {
	e := Entry{ID: m.ID, Parent: m.Parent, Title: m.Title(), Time: m.Time, InForce: m.InForce}
	if err := json.Unmarshal(m.Settings, &e.Options); err != nil {
		return e, fmt.Errorf("the settings of the trained model %d cannot be read: %w", m.ID, err)
	}
	if err := json.Unmarshal(m.Figures, &e.Report); err != nil {
		return e, fmt.Errorf("the figures of the trained model %d cannot be read: %w", m.ID, err)
	}
	return e, e.Report.fromRows(m.Figures)
}

// History lists the models trained from base, the latest first, and the shipped one last.
func (t *Trainer) History(base string) ([]Entry, error) {
	stored, err := t.book.Store.Models(base)
	if err != nil {
		return nil, err
	}
	shipped := Entry{InForce: true}
	var entries []Entry
	for _, m := range stored {
		e, err := entryOf(m)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
		shipped.InForce = shipped.InForce && !e.InForce
	}
	return append(entries, shipped), nil
}

// Use puts a model of the history in force, 0 for the shipped one. A model that cannot be read is an error, and the
// one before stays in force.
func (t *Trainer) Use(base string, id int64) error {
	if id != 0 {
		stored, err := t.book.Store.Model(id)
		if err != nil {
			return err
		}
		if _, err := onnx.Read(bytes.NewReader(stored.ONNX)); err != nil {
			return fmt.Errorf("the trained model %d cannot be used: %w", id, err)
		}
	}
	return t.book.Store.SetInForce(base, id)
}

// Drawings reads the samples of these ids as they are now; those that were removed for good
// are left out.
func (t *Trainer) Drawings(ids ...int64) ([]samples.Sample, error) {
	var found []samples.Sample
	for _, id := range ids {
		s, err := t.book.Store.Get(id)
		if errors.Is(err, samples.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		found = append(found, s)
	}
	return found, nil
}
