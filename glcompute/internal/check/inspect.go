package check

import (
	"fmt"
	"math"
	"slices"

	"inkshade/glcompute/internal/program"
)

// Inspect runs step, which is op, and reports what the level asks for: a NaN or an infinity
// in its results, and that they disagree with its reference. It is true where there was
// something to report; what follows in the replay then comes from it and need not be looked at.
func (l Log) Inspect(op program.Op, read Read, step func()) (found bool) {
	if l.Level < Broken {
		step()
		return false
	}
	var o *Operation
	if l.Level >= Operations {
		o = Before(op, read)
	}
	step()
	if report := broken(op, read); report != "" {
		l.Printf(Broken, "%s", report)
		found = true
	}
	if o != nil {
		if err := o.After(read); err != nil {
			l.Printf(Operations, "%v", err)
			found = true
		}
	}
	return found
}

// broken tells of the first NaN or infinity that op wrote, and of the first that it read from
// what it did not write; it is empty where op wrote none.
func broken(op program.Op, read Read) string {
	for _, t := range op.Writes() {
		what, at := first(t, read)
		if what == "" {
			continue
		}
		report := fmt.Sprintf("%s wrote %s to %s at %s", op.Name(), what, t, at)
		for _, from := range op.Reads() {
			if slices.Contains(op.Writes(), from) {
				continue
			}
			if what, at := first(from, read); what != "" {
				return report + fmt.Sprintf(", having read %s in %s at %s", what, from, at)
			}
		}
		return report
	}
	return ""
}

// first names the first NaN or infinity of t and its place; it is empty where t has none.
func first(t *program.Tensor, read Read) (what, place string) {
	for i, v := range read(t) {
		switch x := float64(v); {
		case math.IsNaN(x):
			what = "a NaN"
		case math.IsInf(x, 0):
			what = "an infinity"
		default:
			continue
		}
		return what, fmt.Sprintf("row %d, column %d", i/t.Cols, i%t.Cols)
	}
	return "", ""
}
