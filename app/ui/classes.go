package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
)

// classSet is a choice of the classes that may be answered.
type classSet struct {
	key  string // in the preferences
	name string
	has  func(label string) bool // nil for every class
	keep fyne.KeyName            // chooses it, with Ctrl+Shift
}

func within(first, last rune) func(string) bool {
	return func(label string) bool {
		r := []rune(label)
		return len(r) == 1 && r[0] >= first && r[0] <= last
	}
}

var (
	isDigit   = within('0', '9')
	isCapital = within('A', 'Z')
	isSmall   = within('a', 'z')
)

// isSign accepts the signs of ASCII.
func isSign(label string) bool {
	return within('!', '~')(label) && !isDigit(label) && !isCapital(label) && !isSmall(label)
}

// isOwn accepts labels that are in none of the sets with a name: a person's own symbols.
func isOwn(label string) bool { return !within('!', '~')(label) }

// classSets are the sets with a name. A person's own symbols belong to each of them: who
// invents a symbol wants it answered.
func classSets() []classSet {
	and := func(has func(string) bool) func(string) bool {
		return func(label string) bool { return has(label) || isOwn(label) }
	}
	return []classSet{
		{"all", tr("All classes"), nil, fyne.KeyA},
		{"digits", tr("Digits"), and(isDigit), fyne.KeyD},
		{"capitals", tr("Capitals"), and(isCapital), fyne.KeyC},
		{"small", tr("Small letters"), and(isSmall), fyne.KeyL},
		{"signs", tr("Signs"), and(isSign), fyne.KeyS},
	}
}

// ownSet is a set of a person's own choice: labels with spaces between.
func ownSet(labels string) classSet {
	list := splitLabels(labels)
	return classSet{"own", tr("Own set…"), func(l string) bool { return slices.Contains(list, l) }, fyne.KeyE}
}

// splitLabels reads labels as people type them: with spaces between, or, where there is
// none, every character by itself.
func splitLabels(text string) []string {
	words := strings.Fields(text)
	if len(words) == 1 {
		words = strings.Split(words[0], "")
	}
	var labels []string
	for _, w := range words {
		if !slices.Contains(labels, w) {
			labels = append(labels, w)
		}
	}
	return labels
}

// allows tells whether the set lets a label be answered.
func (s classSet) allows(label string) bool { return s.has == nil || s.has(label) }

// useful tells whether the set lets any of the labels of a model be answered.
func (s classSet) useful(labels []string) bool {
	return s.has == nil || slices.ContainsFunc(labels, func(l string) bool { return s.has(l) && !isOwn(l) }) ||
		s.key == "own" && slices.ContainsFunc(labels, s.has)
}
