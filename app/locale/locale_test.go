package locale

import (
	"strings"
	"testing"
)

func TestOnlyTheCLocaleWithAnEncodingNeedsALanguage(t *testing.T) {
	for setting, want := range map[string]bool{
		"LANG=C.UTF-8":                      true,
		"LC_ALL=C.UTF-8":                    true,
		"LANG=POSIX.UTF-8":                  true,
		"LANG=C":                            false,
		"":                                  false,
		"LANG=de_DE.UTF-8":                  false,
		"LANG=C.UTF-8 LANGUAGE=de":          false,
		"LANG=C.UTF-8 LC_ALL=zh_CN.UTF-8":   false,
		"LANG=de_DE.UTF-8 LC_ALL=C.UTF-8":   true,
		"LANG=de_DE.UTF-8 LC_MESSAGES=C.u8": true,
	} {
		env := map[string]string{}
		for _, pair := range strings.Fields(setting) {
			name, value, _ := strings.Cut(pair, "=")
			env[name] = value
		}
		if got := needsLanguage(func(name string) string { return env[name] }); got != want {
			t.Errorf("%q: %t, want %t", setting, got, want)
		}
	}
}
