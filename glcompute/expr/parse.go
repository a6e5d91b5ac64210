package expr

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Parse reads a formula as Key writes it.
func Parse(text string) (*Expr, error) {
	e, rest := parse(strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text)))
	if e == nil || len(rest) > 0 {
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

// parse reads one formula from the beginning of words; nil where there is none.
func parse(words []string) (e *Expr, rest []string) {
	if len(words) == 0 {
		return nil, nil
	}
	word, rest := words[0], words[1:]
	if word != "(" {
		return parseLeaf(word), rest
	}
	at := slices.IndexFunc(Primitives, func(k Kind) bool { return len(rest) > 0 && primitives[k].name == rest[0] })
	if at < 0 {
		return nil, nil
	}
	args, rest := make([]*Expr, Primitives[at].Arity()), rest[1:]
	for i := range args {
		if args[i], rest = parse(rest); args[i] == nil {
			return nil, nil
		}
	}
	if len(rest) == 0 || rest[0] != ")" {
		return nil, nil
	}
	return node(Primitives[at], args...), rest[1:]
}

func parseLeaf(word string) *Expr {
	if word == "col" {
		return ColumnIndex()
	}
	if n, err := strconv.ParseUint(word[1:], 10, 16); err == nil {
		switch word[0] {
		case 'a':
			return Arg(int(n))
		case 'r':
			return NewValue(int(n))
		}
	}
	if v, err := strconv.ParseFloat(word, 32); err == nil {
		return Const(float32(v))
	}
	return nil
}
