package train

import (
	"math"
	"strings"
	"testing"
)

// Every setting with a range is held to it, and the defaults lie within.
func TestSettingsAreHeldToTheirRange(t *testing.T) {
	for _, s := range Settings {
		c := Default()
		if err := c.Check(); err != nil {
			t.Fatal(err)
		}
		switch of := s.Of(&c).(type) {
		case *int:
			*of = int(s.Least) - 1
		case *float64:
			if *of = math.Nextafter(s.Most, math.Inf(1)); s.Most == 0 {
				t.Errorf("%s%s has no range", s.Name, s.What)
			}
		default:
			continue
		}
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), " not possible") {
			t.Errorf("%s%s: error %v", s.Name, s.What, err)
		}
	}
}
