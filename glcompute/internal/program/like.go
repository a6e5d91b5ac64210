package program

import (
	"encoding/json"
	"reflect"
	"slices"
)

// Like is an operation as text, from which RecordLike makes one of the same kind and shapes: the same for operations that
// are alike in all but values. Of a table it has the shape and how far its values reach.
func Like(op Op) string {
	text, err := json.Marshal(New().recordLike(op))
	if err != nil {
		panic(err) // numbers, strings and formulas
	}
	return string(text)
}

// RecordLike records an operation of the type of one, like that whose text it is given.
func (p *Program) RecordLike(of Op, text string) {
	op := reflect.New(reflect.TypeOf(of).Elem())
	if err := json.Unmarshal([]byte(text), op.Interface()); err != nil {
		panic(err) // only this program writes such texts
	}
	p.recordLike(op.Interface().(Op))
}

// recordLike records op with tensors of the same shapes; those that it changes are variables.
func (p *Program) recordLike(op Op) Op {
	same := map[int]*Tensor{}
	like := op.With(func(t *Tensor) *Tensor {
		switch {
		case t == nil:
			return nil
		case same[t.ID] != nil:
		case !slices.ContainsFunc(op.Writes(), func(w *Tensor) bool { return w.ID == t.ID }):
			same[t.ID] = p.Input(t.Rows, t.Cols)
		case t.Kind == Variable:
			same[t.ID] = p.Constant("", t.Rows, t.Cols, nil)
		default:
			same[t.ID] = p.result(t.Rows, t.Cols)
		}
		return same[t.ID]
	})
	p.Record(like)
	return like
}

// tableShape is what Like keeps of a table.
type tableShape struct {
	Rows, Cols, Reach int
	Padded            bool
}

// MarshalJSON keeps the shape.
func (t *Table) MarshalJSON() ([]byte, error) {
	return json.Marshal(tableShape{t.Rows, t.Cols, int(slices.Max(t.values)) + 1, slices.Contains(t.values, -1)})
}

// UnmarshalJSON makes a table of a shape in which the columns of a row see what lies side by side.
func (t *Table) UnmarshalJSON(data []byte) error {
	var s tableShape
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	values := make([]int32, s.Rows*s.Cols)
	for i := range values {
		values[i] = int32((i/s.Cols*s.Reach/s.Rows + i%s.Cols) % s.Reach)
	}
	if s.Padded {
		values[0] = -1
	}
	*t = *NewTable(s.Rows, s.Cols, values)
	return nil
}
