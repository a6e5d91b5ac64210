package dataset

import (
	"slices"
	"strings"
)

// lookAlikes are characters that a single one, without a line to compare with, does not tell
// apart: they differ in size or place, or not at all.
var lookAlikes = []string{"0Oo", "1Il|", "Cc", "Kk", "Pp", "Ss", "Uu", "Vv", "Ww", "Xx", "Zz", "',`", "-_"}

// LookAlike tells whether two characters are not told apart when each stands alone.
func LookAlike(a, b string) bool {
	return a != "" && b != "" && slices.ContainsFunc(lookAlikes, func(s string) bool { return strings.Contains(s, a) && strings.Contains(s, b) })
}
