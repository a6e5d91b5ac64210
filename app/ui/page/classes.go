package page

import (
	"errors"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"inkshade/app/ui/language"
	"inkshade/recognizer/nn"
)

// SomeLabels refuses a text without any label.
func SomeLabels(text string) error {
	if len(SplitLabels(text)) == 0 {
		return errors.New(language.Tr("Type at least one."))
	}
	return nil
}

// ClassSet is a choice of the classes that may be answered.
type ClassSet struct {
	Key    string // in the preferences
	Name   string
	Has    func(label string) bool // nil for every class
	Letter fyne.KeyName            // chooses it, with Ctrl+Shift
}

// In tells whether a label is one of some characters.
func In(set, label string) bool { return len(label) == 1 && strings.Contains(set, label) }

// IsOwn accepts labels that are in none of the sets with a name: a person's own symbols.
func IsOwn(label string) bool { return !In(nn.Digits+nn.Capitals+nn.Small+nn.Signs, label) }

// ClassSets are the sets with a name. A person's own symbols belong to each of them: who
// invents a symbol wants it answered.
func ClassSets() []ClassSet {
	and := func(set string) func(string) bool {
		return func(label string) bool { return In(set, label) || IsOwn(label) }
	}
	return []ClassSet{
		{"all", language.Tr("All classes"), nil, fyne.KeyA},
		{"digits", language.Tr("Digits Only"), and(nn.Digits), fyne.KeyD},
		{"capitals", language.Tr("Capitals"), and(nn.Capitals), fyne.KeyC},
		{"small", language.Tr("Small letters"), and(nn.Small), fyne.KeyL},
		{"signs", language.Tr("Signs"), and(nn.Signs), fyne.KeyS},
	}
}

// OwnSet is a set of a person's own choice: labels with spaces between.
func OwnSet(labels string) ClassSet {
	list := SplitLabels(labels)
	return ClassSet{"own", language.Tr("Own set…"), func(l string) bool { return slices.Contains(list, l) }, fyne.KeyE}
}

// SplitLabels reads labels as people type them: with spaces between, or, where there is
// none, every character by itself.
func SplitLabels(text string) []string {
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

// Allows tells whether the set lets a label be answered.
func (s ClassSet) Allows(label string) bool { return s.Has == nil || s.Has(label) }

// Useful tells whether the set lets any of the labels of a model be answered.
func (s ClassSet) Useful(labels []string) bool {
	return s.Has == nil || slices.ContainsFunc(labels, func(l string) bool { return s.Has(l) && !IsOwn(l) }) ||
		s.Key == "own" && slices.ContainsFunc(labels, s.Has)
}
