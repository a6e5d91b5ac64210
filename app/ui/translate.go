package ui

import (
	"embed"
	"strings"
	"sync"

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
