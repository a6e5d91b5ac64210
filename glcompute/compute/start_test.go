package compute_test

import (
	"testing"
	"time"

	"inkshade/glcompute/compute"
	"inkshade/glcompute/internal/cache"
	"inkshade/glcompute/internal/glbench"
	"inkshade/glcompute/program"
)

func TestSecondStartCompilesNothing(t *testing.T) {
	glbench.SecondStart(t, func(files *cache.Folder, trials time.Duration) (program.Device, error) {
		return compute.OpenWith(compute.Options{Cache: files, TrialTime: trials})
	})
}
