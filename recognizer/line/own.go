package line

import (
	"math"
	"strings"
)

// Person is what is known of somebody's lines.
type Person struct {
	Spacing float64 // how wide the gaps between words are, in parts of those of strangers; 0 stands for 1. See LearnSpacing
	Words   *Words  // that were written before; nil for none
}

// Words are those of a person's lines, which come again: names, and what one writes about.
type Words struct {
	begin map[string]float64 // how many words begin so; a whole one ends with wordEdge
	all   float64
}

// WordsOf are the words of two letters and more in texts; nil where there are none.
func WordsOf(texts []string) *Words {
	w := &Words{begin: map[string]float64{}}
	for _, text := range texts {
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return letterOf(string(r)) < 0 }) {
			if len(word) < 2 {
				continue
			}
			word = strings.ToLower(word) + wordEdge
			for i := 1; i <= len(word); i++ {
				w.begin[word[:i]]++
			}
			w.all++
		}
	}
	if w.all == 0 {
		return nil
	}
	return w
}

const (
	newWords = 200.0 // that a person writes for the first time while those known are written once more each
	likelier = 6.0   // than all being alike is each letter of a word that was written before, where nothing is known of other words
)

// written is a word in work: its letters, and ln p of them by the language, and by the language and the person's words.
type written struct {
	letters        string
	language, said float64
}

// step adds a label of which the language says ln p, "" for the end of the text, to a word and tells what is said of it. Of the
// person's, each letter is so much likelier, ln, than all being alike.
func (w *Words) step(word written, label string, ln, surer float64) (written, float64) {
	if w == nil {
		return word, ln
	}
	c := letterOf(label)
	longer := written{letters: word.letters + wordEdge, language: word.language + ln}
	if c >= 0 {
		longer.letters = word.letters + string(rune('a'+c))
	}
	longer.said = longer.language + math.Log(newWords/(newWords+w.all))
	if n := w.begin[longer.letters]; n > 0 {
		longer.said = logAdd(longer.said, math.Log(n/(newWords+w.all))+surer*float64(len(longer.letters)))
	}
	switch {
	case c >= 0:
		return longer, longer.said - word.said
	case word.letters == "":
		return word, ln
	}
	return written{}, longer.said - word.said
}
