package models

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed symbols.tsv
var symbolTable string

// Symbol is what LaTeX prints for a label of the model symbols.
type Symbol struct {
	Command string // as it is typed
	Package string // that has the command; "" for LaTeX itself
	Sign    string // the same in Unicode; "" where there is none
}

// Symbols gives the symbols by their labels: the command, followed by its package where two have one of that name.
var Symbols = sync.OnceValue(func() map[string]Symbol {
	symbols := map[string]Symbol{}
	for _, line := range strings.Split(strings.TrimSuffix(symbolTable, "\n"), "\n")[1:] {
		c := strings.Split(line, "\t")
		symbols[c[0]] = Symbol{Command: c[1], Package: c[2], Sign: c[3]}
	}
	return symbols
})

// Signs gives what LaTeX prints in Unicode by the commands, of those that have a sign.
var Signs = sync.OnceValue(func() map[string]string {
	signs := map[string]string{}
	for _, s := range Symbols() {
		if s.Sign != "" {
			signs[s.Command] = s.Sign // packages that have one command print one sign
		}
	}
	return signs
})
