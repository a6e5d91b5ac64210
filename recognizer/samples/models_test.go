package samples

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"
)

// ActiveModel returns the model that answers in place of the shipped model base, with its file; trained is false when the
// shipped one itself does.
func (s *Store) ActiveModel(base string) (m Model, trained bool, err error) {
	history, err := s.Models(base)
	i := slices.IndexFunc(history, func(m Model) bool { return m.Active })
	if i < 0 {
		return Model{}, false, err
	}
	m, err = s.Model(history[i].ID)
	return m, err == nil, err
}

func TestModelHistory(t *testing.T) {
	const base = "digits-mlp"
	dir := t.TempDir()
	s := openIn(t, dir, standard())
	if _, trained, err := s.ActiveModel(base); trained || err != nil {
		t.Fatalf("an empty history has an active model, %v", err)
	}
	file := bytes.Repeat([]byte{1, 2, 3, 0}, 100000)
	one := Model{Base: base, Name: "one", Time: time.Unix(5, 6).UTC(), Settings: json.RawMessage(`{"epochs": 3}`), Figures: json.RawMessage(`{"before":2.5}`), ONNX: file, Active: true}
	one.ID = must(s.AddModel(one, true))(t).ID
	two := must(s.AddModel(Model{Base: base, Name: "two", Parent: one.ID, ONNX: []byte("2")}, true))(t).ID
	three := must(s.AddModel(Model{Base: base, Name: "three, not kept", Parent: two, ONNX: []byte("3")}, false))(t).ID
	other := must(s.AddModel(Model{Base: "characters-mlp", Name: "other", ONNX: []byte("o")}, true))(t).ID
	s.Close()
	s = openIn(t, dir, standard())

	active := func(want int64) {
		t.Helper()
		m, trained, err := s.ActiveModel(base)
		if err != nil || m.ID != want || trained != (want != 0) {
			t.Errorf("active is %d (%v), %v; want %d", m.ID, trained, err, want)
		}
	}
	active(two)
	if err := s.SetActive(base, one.ID); err != nil {
		t.Error(err)
	}
	active(one.ID)
	m, _, err := s.ActiveModel(base)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "active model", m, one)
	equal(t, "model by id", must(s.Model(one.ID))(t), one)
	if err := s.SetActive(base, 0); err != nil {
		t.Error(err)
	}
	active(0)
	if err := s.SetActive(base, three); err != nil {
		t.Error(err)
	}
	active(three)

	var names []string
	for _, m := range must(s.Models(base))(t) {
		names = append(names, m.Name)
		if m.ONNX != nil || m.Active != (m.ID == three) || !json.Valid(m.Settings) {
			t.Errorf("history has %+v", m)
		}
	}
	equal(t, "history", names, []string{"three, not kept", "two", "one"})
	if n := len(must(s.Models(""))(t)); n != 4 {
		t.Errorf("%d models in the whole history", n)
	}

	if err := s.SetActive(base, other); err == nil {
		t.Error("a model of another base was made active")
	}
	if err := s.SetActive(base, 99); !errors.Is(err, ErrNotFound) {
		t.Errorf("an unknown model: %v", err)
	}
	for name, bad := range map[string]Model{
		"unknown parent": {Base: base, Parent: 99, ONNX: []byte("x")}, "parent of another base": {Base: base, Parent: other, ONNX: []byte("x")},
		"no base": {ONNX: []byte("x")}, "no file": {Base: base}, "settings": {Base: base, ONNX: []byte("x"), Settings: json.RawMessage("{")},
	} {
		if _, err := s.AddModel(bad, true); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	active(three)

	if _, err := s.DeleteModel(three); err == nil {
		t.Error("the active model was deleted")
	}
	whole, before := must(s.Model(two))(t), must(s.Models(""))(t)
	if err := must(s.DeleteModel(two))(t)(); err != nil {
		t.Error(err)
	}
	equal(t, "restored model", must(s.Model(two))(t), whole)
	equal(t, "history with it", must(s.Models(""))(t), before)
	must(s.DeleteModel(two))(t)
	if m := must(s.Model(three))(t); m.Parent != one.ID {
		t.Errorf("with its parent deleted, the model comes from %d", m.Parent)
	}
	if _, err := s.DeleteModel(two); !errors.Is(err, ErrNotFound) {
		t.Errorf("deleting twice: %v", err)
	}
	if err := s.RenameBase(base, "renamed"); err != nil {
		t.Error(err)
	}
	if m, _, err := s.ActiveModel("renamed"); err != nil || m.ID != three {
		t.Errorf("renamed, the model %d is active, error %v", m.ID, err)
	}
	if err := s.RenameBase("renamed", base); err != nil {
		t.Error(err)
	}
	must(s.db.Exec("UPDATE models SET checksum = checksum + 1 WHERE id = ?", three))(t)
	if _, _, err := s.ActiveModel(base); !errors.Is(err, ErrDamaged) {
		t.Errorf("a damaged model: %v", err)
	}
}
