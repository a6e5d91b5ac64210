package glyph

import (
	"cmp"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"inkshade/models"
	"inkshade/recognizer"
)

// SymbolOf is the LaTeX symbol that a label is; without a command where it is none.
func SymbolOf(label string) models.Symbol {
	if !strings.HasPrefix(label, `\`) {
		return models.Symbol{}
	}
	return models.Symbols()[label]
}

// HasSymbols tells whether some of the labels are LaTeX symbols.
func HasSymbols(labels []string) bool {
	return slices.ContainsFunc(labels, func(l string) bool { return SymbolOf(l).Command != "" })
}

// Printed is what a label looks like, a sign where it is a LaTeX symbol that has one, and the style it is shown in.
func Printed(label string, style fyne.TextStyle) (string, fyne.TextStyle) {
	switch s := SymbolOf(label); {
	case s.Sign != "":
		return s.Sign, fyne.TextStyle{Symbol: true}
	case s.Command != "":
		return s.Command, style
	}
	return label, style
}

// Collected is what a label adds to a line of text. A space ends a command.
func Collected(label string) string {
	if s := SymbolOf(label); s.Command != "" {
		return s.Command + " "
	}
	return label
}

// InUnicode writes the commands of a line of text as signs, where they have one.
func InUnicode(text string) string {
	words := strings.Fields(text)
	for i, word := range words {
		words[i] = cmp.Or(models.Signs()[word], word)
	}
	return strings.Join(words, " ")
}

// Found are the candidates that can be read as what is typed, and those whose command it is or is in.
func Found(typed string, all []recognizer.Candidate) []recognizer.Candidate {
	return append(readAs(typed, all), commanded(typed, all)...)
}

// commanded are the candidates whose command is what is typed, those that begin with it, and those that have it inside. One
// letter without a backslash is no command.
func commanded(typed string, all []recognizer.Candidate) []recognizer.Candidate {
	name := strings.TrimPrefix(typed, `\`)
	if len(typed) < 2 || name == "" {
		return nil
	}
	rank := func(c recognizer.Candidate) int {
		command := strings.TrimPrefix(SymbolOf(c.Label).Command, `\`)
		switch {
		case command == name:
			return 0
		case strings.HasPrefix(command, name):
			return 1
		case strings.Contains(strings.ToLower(command), strings.ToLower(name)):
			return 2
		}
		return 3
	}
	found := slices.DeleteFunc(slices.Clone(all), func(c recognizer.Candidate) bool { return rank(c) == 3 })
	slices.SortStableFunc(found, func(a, b recognizer.Candidate) int { return rank(a) - rank(b) })
	return found
}
