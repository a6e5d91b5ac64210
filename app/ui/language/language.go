// Package language says the texts of the window in the language of the person.
package language

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	_ "unsafe" // for go:linkname

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"inkshade/app/state/setting"
	"inkshade/recognizer/nn"
)

//go:embed translations
var Translations embed.FS

var addTranslations = sync.OnceFunc(func() {
	if err := lang.AddTranslationsFS(Translations, "translations"); err != nil {
		fyne.LogError("The translations inside the program could not be read", err)
	}
})

// All are the languages that can be chosen.
var All = []string{"en", "zh-Hans"}

// Speak sets the language of all texts, the toolkit's among them: what was chosen, or else Chinese on a Chinese system and
// English on any other. By itself the toolkit would say its own texts in each language that it knows, between our English.
func Speak(a fyne.App) {
	addTranslations()
	chosen := setting.Language.Get(a.Preferences())
	switch {
	case slices.Contains(All, chosen):
	case strings.HasPrefix(lang.SystemLocale().String(), "zh"):
		chosen = "zh-Hans"
	default:
		chosen = "en"
	}
	Use(chosen)
}

// Use is how Fyne 2.7.1 chooses a language; what it exports takes the system's.
//
//go:linkname Use fyne.io/fyne/v2/lang.setupLang
func Use(language string)

// Tr translates a text of the window; the English text is its key. Values are named in
// the text as {{.Name}}.
func Tr(text string, values ...any) string { return lang.L(text, values...) }

// Sentences puts sentences behind each other, and leaves out empty ones. After the full stop
// of Chinese there is no space.
func Sentences(all ...string) string {
	text := ""
	for _, s := range all {
		if text != "" && s != "" && !strings.HasSuffix(text, "。") {
			text += " "
		}
		text += s
	}
	return text
}

// Sentence begins a text that stands alone with a capital letter, unless it begins with a name of some kind.
func Sentence(text string) string {
	if first, _, _ := strings.Cut(text, " "); plainWord.MatchString(first) {
		return strings.ToUpper(first[:1]) + text[1:]
	}
	return text
}

var plainWord = regexp.MustCompile("^[a-z]+$")

// InWords translates what layers and operations are called.
func InWords(text string) string {
	words := []string{
		"concat", Tr("concatenate"), "max of groups", Tr("max of groups"), "mean of groups", Tr("mean of groups"),
		"padding", Tr("padding"), "product", Tr("product"), "slice", Tr("slice"), "stride", Tr("stride"), "transpose", Tr("transpose"),
	}
	var layers []string // longer than the words that they begin with, so they come first
	for _, name := range nn.KindNames() {
		layers = append(layers, name, Tr(name))
	}
	return strings.NewReplacer(append(layers, words...)...).Replace(text)
}

// Said translates a sentence that was not made in the window: an error, or why something is
// missing. The translations hold such sentences under the text that makes them, with the verbs
// of fmt; what stands for a verb is translated too, and what has no translation stays English.
func Said(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = foreignPhrases().translate(line)
	}
	return strings.Join(lines, "\n")
}

// AllSaid translates several reasons and puts them into one line.
func AllSaid(reasons []string) string {
	all := make([]string, len(reasons))
	for i, r := range reasons {
		all[i] = Said(r)
	}
	return strings.Join(all, Tr("; "))
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

// Verb is a verb of fmt.
var Verb = regexp.MustCompile(`%[-+# 0]*[0-9]*(\.[0-9]+)?[a-zA-Z]`)

func newPhrase(text string) phrase {
	own := Verb.Split(text, -1)
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
	files, err := Translations.ReadDir("translations")
	for _, f := range files {
		var texts map[string]json.RawMessage
		data, readErr := Translations.ReadFile("translations/" + f.Name())
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
		if Verb.MatchString(text) {
			b.phrases = append(b.phrases, newPhrase(text))
		}
	}
	own := func(p phrase) int { return len(Verb.ReplaceAllString(p.text, "")) }
	slices.SortFunc(b.phrases, func(p, q phrase) int { return cmp.Or(own(q)-own(p), cmp.Compare(p.text, q.text)) })
	return b
})

func (b phrasebook) translate(line string) string {
	if b.texts[line] {
		return Tr(line)
	}
	if found := noContext.FindStringSubmatch(line); found != nil {
		attempts := strings.Split(found[2], "; ")
		for i, a := range attempts {
			attempts[i] = b.translate(a)
		}
		return fmt.Sprintf(Tr(noContextText), found[1]) + strings.Join(attempts, Tr("; ")) + Tr(found[3])
	}
	for _, p := range b.phrases {
		found := p.pattern.FindStringSubmatch(line)
		if found == nil {
			continue
		}
		translated := Tr(p.text)
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
