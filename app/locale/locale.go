// Package locale spares people three lines of complaint at every start. Under the locale
// C.UTF-8, which most containers and servers have, the toolkit finds that "C" is no
// language and says so while its packages are initialised, before main can do anything.
//
// Go initialises packages that are ready in the order of their import paths, so this one,
// which needs only the standard library's smallest, comes before the toolkit's languages,
// which need text/template. Importing it is all there is to do.
package locale

import (
	"os"
	"strings"
)

func init() {
	if needsLanguage(os.Getenv) {
		// Unlike LANG or LC_ALL it leaves the C library alone, and so the keyboard.
		_ = os.Setenv("LANGUAGE", "en")
	}
}

// needsLanguage tells whether the environment asks for the C locale with an encoding and
// for no language.
func needsLanguage(env func(string) string) bool {
	if env("LANGUAGE") != "" {
		return false
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := env(name); value != "" {
			language, _, encoded := strings.Cut(value, ".")
			return encoded && (language == "C" || language == "POSIX")
		}
	}
	return false
}
