package cpu

import (
	"fmt"
	"os"

	"inkshade/glcompute/internal/check"
	"inkshade/glcompute/program"
)

// check runs a step and reports on standard error when it disagrees with its reference.
func (r *run) check(i int) {
	read := func(t *program.Tensor) []float32 { return r.values[t.ID] }
	o := check.Before(r.program.Ops()[i], read)
	r.steps[i].do()
	if err := o.After(read); err != nil {
		fmt.Fprintf(os.Stderr, "inkshade cpu: %v\n", err)
	}
}
