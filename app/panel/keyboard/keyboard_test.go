package keyboard

import (
	"testing"
	"time"
)

// patience is what a busy machine needs.
const patience = time.Minute

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after %v it is not so that %s", patience, what)
		}
	}
}

// everything is what people write: letters of three scripts, signs, symbols.
const everything = "The quick BROWN fox: 345-8765, 12.5 % (a+b)/c = {x|y} [z] <k> \"q\" 'r' `s` ~t #u $v &w @x ^y \\z _!?;*\n" +
	"Größe Äpfel naïve œuvre façade señor Łódź čeština İstanbul ½ € £ ¥ – — „Wort“ «mot» …\n" +
	"学而时习之不亦说乎有朋自远方来不亦乐乎人不知而不愠不亦君子乎\n" +
	"Привет αβγ ∫ ∑ √ ∞ ≤ ≥ ∈ → ⇒ ∀ ∃ ∂ ∇\n"
