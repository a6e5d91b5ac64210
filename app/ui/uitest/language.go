package uitest

import (
	"testing"

	"inkshade/app/ui/language"
)

// InChinese lets the window speak Chinese until the test ends.
func InChinese(t *testing.T) {
	t.Helper()
	InSystem(t, "zh_CN")
	language.Use("zh-Hans")
	t.Cleanup(func() { language.Use("en") })
}

// InSystem lets the system's language be another.
func InSystem(t *testing.T, locale string) {
	t.Helper()
	t.Setenv("LANG", locale+".UTF-8")
	t.Setenv("LC_ALL", "")
	t.Setenv("LANGUAGE", locale)
}
