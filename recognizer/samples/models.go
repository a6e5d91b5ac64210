package samples

import (
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"inkshade/glcompute/message"
)

// Model is one trained model in the history. Each goes back, by its parents, to a shipped model, its Base.
type Model struct {
	ID       int64           // given by the store
	Parent   int64           // the model whose training started this one; 0 is the shipped model
	Base     string          // name of the shipped model, such as "digits-mlp"
	Name     string          // that a person gave it, or empty; see Title
	Time     time.Time       // when it was trained, in UTC; zero is now
	Settings json.RawMessage // of the training; empty is {}
	Figures  json.RawMessage // errors before and after, seconds and the like; empty is {}
	ONNX     []byte          `json:"-"`       // the model file; set by Model, not by Models
	Active   bool            `json:"InForce"` // the one that answers; see SetActive
}

// byItself begins the names that version 0.1 gave by itself.
const byItself = "my handwriting"

// Title is the name that a person gave the model, empty where nobody did.
func (m Model) Title() string {
	if strings.HasPrefix(m.Name, byItself) {
		return ""
	}
	return m.Name
}

const modelColumns = "id, coalesce(parent, 0), base, name, made_at, settings, figures, EXISTS (SELECT 1 FROM in_force f WHERE f.model = models.id)"

// AddModel stores a trained model and returns it as it is stored, with the id it got; with active it answers from now on, in the
// same transaction, so that whatever happens in the middle leaves the model before active. It fails when its parent is unknown
// or has another base.
func (s *Store) AddModel(m Model, active bool) (Model, error) {
	m.ID, m.Active = 0, active
	if m.Time.IsZero() {
		m.Time = s.now()
	}
	m.Time = time.Unix(0, m.Time.UnixNano()).UTC()
	for _, text := range []*json.RawMessage{&m.Settings, &m.Figures} {
		if len(*text) == 0 {
			*text = json.RawMessage("{}")
		}
		if !json.Valid(*text) {
			return Model{}, message.Errorf("cannot save the trained model: its settings and figures must be JSON")
		}
	}
	if m.Base == "" || len(m.ONNX) == 0 {
		return Model{}, message.Errorf("cannot save the trained model: it has no base or no content")
	}
	err := s.change(message.Text("save the trained model"), func(tx *sql.Tx) error {
		return addModel(tx, &m, active)
	})
	if err != nil {
		return Model{}, err
	}
	return m, nil
}

// addModel writes m after its parent; with active it answers from now on.
func addModel(tx *sql.Tx, m *Model, active bool) error {
	if err := checkBase(tx, m.Parent, m.Base); err != nil {
		return err
	}
	if err := insertModel(tx, m); err != nil || !active {
		return err
	}
	return activate(tx, m.Base, m.ID)
}

// checkBase fails when the model is unknown or goes back to another shipped model; id 0 is the shipped one.
func checkBase(tx *sql.Tx, id int64, base string) error {
	if id == 0 {
		return nil
	}
	var has string
	if err := tx.QueryRow("SELECT base FROM models WHERE id = ?", id).Scan(&has); err != nil {
		return err
	}
	if has != base {
		return message.Errorf("model %d was trained from %s, not from %s", id, has, base)
	}
	return nil
}

// insertModel writes m and gives it an id where it has none.
func insertModel(tx *sql.Tx, m *Model) error {
	return tx.QueryRow(modelsTable.insert("")+" RETURNING id", orNull(m.ID), orNull(m.Parent), m.Base, m.Name, m.Time.UnixNano(),
		string(m.Settings), string(m.Figures), m.ONNX).Scan(&m.ID)
}

// activate makes the model the one that answers for base; id 0 is the shipped one.
func activate(tx *sql.Tx, base string, id int64) error {
	if id == 0 {
		_, err := tx.Exec("DELETE FROM in_force WHERE base = ?", base)
		return err
	}
	_, err := tx.Exec("INSERT INTO in_force (base, model) VALUES (?, ?) ON CONFLICT (base) DO UPDATE SET model = excluded.model", base, id)
	return err
}

