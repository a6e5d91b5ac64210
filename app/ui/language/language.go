// Package language says the texts of the window in the language of the person.
package language

import (
	"cmp"
	"embed"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	_ "unsafe" // for go:linkname

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"inkshade/app/state/setting"
	"inkshade/glcompute/message"
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

// Said is a message or an error in the language of the person, or a text that has no values. What has no translation stays English.
func Said(value any) string {
	if text, ok := value.(string); ok {
		return translation(text)
	}
	return message.Say(value, translation)
}

// AllSaid are sentences behind each other.
func AllSaid(all []*message.Message) string {
	said := make([]string, len(all))
	for i, one := range all {
		said[i] = Said(one)
	}
	return Sentences(said...)
}

// translation is the text of the catalogue for an English one.
func translation(text string) string {
	if catalogue()[text] == "" {
		return text // which may be of another program, with marks of a template in it
	}
	return Tr(text)
}

// catalogue has the English texts as keys.
var catalogue = sync.OnceValue(func() (texts map[string]string) {
	data, err := Translations.ReadFile("translations/zh_Hans.json")
	if err = cmp.Or(err, json.Unmarshal(data, &texts)); err != nil {
		fyne.LogError("The translations inside the program could not be read", err)
	}
	return texts
})
