package ui

import (
	"embed"
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
