package train

import (
	"math/rand/v2"
	"strings"

	"inkshade/recognizer/dataset"
)

// composer makes lines of the single characters of a writer: half of them numbers, of which few people write many, the
// others texts of the samples.
type composer struct {
	index   map[string]int
	writers []dataset.Letters
	texts   []string
	count   int // lines in an epoch
}

// Writers with fewer different characters have hardly any text.
const leastLetters = 8

// newComposer has so many lines for each of the samples that is one, as far as there are writers.
func newComposer(labels []string, samples []dataset.Sample, share float64) composer {
	c := composer{index: classIndex(labels), writers: dataset.LettersOf(samples, leastLetters)}
	for _, s := range samples {
		if len([]rune(s.Label)) > 1 {
			c.texts = append(c.texts, s.Label)
		}
	}
	if len(c.writers) > 0 {
		c.count = int(share * float64(len(c.texts)))
	}
	return c
}

// compose draws a writer and a text of which the writer has all characters.
func (c composer) compose(rng *rand.Rand) *line {
	for try := 0; ; try++ {
		w := c.writers[rng.IntN(len(c.writers))]
		text := c.text(rng)
		if !w.Has(text) {
			if try < 100 {
				continue
			}
			text = w.Random(1+rng.IntN(5), rng)
		}
		if l, ok := newLine(c.index, text, w.Compose(text, rng)); ok {
			return &l
		}
	}
}

func (c composer) text(rng *rand.Rand) string {
	if rng.IntN(2) == 0 || len(c.texts) == 0 {
		return number(rng)
	}
	text := c.texts[rng.IntN(len(c.texts))]
	switch rng.IntN(4) {
	case 0:
		return strings.ToUpper(text)
	case 1:
		return strings.ToUpper(text[:1]) + strings.ToLower(text[1:])
	case 2:
		return strings.ToLower(text)
	}
	return text
}

// number is one of up to ten digits, some of them with signs as in dates, amounts and telephone numbers.
func number(rng *rand.Rand) string {
	var b strings.Builder
	n, sign, every := 1+rng.IntN(8), "", 1+rng.IntN(4)
	if rng.IntN(3) == 0 {
		sign = string("-./,:"[rng.IntN(5)])
	}
	for i := range n {
		if i > 0 && i%every == 0 {
			b.WriteString(sign)
		}
		b.WriteByte(byte('0' + rng.IntN(10)))
	}
	return b.String()
}
