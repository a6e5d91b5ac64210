package train

import (
	"cmp"
	"math"

	"inkshade/glcompute/message"
)

// Setting is what people may change of a training whose configuration is C: the one place that its flag, its field in a window and
// its check read.
type Setting[C any] struct {
	Name  string // of the flag; "" for none
	Usage string // what the flag's help says
	What  string // it is called in an error, of a whole number in the plural; Name where that is empty

	Title, Meaning string // of the field in a window, in English; "" for none
	Off            bool   // the window offers 0

	Least, Most float64        // of a number
	Words       []string       // one of which a text is
	Of          func(c *C) any // its place in a configuration: a pointer to a number, a bool or a text
}

// NoLimit is the Most of a whole number that has none.
const NoLimit = math.MaxInt32

// CheckSettings reports the first number that is not possible.
func CheckSettings[C any](all []Setting[C], c *C) error {
	for _, s := range all {
		what := cmp.Or(s.What, s.Name)
		switch of := s.Of(c).(type) {
		case *int:
			if *of < int(s.Least) && s.Most == NoLimit {
				return message.Errorf("%d %s are not possible; use at least %g", *of, what, s.Least)
			}
			if *of < int(s.Least) || *of > int(s.Most) {
				return message.Errorf("%d %s are not possible; use %g to %g", *of, what, s.Least, s.Most)
			}
		case *float64:
			if !(*of >= s.Least && *of <= s.Most) {
				return message.Errorf("a %s of %g is not possible; use %g to %g", what, *of, s.Least, s.Most)
			}
		}
	}
	return nil
}
