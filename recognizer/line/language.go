package line

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"iter"
	"math"
	"strconv"
	"strings"
	"sync"
)

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
	digits bool    // no letters are written
	signs  string  // beside digits
	counts *grams  // nil for none
	surer  float64 // ln, how much likelier a letter of a word that the person wrote before is than all being alike
}

func (l Language) model() *model {
	switch l {
	case Numbers:
		return &model{digits: true, signs: ofNumbers}
	case Digits:
		return &model{digits: true}
	case English:
		return &model{counts: englishGrams(), surer: math.Log(alphabet)}
	}
	return &model{surer: math.Log(likelier)}
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

// ending is the end of a word in work, with ln p of each letter after it and, last, of nothing more, against all being alike. Nil
// stands for none: at the beginning of a word, and where the language knows of no words.
type ending struct {
	letters string // as many as count
	next    [alphabet]float64
}

func (m *model) ending(letters string) *ending {
	letters = letters[max(0, len(letters)-gramOrder+1):]
	g := m.counts
	g.lock.Lock()
	defer g.lock.Unlock()
	e := g.endings[letters]
	if e == nil {
		if len(g.endings) == mostEndings {
			clear(g.endings)
		}
		e = &ending{letters, g.after(letters)}
		g.endings[letters] = e
	}
	return e
}

// add is a word with a label more, which what is no letter ends.
func (m *model) add(word *ending, label string) *ending {
	c := letterOf(label)
	if m.counts == nil || c < 0 {
		return nil
	}
	if word == nil {
		word = m.ending(wordEdge)
	}
	return m.ending(word.letters + string(rune('a'+c)))
}

// likely is ln p of a label after a word. What is no letter is as likely as anything, and ends the word.
func (m *model) likely(word *ending, label string) float64 {
	c := letterOf(label)
	if m.counts == nil || c < 0 {
		return word.end()
	}
	if word == nil {
		word = m.ending(wordEdge)
	}
	return word.next[c]
}

// end is ln p of the end of a word.
func (e *ending) end() float64 {
	if e == nil {
		return 0
	}
	return e.next[alphabet-1]
}

const (
	gramOrder = 6   // letters of the longest run that is counted
	wordEdge  = " " // stands before and after a word
	alphabet  = 27  // letters and the edge
	surprise  = 0.1 // share of words that are like no other: names, codes
)

// grams counts the runs of letters in words, and gives the probability of a letter after others by interpolation with
// what is known of shorter runs (Witten and Bell 1991).
type grams struct {
	runs   map[string]float64 // how often a run comes
	follow map[string]float64 // how often any letter comes after a run
	kinds  map[string]float64 // how many different letters come after it

	lock    sync.Mutex
	endings map[string]*ending // that were asked for
}

// mostEndings bounds their memory: 5 MB.
const mostEndings = 20000

//go:embed english.txt.gz
var englishFile []byte

// englishGrams counts the shipped list of words, see english.md, on first use.
var englishGrams = sync.OnceValue(func() *grams {
	g := &grams{runs: map[string]float64{}, follow: map[string]float64{}, kinds: map[string]float64{}, endings: map[string]*ending{}}
	for word, weight := range EnglishWords() {
		g.count(word, weight)
	}
	return g
})

// EnglishWords are those of the shipped list, with how common they are.
func EnglishWords() iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		z, err := gzip.NewReader(bytes.NewReader(englishFile))
		if err != nil {
			panic("line: english.txt.gz: " + err.Error())
		}
		weight := 1.0
		for lines := bufio.NewScanner(z); lines.Scan(); {
			// A number says how common the words below it are.
			if n, err := strconv.Atoi(lines.Text()); err == nil {
				weight = float64(n)
			} else if !yield(lines.Text(), weight) {
				return
			}
		}
	}
}

func (g *grams) count(word string, weight float64) {
	word = wordEdge + word + wordEdge
	for i := 1; i < len(word); i++ {
		for from := max(0, i-gramOrder+1); from <= i; from++ {
			if g.runs[word[from:i+1]] == 0 {
				g.kinds[word[from:i]]++
			}
			g.runs[word[from:i+1]] += weight
			g.follow[word[from:i]] += weight
		}
	}
}

// after is ln p of each letter, and of the end of the word, after letters, against all being alike.
func (g *grams) after(letters string) (p [alphabet]float64) {
	for i := range p {
		p[i] = 1.0 / alphabet
	}
	for from := len(letters); from >= 0; from-- {
		h := letters[from:]
		n := g.follow[h]
		if n == 0 {
			break
		}
		kinds := g.kinds[h]
		for i := range p {
			c := byte('a' + i)
			if i == alphabet-1 {
				c = wordEdge[0]
			}
			p[i] = (g.runs[h+string(c)] + kinds*p[i]) / (n + kinds)
		}
	}
	for i := range p {
		p[i] = math.Log((1-surprise)*p[i]*alphabet + surprise)
	}
	return p
}
