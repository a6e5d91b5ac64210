package check

import (
	"strings"
	"sync"
	"testing"

	"inkshade/glcompute/internal/check/checktest"
)

func TestLevel(t *testing.T) {
	for value, want := range map[string]int{"": 0, "0": 0, "1": 1, "5": 5, "9": 9, "abc": 0, "-1": 0, "2.5": 0, " 3": 0} {
		t.Setenv("INKSHADE_DEBUG", value)
		complain = sync.Once{}
		readable := want > 0 || value == "" || value == "0"
		said := checktest.Said(t, func() {
			for range 2 {
				if got := Level(); got != want {
					t.Errorf("%q is level %d, want %d", value, got, want)
				}
			}
		})
		if readable && said != "" || !readable && strings.Count(said, "INKSHADE_DEBUG="+value+" is none of its levels") != 1 {
			t.Errorf("for %q it says %q", value, said)
		}
	}
}
