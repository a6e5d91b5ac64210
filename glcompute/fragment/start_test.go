package fragment_test

import (
	"testing"
	"time"

	"inkshade/glcompute/fragment"
	"inkshade/glcompute/internal/cache"
	"inkshade/glcompute/internal/glbench"
	"inkshade/glcompute/program"
)

func TestSecondStartCompilesNothing(t *testing.T) {
	glbench.SecondStart(t, func(files *cache.Folder, trials time.Duration) (program.Device, error) {
		return fragment.OpenWith(fragment.Options{Cache: files, TrialTime: trials})
	})
}
