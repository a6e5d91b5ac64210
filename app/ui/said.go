package ui

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
)

// said translates a sentence that was not made in the window: an error, or why something is
// missing. The translations hold such sentences under the text that makes them, with the verbs
// of fmt; what stands for a verb is translated too, and what has no translation stays English.
func said(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = foreignPhrases().translate(line)
	}
	return strings.Join(lines, "\n")
}

// allSaid translates several reasons and puts them into one line.
func allSaid(reasons []string) string {
	all := make([]string, len(reasons))
	for i, r := range reasons {
		all[i] = said(r)
	}
	return strings.Join(all, tr("; "))
}

// phrasebook knows the sentences of other rooms.
type phrasebook struct {
	texts   map[string]bool // everything that has a translation
	phrases []phrase        // those with verbs, the one with most words of its own first
}

// phrase is a text with verbs and what it can make.
type phrase struct {
	text    string
	pattern *regexp.Regexp
}

// verb is a verb of fmt.
var verb = regexp.MustCompile(`%[-+# 0]*[0-9]*(\.[0-9]+)?[a-zA-Z]`)

func newPhrase(text string) phrase {
	own := verb.Split(text, -1)
	for i := range own {
		own[i] = regexp.QuoteMeta(own[i])
	}
	return phrase{text, regexp.MustCompile("^" + strings.Join(own, "(.+?)") + "$")}
}

// noContext matches the list of what was tried that glcontext.NoContextError makes under
// noContextText; each attempt is a sentence of its own.
const noContextText = "no OpenGL %s core context: "

var noContext = regexp.MustCompile(`^no OpenGL (\S+) core context: (.*)(\. Installing .* helps)$`)

// foreignPhrases reads the translations inside the program, once.
var foreignPhrases = sync.OnceValue(func() phrasebook {
	b := phrasebook{texts: map[string]bool{}}
	files, err := translations.ReadDir("translations")
	for _, f := range files {
		var texts map[string]json.RawMessage
		data, readErr := translations.ReadFile("translations/" + f.Name())
		if err = cmp.Or(readErr, json.Unmarshal(data, &texts)); err != nil {
			break
		}
		for text := range texts {
			b.texts[text] = true
		}
	}
	if err != nil {
		fyne.LogError("The translations inside the program could not be read", err)
	}
	for text := range b.texts {
		if verb.MatchString(text) {
			b.phrases = append(b.phrases, newPhrase(text))
		}
	}
	own := func(p phrase) int { return len(verb.ReplaceAllString(p.text, "")) }
	slices.SortFunc(b.phrases, func(p, q phrase) int { return cmp.Or(own(q)-own(p), cmp.Compare(p.text, q.text)) })
	return b
})

func (b phrasebook) translate(line string) string {
	if b.texts[line] {
		return tr(line)
	}
	if found := noContext.FindStringSubmatch(line); found != nil {
		attempts := strings.Split(found[2], "; ")
		for i, a := range attempts {
			attempts[i] = b.translate(a)
		}
		return fmt.Sprintf(tr(noContextText), found[1]) + strings.Join(attempts, tr("; ")) + tr(found[3])
	}
	for _, p := range b.phrases {
		found := p.pattern.FindStringSubmatch(line)
		if found == nil {
			continue
		}
		translated := tr(p.text)
		if translated == p.text {
			return line
		}
		values := make([]any, len(found)-1)
		for i, value := range found[1:] {
			values[i] = b.translate(value)
		}
		return fmt.Sprintf(translated, values...)
	}
	// An error often begins with what it is about: the name of a file, the number of a line.
	if about, rest, ok := strings.Cut(line, ": "); ok {
		return b.translate(about) + ": " + b.translate(rest)
	}
	return line
}
