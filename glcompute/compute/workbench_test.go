package compute_test

import (
	"testing"
	"time"

	"inkshade/glcompute/compute"
	"inkshade/glcompute/internal/cache"
	"inkshade/glcompute/internal/glbench"
	"inkshade/glcompute/program"
)

// Every variant of every operation is right at awkward shapes; with -v the tables of their
// times follow.
func TestWorkbench(t *testing.T) {
	glbench.Workbench(t, compute.Choosable(), func(variants map[string]int) (program.Device, error) {
		return compute.OpenWith(compute.Options{Variants: variants})
	})
}

func TestPairs(t *testing.T) {
	glbench.Pairs(t, func(files *cache.Folder) (program.Device, error) {
		return compute.OpenWith(compute.Options{Cache: files, TrialTime: time.Minute})
	})
}
