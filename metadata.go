// Package inkshade holds what the program says of itself. It reads the FyneApp.toml that
// packaging reads too, embedded, so that name, identifier and version are the same
// wherever the program is started from.
package inkshade

import (
	_ "embed"
	"fmt"

	"github.com/BurntSushi/toml"
)

//go:embed FyneApp.toml
var description string

//go:embed LICENSE
var licence string

// Licence is the text of the licence under which Inkshade may be used.
func Licence() string { return licence }

// Details are the program's name, identifier (reverse domain name, where the settings are
// kept) and version.
type Details struct {
	Name, ID, Version string
	Build             int
}

// About reads the details. It panics when the embedded FyneApp.toml cannot be read, which
// the tests exclude.
func About() Details {
	var file struct{ Details Details }
	if _, err := toml.Decode(description, &file); err != nil {
		panic(fmt.Sprintf("inkshade: FyneApp.toml: %v", err))
	}
	return file.Details
}
