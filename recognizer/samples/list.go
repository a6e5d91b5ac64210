package samples

import (
	"cmp"
	"database/sql"
	"strings"

	"inkshade/glcompute/message"
)

// Part chooses samples by what they serve for.
type Part int

// Every sample is in exactly one of the last three.
const (
	Everything Part = iota
	Undecided       // neither learned from nor held out yet; AssignHoldOut decides
	Learned         // learned from
	HeldOut         // kept out of learning
)

// Filter chooses samples; its zero value is all of them. Every condition that is set must hold.
type Filter struct {
	Label       string // exactly this label
	Writer      string // exactly this writer
	Part        Part
	Corrections bool   // only corrections
	Text        string // occurs in label, answer, writer or session; ASCII letters match in either case
	Newest      bool   // newest first; else in order of id
	Limit       int    // at most so many; 0 is no limit
	Offset      int    // leave out so many first
}

func (f Filter) where() (condition string, arguments []any) {
	conditions := []string{"deletion IS NULL"}
	add := func(c string, values ...any) {
		conditions = append(conditions, c)
		arguments = append(arguments, values...)
	}
	if f.Label != "" {
		add("label = ?", f.Label)
	}
	if f.Writer != "" {
		add("writer = ?", f.Writer)
	}
	if f.Part != Everything {
		add("part = ?", int(f.Part-Undecided))
	}
	if f.Corrections {
		add("correction = 1")
	}
	if f.Text != "" {
		pattern := "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(f.Text) + "%"
		add(`(label LIKE ? ESCAPE '\' OR answered_label LIKE ? ESCAPE '\' OR writer LIKE ? ESCAPE '\' OR session LIKE ? ESCAPE '\')`,
			pattern, pattern, pattern, pattern)
	}
	return strings.Join(conditions, " AND "), arguments
}

// List returns the samples that f chooses, with their ink; deleted ones are never among them.
func (s *Store) List(f Filter) ([]Sample, error) {
	samples, err := list(s.from, f)
	return samples, explain(message.Text("read the samples"), err)
}

type querier interface {
	Query(query string, arguments ...any) (*sql.Rows, error)
	QueryRow(query string, arguments ...any) *sql.Row
}

func list(q querier, f Filter) ([]Sample, error) {
	condition, arguments := f.where()
	query := "SELECT " + sampleColumns + " FROM samples WHERE " + condition + " ORDER BY id"
	if f.Newest {
		query += " DESC"
	}
	arguments = append(arguments, cmp.Or(max(f.Limit, 0), -1), f.Offset) // -1 is no limit
	return readAll(func(row scanner, v *Sample) (err error) {
		*v, err = scanSample(row)
		return err
	}, q, query+" LIMIT ? OFFSET ?", arguments...)
}

// scanner is a row of an answer.
type scanner interface{ Scan(...any) error }

// readAll reads every row of the answer to a query.
func readAll[T any](scan func(scanner, *T) error, q querier, query string, arguments ...any) ([]T, error) {
	rows, err := q.Query(query, arguments...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		var v T
		if err := scan(rows, &v); err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

// Class is how many samples the store has of one label.
type Class struct {
	Label   string
	Samples int
}

// Classes returns every label that has samples, in order of its bytes.
func (s *Store) Classes() ([]Class, error) {
	classes, err := readAll(func(row scanner, c *Class) error {
		return row.Scan(&c.Label, &c.Samples)
	}, s.from, "SELECT label, count(*) FROM samples WHERE deletion IS NULL GROUP BY label ORDER BY label")
	return classes, explain(message.Text("count the samples"), err)
}
