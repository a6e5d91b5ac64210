package gldevice

import (
	"fmt"
	"strings"
	"time"
)

// inWords says which variant was chosen of those in m, and why.
func (c *Chooser) inWords(m *measurement, chosen int) string {
	names := c.operation(m.Op).Variants
	text := names[chosen-1]
	switch {
	case len(m.Seconds) == 0 && len(m.Unusable) == 0:
		return text + ", by rule of thumb, nothing measured"
	case chosen != m.best():
		text += ", as another device chose"
	case chosen != m.Candidates[0]:
		text += ", the fastest"
	default:
		text += ", by rule of thumb, no other is clearly faster"
	}
	var all []string
	for _, v := range m.Candidates {
		result := "not measured"
		if t, ok := m.Seconds[v]; ok {
			result = milliseconds(t)
		} else if why := m.Unusable[v]; why != "" {
			result = "cannot be used here: " + why
		}
		all = append(all, names[v-1]+" "+result)
	}
	return text + " (" + strings.Join(all, "; ") + ")"
}

// milliseconds gives three digits, or as many as there are before the point.
func milliseconds(seconds float64) string {
	ms := seconds * float64(time.Second/time.Millisecond)
	if ms >= 1000 {
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.3g ms", ms)
}
