package fragment_test

import (
	"testing"

	"inkshade/glcompute/fragment"
	"inkshade/glcompute/internal/glbench"
	"inkshade/glcompute/program"
)

// Every variant of the product is right at awkward shapes; with -v the table of their
// times follows.
func TestWorkbench(t *testing.T) {
	glbench.Workbench(t, fragment.Variants(), func(variant int) (program.Device, error) {
		return fragment.OpenWith(fragment.Options{Variant: variant})
	})
}
