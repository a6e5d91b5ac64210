// Package check is the debug ladder of INKSHADE_DEBUG, the same on every device: what it writes,
// and the look at the operations of a running program one by one.
package check

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"sync"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/internal/program"
)

// Read gives the values that a tensor now has on the device.
type Read func(*program.Tensor) []float32

// unit is the relative error of one float32 rounding, 2^-24, with room for the exponentials
// and divisions of shaders, which are a few units off.
const unit = 4.0 / (1 << 24)

// Before notes what op reads, and gives a function that runs the reference and compares what op has written meanwhile with it.
// That is nil when all agrees, and where a NaN or an infinity came in, which is not this operation's doing.
func Before(op program.Op, read Read) (after func() error) {
	v, broken := program.Values{}, false
	largest, longest := map[*program.Tensor]float64{}, 1
	for _, t := range op.Reads() {
		values, most := v.Of(t), 0.0
		for i, x := range read(t) {
			values[i] = float64(x)
			most = max(most, math.Abs(values[i]))
		}
		broken = broken || math.IsNaN(most) || math.IsInf(most, 0)
		longest, largest[t] = max(longest, t.Rows, t.Cols), most
	}
	// A sum of n terms rounds n times, in the worst case each time by a part of all terms'
	// magnitude; the walk of roundings grows with the root of n. Terms of a product are as
	// large as its factors together.
	term := 1.0
	if m, ok := op.(*program.Product); ok {
		a, b := largest[m.A.Tensor], largest[m.B.Tensor]
		if term = max(term, a*b); m.Distance {
			term = max(term, (a+b)*(a+b))
		}
		delete(largest, m.A.Tensor)
		delete(largest, m.B.Tensor)
	}
	for _, most := range largest {
		term = max(term, most)
	}
	limit := compare.Limit{Abs: unit * math.Sqrt(float64(longest)) * term, Rel: 1e-4, Reason: "roundings of float32"}
	return func() error {
		if broken {
			return nil
		}
		op.Reference(v)
		for _, t := range op.Writes() {
			r, err := compare.Slices(read(t), v.Of(t), limit)
			if err != nil {
				place := ""
				if r.Worst >= 0 {
					place = fmt.Sprintf(" (row %d, column %d)", r.Worst/t.Cols, r.Worst%t.Cols)
				}
				return fmt.Errorf("%s disagrees with its reference in %s%s: %w", op.Name(), t, place, err)
			}
		}
		return nil
	}
}

// The levels of INKSHADE_DEBUG; each includes the ones before it. Everything goes to
// standard error.
const (
	Device     = 1 // the device that was opened
	Times      = 2 // times and bytes of every replay
	Source     = 3 // the source of every shader that is compiled
	Broken     = 4 // the first operation of a replay whose result holds a NaN or an infinity
	Operations = 5 // the first operation of a replay that disagrees with its plain reference
)

// Level is that of INKSHADE_DEBUG: 0 where it is unset or no level, which is said once.
func Level() int {
	value := os.Getenv("INKSHADE_DEBUG")
	if value == "" {
		return 0
	}
	level, err := strconv.Atoi(value)
	if err != nil || level < 0 {
		complain.Do(func() {
			fmt.Fprintf(os.Stderr, "inkshade: INKSHADE_DEBUG=%s is none of its levels, which are 0 for nothing, 1 the device, "+
				"2 times and bytes, 3 sources of shaders, 4 the first NaN or infinity, and 5 the first operation that disagrees with its reference.\n", value)
		})
		return 0
	}
	return level
}

var complain sync.Once

// Log writes what a device tells of itself up to a level, each message as a whole.
type Log struct {
	Kind  program.DeviceKind
	Level int
}

var writing sync.Mutex

// Printf writes a line that belongs to a level.
func (l Log) Printf(level int, format string, args ...any) {
	if l.Level < level {
		return
	}
	writing.Lock()
	defer writing.Unlock()
	fmt.Fprintf(os.Stderr, "inkshade %s: "+format+"\n", append([]any{l.Kind}, args...)...)
}

const bytesPerValue = 4

// Times writes where the time of a replay went, what it moved, and the bytes that the device holds.
func (l Log) Times(t program.Timing, held int64, bindings []program.Binding) {
	if l.Level < Times {
		return
	}
	var up, down int
	for _, b := range bindings {
		if b.Output {
			down += bytesPerValue * len(b.Data)
		} else {
			up += bytesPerValue * len(b.Data)
		}
	}
	l.Printf(Times, "upload %v (%d bytes), compute %v, readback %v (%d bytes), %d bytes held",
		t.Upload, up, t.Compute, t.Readback, down, held)
	for _, p := range t.Passes {
		l.Printf(Times, "  %-20s %v", p.Name, p.Time)
	}
}

// Inspect runs step, which is op, and reports what the level asks for: a NaN or an infinity
// in its results, and that they disagree with its reference. It is true where there was
// something to report; what follows in the replay then comes from it and need not be looked at.
func (l Log) Inspect(op program.Op, read Read, step func()) (found bool) {
	if l.Level < Broken {
		step()
		return false
	}
	after := func() error { return nil }
	if l.Level >= Operations {
		after = Before(op, read)
	}
	step()
	if report := broken(op, read); report != "" {
		l.Printf(Broken, "%s", report)
		found = true
	}
	if err := after(); err != nil {
		l.Printf(Operations, "%v", err)
		found = true
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
