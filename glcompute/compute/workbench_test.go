package compute_test

import (
	"slices"
	"testing"
	"time"

	"inkshade/glcompute/compute"
	"inkshade/glcompute/internal/cache"
	"inkshade/glcompute/internal/glbench"
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/program"
)

// Every variant of every operation is right at awkward shapes; with -v the tables of their
// times follow.
func TestWorkbench(t *testing.T) {
	glbench.Workbench(t, compute.Choosable(), func(variants map[string]int) (program.Device, error) {
		return compute.OpenWith(compute.Options{Variants: variants})
	})
}

// A pair apart is judged in the best variants of both, which are measured first.
func TestPairs(t *testing.T) {
	all := glbench.Pairs(t, func(files *cache.Folder) (program.Device, error) {
		return compute.OpenWith(compute.Options{Cache: files, TrialTime: time.Minute})
	})
	if !slices.ContainsFunc(all, func(s gldevice.Selection) bool { return s.Operation == glops.ProductName && s.Left() == 0 }) {
		t.Errorf("measured %+v, want the product by itself too", all)
	}
}
