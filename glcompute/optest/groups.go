package optest

import (
	"slices"
	"testing"

	"inkshade/glcompute/program"
)

// Groups checks reductions through a table.
func Groups(t *testing.T, dev program.Device) { checkAll(t, dev, alone(poolCases())) }

// Moves checks what moves columns and rows about.
func Moves(t *testing.T, dev program.Device) { checkAll(t, dev, alone(moveCases())) }

// Convolutions checks products that are gathered through a table.
func Convolutions(t *testing.T, dev program.Device) { checkAll(t, dev, alone(convolutionCases())) }

// alone are the cases of one operation.
func alone(cases []testCase) []testCase {
	return slices.DeleteFunc(cases, func(c testCase) bool {
		r := newRecorder(c.name)
		c.record(r)
		return len(r.Ops()) > 1
	})
}
