// Package locale spares people three lines of complaint at every start. Under the locale
// C.UTF-8, which most containers and servers have, or sr_RS@latin, the toolkit finds that "C" or
// "sr-RS@latin" is no language and says so while its packages are initialised, before main can do anything.
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
	if language := needed(os.Getenv); language != "" {
		// Unlike LANG or LC_ALL it leaves the C library alone, and so the keyboard.
		_ = os.Setenv("LANGUAGE", language)
	}
}

// needed is the language to be named where the environment asks for none and the toolkit does not understand its locale;
// otherwise empty.
func needed(env func(string) string) string {
	if env("LANGUAGE") != "" {
		return ""
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := env(name); value != "" {
			locale, _, varied := strings.Cut(value, "@")
			language, _, encoded := strings.Cut(locale, ".")
			switch {
			case encoded && (language == "C" || language == "POSIX"):
				return "en"
			case varied:
				return language
			}
			return ""
		}
	}
	return ""
}
