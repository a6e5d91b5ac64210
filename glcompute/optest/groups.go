package optest

import (
	"testing"

	"inkshade/glcompute/program"
)

// Groups checks reductions through a table.
func Groups(t *testing.T, dev program.Device) { checkAll(t, dev, poolCases()) }

// Moves checks what moves columns and rows about.
func Moves(t *testing.T, dev program.Device) { checkAll(t, dev, moveCases()) }

// Convolutions checks products that are gathered through a table.
func Convolutions(t *testing.T, dev program.Device) { checkAll(t, dev, convolutionCases()) }
