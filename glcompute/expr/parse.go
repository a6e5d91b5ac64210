package expr

import (
	"fmt"
	"strconv"
	"strings"
)

// Parse reads a formula as Key writes it.
func Parse(text string) (*Expr, error) {
	words := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
	e, rest, err := parse(words)
	if err != nil || len(rest) > 0 {
		return nil, fmt.Errorf("%q is no formula", text)
	}
	return e, nil
}

// MarshalText and UnmarshalText keep a formula as its Key.
func (e *Expr) MarshalText() ([]byte, error) { return []byte(e.key), nil }

func (e *Expr) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err == nil {
		*e = *parsed
	}
	return err
}

var errWord = fmt.Errorf("no formula")

// parse reads one formula from the beginning of words.
func parse(words []string) (e *Expr, rest []string, err error) {
	if len(words) == 0 {
		return nil, nil, errWord
	}
	word, rest := words[0], words[1:]
	if word != "(" {
		e, err = parseLeaf(word)
		return e, rest, err
	}
	if len(rest) == 0 {
		return nil, nil, errWord
	}
	for _, k := range Primitives {
		if primitives[k].name != rest[0] {
			continue
		}
		args := make([]*Expr, k.Arity())
		rest = rest[1:]
		for i := range args {
			if args[i], rest, err = parse(rest); err != nil {
				return nil, nil, err
			}
		}
		if len(rest) == 0 || rest[0] != ")" {
			return nil, nil, errWord
		}
		return node(k, args...), rest[1:], nil
	}
	return nil, nil, errWord
}

func parseLeaf(word string) (*Expr, error) {
	if word == "col" {
		return ColumnIndex(), nil
	}
	if n, err := strconv.ParseUint(word[1:], 10, 16); err == nil {
		switch word[0] {
		case 'a':
			return Arg(int(n)), nil
		case 'r':
			return NewValue(int(n)), nil
		}
	}
	v, err := strconv.ParseFloat(word, 32)
	return Const(float32(v)), err
}
