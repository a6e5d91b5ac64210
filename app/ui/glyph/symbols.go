package glyph

import (
	"cmp"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"github.com/mozillazg/go-pinyin"
	"golang.org/x/text/unicode/norm"

	"inkshade/app/ui/widget"
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

// Printed is what a label looks like, a sign or a typical drawing where it is a LaTeX symbol that has one in a font, and the style it is shown in.
func Printed(label string, style fyne.TextStyle) (string, fyne.TextStyle) {
	signs := fyne.TextStyle{Symbol: true}
	switch s := SymbolOf(label); {
	case s.Sign != "" && !widget.Lacking(s.Sign, signs):
		return s.Sign, signs
	case s.Drawing != "":
		return s.Drawing, signs
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

// Found are the candidates that can be read as what is typed, and those whose command it is or is in. One of just that name comes first.
func Found(typed string, all []recognizer.Candidate) []recognizer.Candidate {
	found := append(readAs(typed, all), commanded(typed, all)...)
	named := func(c recognizer.Candidate) bool { return c.Label == typed }
	if i := slices.IndexFunc(all, named); i >= 0 {
		found = slices.Insert(slices.DeleteFunc(found, named), 0, all[i])
	}
	return found
}

// commanded are the candidates whose command is what is typed, begins with it, or has it inside. A single letter is no command.
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

// readings are the pinyin of a character with tone marks, the most usual first; none of what is no Chinese character.
func readings(label string) []string {
	runes := []rune(label)
	if len(runes) != 1 {
		return nil
	}
	return pinyin.SinglePinyin(runes[0], pinyin.Args{Style: pinyin.Tone, Heteronym: true})
}

// syllable is a reading without marks: its letters, ü as v, and its tone, from 1 to 4; 0 for any, 5 asks for the neutral one.
type syllable struct {
	letters string
	tone    int
}

// tones are the marks of the tones, combining: macron, acute, caron, grave.
const tones = "\u0304\u0301\u030c\u0300"

// syllableOf reads pinyin with a mark or a digit for its tone, or with neither, and nothing else.
func syllableOf(text string) (s syllable, ok bool) {
	marks := []rune(tones)
	for _, r := range norm.NFD.String(text) {
		switch tone := slices.Index(marks, r) + 1; {
		case tone > 0:
			s.tone = tone
		case r == '\u0308':
			s.letters = strings.TrimSuffix(s.letters, "u") + "v"
		case r >= 'a' && r <= 'z':
			s.letters += string(r)
		case r >= '1' && r <= '5' && s.letters != "":
			s.tone = int(r - '0')
		case r != '\u0302': // the hat of ê
			return syllable{}, false
		}
	}
	return s, s.letters != ""
}

// begins tells whether the syllable can be what is typed so far: its tone may be left out.
func (s syllable) begins(typed syllable) bool {
	return strings.HasPrefix(s.letters, typed.letters) && (typed.tone == 0 || typed.tone%5 == s.tone)
}

// readingFor is the most usual reading that can be what is typed, or else the most usual one; "" for none.
func readingFor(label, typed string) string {
	all := readings(label)
	if want, ok := syllableOf(typed); ok {
		for _, r := range all {
			if s, _ := syllableOf(r); s.begins(want) {
				return r
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	return all[0]
}

// readAs are the candidates that can be read as what is typed, those with just this syllable first; among these the order stays.
func readAs(typed string, all []recognizer.Candidate) []recognizer.Candidate {
	want, ok := syllableOf(typed)
	if !ok {
		return nil
	}
	var whole, begun []recognizer.Candidate
	for _, c := range all {
		switch s, _ := syllableOf(readingFor(c.Label, typed)); {
		case !s.begins(want):
		case s.letters == want.letters:
			whole = append(whole, c)
		default:
			begun = append(begun, c)
		}
	}
	return append(whole, begun...)
}
