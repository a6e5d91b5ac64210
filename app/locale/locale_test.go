package locale

import (
	"strings"
	"testing"
)

func TestLocalesThatTheToolkitDoesNotUnderstandNeedALanguage(t *testing.T) {
	for setting, want := range map[string]string{
		"LANG=C.UTF-8":                      "en",
		"LC_ALL=C.UTF-8":                    "en",
		"LANG=POSIX.UTF-8":                  "en",
		"LANG=C":                            "",
		"":                                  "",
		"LANG=de_DE.UTF-8":                  "",
		"LANG=C.UTF-8 LANGUAGE=de":          "",
		"LANG=C.UTF-8 LC_ALL=zh_CN.UTF-8":   "",
		"LANG=de_DE.UTF-8 LC_ALL=C.UTF-8":   "en",
		"LANG=de_DE.UTF-8 LC_MESSAGES=C.u8": "en",
		"LANG=sr_RS@latin":                  "sr_RS",
		"LANG=de_DE.ISO-8859-15@euro":       "de_DE",
		"LANG=C.UTF-8 LC_ALL=de_DE@euro":    "de_DE",
		"LC_ALL=de_DE@euro LANGUAGE=fr":     "",
	} {
		env := map[string]string{}
		for _, pair := range strings.Fields(setting) {
			name, value, _ := strings.Cut(pair, "=")
			env[name] = value
		}
		if got := needed(func(name string) string { return env[name] }); got != want {
			t.Errorf("%q: %q, want %q", setting, got, want)
		}
	}
}
