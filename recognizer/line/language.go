package line

import "strings"

// Language is what the text is written in.
type Language string

const (
	None    Language = "none"    // any characters
	Numbers Language = "numbers" // digits, and the signs of numbers: of telephones, dates, times, sums
	Digits  Language = "digits"  // digits alone
	English Language = "english" // words, and numbers among them
)

// Languages lists all of them.
var Languages = []Language{None, Numbers, English, Digits}

// ofNumbers are the signs that stand in numbers.
const ofNumbers = "-.,/:+$%()"

// model is what is known of a language, for one reading.
type model struct {
	digits bool   // no letters are written
	signs  string // beside digits
	counts *grams // nil for none
	known  map[string]*[alphabet]float64
}

func (l Language) model() *model {
	switch l {
	case Numbers:
		return &model{digits: true, signs: ofNumbers}
	case Digits:
		return &model{digits: true}
	case English:
		return &model{counts: englishGrams(), known: map[string]*[alphabet]float64{}}
	}
	return &model{}
}

// allows tells whether a label is written in the language.
func (m *model) allows(label string) bool {
	return !m.digits || kindOf(label) == digit || strings.Contains(m.signs, label)
}

// letterOf is the place of a label in the alphabet, without case; -1 for what is no letter.
func letterOf(label string) int {
	if len(label) != 1 {
		return -1
	}
	if c := label[0] | 0x20; c >= 'a' && c <= 'z' {
		return int(c - 'a')
	}
	return -1
}

// next is ln p of a label after a step of the same word, nil at its beginning, against all letters being alike. What is
// no letter is as likely as anything, and ends the word.
func (m *model) next(before *step, label string) float64 {
	c := letterOf(label)
	switch {
	case c < 0 && before == nil:
		return 0
	case c < 0:
		return m.end(before)
	case before == nil || before.after == nil:
		return m.after(wordEdge)[c]
	}
	return before.after[c]
}

// end is the same of the end of the word after a step.
func (m *model) end(s *step) float64 {
	if s.after == nil || s.before == nil {
		return 0
	}
	return s.after[alphabet-1]
}

// follow sets what the language says after a step.
func (m *model) follow(s *step) {
	if c := letterOf(s.text()); m.counts != nil && c >= 0 {
		s.letters = wordEdge
		if s.before != nil && !s.space && s.before.letters != "" {
			s.letters = s.before.letters
		}
		s.letters += string(rune('a' + c))
		s.letters = s.letters[max(0, len(s.letters)-gramOrder+1):]
		s.after = m.after(s.letters)
	}
}

// after keeps what was asked of the counts.
func (m *model) after(letters string) *[alphabet]float64 {
	p, ok := m.known[letters]
	if !ok {
		p = m.counts.after(letters)
		m.known[letters] = p
	}
	return p
}
