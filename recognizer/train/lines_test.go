package train

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// What is made of a text begins with the same letter, of however many bytes.
func TestComposedTexts(t *testing.T) {
	c, rng, seen := composer{texts: []string{"écriture"}}, rand.New(rand.NewPCG(1, 1)), map[string]bool{}
	for range 100 {
		if text := c.text(rng); strings.HasSuffix(strings.ToLower(text), "criture") {
			seen[text] = true
		}
	}
	if want := map[string]bool{"écriture": true, "Écriture": true, "ÉCRITURE": true}; !maps.Equal(seen, want) {
		t.Errorf("%q, want %q", slices.Sorted(maps.Keys(seen)), slices.Sorted(maps.Keys(want)))
	}
}
