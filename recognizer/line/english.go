package line

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"iter"
	"math"
	"strconv"
	"sync"
)

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
}

//go:embed english.txt.gz
var englishFile []byte

// englishGrams counts the shipped list of words, see english.md, on first use.
var englishGrams = sync.OnceValue(func() *grams {
	g := &grams{map[string]float64{}, map[string]float64{}, map[string]float64{}}
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
func (g *grams) after(letters string) *[alphabet]float64 {
	var p [alphabet]float64
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
	return &p
}