// fileColumns are those behind them; noFile stands in their place.
var fileColumns = ", onnx, checksum IS " + modelsTable.sum("")

const noFile = ", NULL, 1"

// scanModel reads one row of modelColumns and fileColumns.
func scanModel(row scanner) (m Model, err error) {
	var at int64
	var sound bool
	var settings, figures string
	if err := row.Scan(&m.ID, &m.Parent, &m.Base, &m.Name, &at, &settings, &figures, &m.Active, &m.ONNX, &sound); err != nil {
		return m, err
	}
	m.Time, m.Settings, m.Figures = time.Unix(0, at).UTC(), json.RawMessage(settings), json.RawMessage(figures)
	if !sound {
		return m, message.Errorf("the trained model %d is %w; go back to another in the history", m.ID, ErrDamaged)
	}
	return m, nil
}

// Models returns the history of a shipped model, or with an empty base all of it, the latest first and without the files.
func (s *Store) Models(base string) ([]Model, error) {
	models, err := readAll(scanModel, s.from, "SELECT "+modelColumns+noFile+" FROM models WHERE ? = '' OR base = ? ORDER BY id DESC", base, base)
	return models, explain(message.Text("read the history of models"), err)
}

// Model returns the model of that id with its file, or ErrNotFound.
func (s *Store) Model(id int64) (Model, error) {
	m, err := scanModel(s.from.QueryRow("SELECT "+modelColumns+fileColumns+" FROM models WHERE id = ?", id))
	return m, explain(message.Text("read model %d", id), err)
}

// SetActive makes a model of the history the one that answers for base; id 0 is the shipped model.
func (s *Store) SetActive(base string, id int64) error {
	return s.change(message.Text("change the model in use"), func(tx *sql.Tx) error {
		if err := checkBase(tx, id, base); err != nil {
			return err
		}
		return activate(tx, base, id)
	})
}

// DeleteModel removes a model from the history; its children become children of its parent. It fails for the model in
// force. As long as the program runs restore brings it back, and its children to it.
func (s *Store) DeleteModel(id int64) (restore func() error, err error) {
	m, damage := s.Model(id)
	if damage != nil && !errors.Is(damage, ErrDamaged) {
		return nil, damage
	}
	var children string // a list in JSON
	err = s.change(message.Text("delete the model"), func(tx *sql.Tx) error {
		var answers bool
		if err := tx.QueryRow("SELECT EXISTS (SELECT 1 FROM in_force WHERE model = ?)", id).Scan(&answers); err != nil {
			return err
		} else if answers {
			return message.Errorf("it is in use: go back to another first")
		}
		if err := tx.QueryRow("SELECT json_group_array(id) FROM models WHERE parent = ?", id).Scan(&children); err != nil {
			return err
		}
		if _, err := tx.Exec("UPDATE models SET parent = (SELECT parent FROM models WHERE id = ?) WHERE parent = ?", id, id); err != nil {
			return err
		}
		return affected(tx, "DELETE FROM models WHERE id = ?", id)
	})
	return func() error {
		if damage != nil {
			return damage
		}
		return s.change(message.Text("restore the model"), func(tx *sql.Tx) error {
			if err := insertModel(tx, &m); err != nil {
				return err
			}
			_, err := tx.Exec("UPDATE models SET parent = ? WHERE id IN (SELECT value FROM json_each(?))", m.ID, children) // those that are left
			return err
		})
	}, err
}

// RenameModel gives a trained model a name; an empty one takes it away.
func (s *Store) RenameModel(id int64, name string) error {
	return s.change(message.Text("rename the model"), func(tx *sql.Tx) error {
		return affected(tx, "UPDATE models SET name = ? WHERE id = ?", name, id)
	})
}

// RenameBase gives the history of a model the name that the model has now.
func (s *Store) RenameBase(from, to string) error {
	return s.change(message.Text("rename the model"), func(tx *sql.Tx) error {
		for _, table := range []string{"models", "in_force"} {
			if _, err := tx.Exec("UPDATE "+table+" SET base = ? WHERE base = ?", to, from); err != nil {
				return err
			}
		}
		return nil
	})
}
