package check

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

// The levels of INKSHADE_DEBUG; each includes the ones before it. Everything goes to
// standard error.
const (
	Device     = 1 // the device that was opened
	Times      = 2 // times and bytes of every replay
	Source     = 3 // the source of every shader that is compiled
	Broken     = 4 // the first operation of a replay whose result holds a NaN or an infinity
	Operations = 5 // the first operation of a replay that disagrees with its plain reference
)

// Level is that of INKSHADE_DEBUG: 0 where it is unset or no level, which is said once.
func Level() int {
	value := os.Getenv("INKSHADE_DEBUG")
	if value == "" {
		return 0
	}
	level, err := strconv.Atoi(value)
	if err != nil || level < 0 {
		complain.Do(func() {
			fmt.Fprintf(os.Stderr, "inkshade: INKSHADE_DEBUG=%s is none of its levels, which are 0 for nothing, 1 the device, "+
				"2 times and bytes, 3 sources of shaders, 4 the first NaN or infinity, and 5 the first operation that disagrees with its reference.\n", value)
		})
		return 0
	}
	return level
}

var complain sync.Once
