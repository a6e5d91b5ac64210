package ui

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
)

//go:embed translations
var translations embed.FS

var addTranslations = sync.OnceFunc(func() {
	if err := lang.AddTranslationsFS(translations, "translations"); err != nil {
		fyne.LogError("The translations inside the program could not be read", err)
	}
})

// wordsPreference is the language of the window: one of languages, or empty for the system's.
const wordsPreference = "window.language"

var languages = []string{"en", "zh-Hans"}

// speak sets the language of all texts, the toolkit's among them: what was chosen, or else Chinese on a Chinese system and
// English on any other. By itself the toolkit would say its own texts in each language that it knows, between our English.
func speak(a fyne.App) {
	addTranslations()
	chosen := a.Preferences().String(wordsPreference)
	switch {
	case slices.Contains(languages, chosen):
	case strings.HasPrefix(lang.SystemLocale().String(), "zh"):
		chosen = "zh-Hans"
	default:
		chosen = "en"
	}
	setupLang(chosen)
}

// setupLang is how Fyne 2.7.1 chooses a language; what it exports takes the system's.
//
//go:linkname setupLang fyne.io/fyne/v2/lang.setupLang
func setupLang(language string)

// tr translates a text of the window; the English text is its key. Values are named in
// the text as {{.Name}}.
func tr(text string, values ...any) string { return lang.L(text, values...) }

// sentences puts sentences behind each other, and leaves out empty ones. After the full stop
// of Chinese there is no space.
func sentences(all ...string) string {
	text := ""
	for _, s := range all {
		if text != "" && s != "" && !strings.HasSuffix(text, "。") {
			text += " "
		}
		text += s
	}
	return text
}

// sentence begins a text that stands alone with a capital letter, unless it begins with a name of some kind.
func sentence(text string) string {
	if first, _, _ := strings.Cut(text, " "); plainWord.MatchString(first) {
		return strings.ToUpper(first[:1]) + text[1:]
	}
	return text
}

var plainWord = regexp.MustCompile("^[a-z]+$")

// inWords translates what layers and operations are called.
func inWords(text string) string {
	return strings.NewReplacer(
		"average-pooling", tr("average-pooling"), "batch-normalisation", tr("batch-normalisation"), "concatenate", tr("concatenate"),
		"concat", tr("concatenate"), "convolution", tr("convolution"), "dense", tr("dense"), "elementwise", tr("elementwise"),
		"global-pooling", tr("global-pooling"), "max of groups", tr("max of groups"), "max-pooling", tr("max-pooling"),
		"mean of groups", tr("mean of groups"), "padding", tr("padding"), "pick", tr("pick"), "product", tr("product"), "reshape", tr("reshape"),
		"slice", tr("slice"), "stride", tr("stride"), "transpose", tr("transpose")).Replace(text)
}

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
