package compute_test

import (
	"testing"

	"inkshade/glcompute/compute"
	"inkshade/glcompute/internal/glbench"
	"inkshade/glcompute/program"
)

// Every variant of the product is right at awkward shapes; with -v the table of their
// times follows.
func TestWorkbench(t *testing.T) {
	glbench.Workbench(t, compute.Variants(), func(variant int) (program.Device, error) {
		return compute.OpenWith(compute.Options{Variant: variant})
	})
}
