package uitest

import (
	"testing"

	"fyne.io/fyne/v2/lang"

	"inkshade/app/ui/language"
)

// InChinese lets the window speak Chinese until the test ends.
func InChinese(t *testing.T) {
	t.Helper()
	InSystem(t, "zh_CN")
}

// InSystem lets the system's language be another.
func InSystem(t *testing.T, locale string) {
	t.Helper()
	again := func() {
		if err := lang.AddTranslationsFS(language.Translations, "translations"); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(again) // after the variables are as they were
	t.Setenv("LANG", locale+".UTF-8")
	t.Setenv("LC_ALL", "")
	t.Setenv("LANGUAGE", locale)
	again()
}
