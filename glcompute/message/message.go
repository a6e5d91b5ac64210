// Package message holds what people are told as values: an English format of fmt, and the values that it names. Its text is the
// English one; Say gives that of another language, whose catalogue has the English format as its key, as gettext's have.
package message

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Message is something that people are told; nil is nothing told.
type Message struct {
	format string
	values []any
	text   string
}

// Text is a message that is no error: a reason, a note, a part of another message. It is written as fmt.Sprintf writes it.
func Text(format string, values ...any) *Message {
	return &Message{format, values, fmt.Sprintf(format, values...)}
}

// List is several messages or errors in one line; nil where there are none.
func List[T any](all []T) (list *Message) {
	for i, one := range all {
		if list = Text("%s; %v", list, one); i == 0 {
			list = Text("%v", one)
		}
	}
	return list
}

// String is the message in English.
func (m *Message) String() string {
	if m == nil {
		return ""
	}
	return m.text
}

// kept is a message in a file, where it can still be said in each language.
type kept struct {
	Format string `json:"format"`
	Values []any  `json:"values,omitempty"` // messages, and what the format makes of other values
}

// MarshalJSON keeps the format and the values.
func (m *Message) MarshalJSON() ([]byte, error) {
	places := m.places(func(format string) string { return format })
	_ = fmt.Sprintf(verbs(m.format), places...)
	k := kept{Format: m.format}
	for i, value := range m.values {
		told, ok := value.(*Message)
		if has, is := value.(interface{ Message() *Message }); is {
			told, ok = has.Message(), true
		}
		if k.Values = append(k.Values, told); !ok {
			k.Values[i] = places[i].(*place).text
		}
	}
	return json.Marshal(k)
}

// UnmarshalJSON reads what MarshalJSON wrote, or a plain text.
func (m *Message) UnmarshalJSON(data []byte) error {
	var text look
	if json.Unmarshal(data, &text) == nil {
		*m = *Text("%s", text)
		return nil
	}
	var k struct {
		Format string
		Values []json.RawMessage
	}
	if err := json.Unmarshal(data, &k); err != nil {
		return err
	}
	values := make([]any, len(k.Values))
	for i, data := range k.Values {
		if told := new(Message); json.Unmarshal(data, &text) == nil {
			values[i] = text
		} else if err := told.UnmarshalJSON(data); err != nil {
			return err
		} else {
			values[i] = told
		}
	}
	*m = Message{k.Format, values, fmt.Sprintf(verbs(k.Format), values...)}
	return nil
}

// MarshalBinary and UnmarshalBinary keep it in files of package gob as in those of JSON.
func (m *Message) MarshalBinary() ([]byte, error)    { return m.MarshalJSON() }
func (m *Message) UnmarshalBinary(data []byte) error { return m.UnmarshalJSON(data) }

// look is a value as a format has written it, which every verb leaves as it is.
type look string

func (l look) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, string(l)) }

// Errorf is an error with a message, which it writes and wraps other errors as fmt.Errorf does.
func Errorf(format string, values ...any) error {
	written := fmt.Errorf(format, values...)
	f := &failure{&Message{format, values, written.Error()}, errors.Unwrap(written)}
	if several, ok := written.(interface{ Unwrap() []error }); ok {
		return &failures{f, several.Unwrap()}
	}
	return f
}

// Once puts an error behind others, unless one of them says the same.
func Once(all []error, err error) []error {
	if slices.ContainsFunc(all, func(other error) bool { return other.Error() == err.Error() }) {
		return all
	}
	return append(all, err)
}

// failure is an error that has a message, and wraps another or none.
type failure struct {
	message *Message
	wrapped error
}

func (f *failure) Error() string     { return f.message.text }
func (f *failure) Message() *Message { return f.message }
func (f *failure) Unwrap() error     { return f.wrapped }

// failures is one that wraps several.
type failures struct {
	*failure
	wrapped []error
}

func (f *failures) Unwrap() []error { return f.wrapped }

// Language gives the format of a language for an English one: with the same places, of any verb, for the same values in the
// same order, or in the order of indices (%[2]s). Where it has none it gives back the English.
type Language func(format string) string

// Say is a value in a language: a message, or an error that has one (from Errorf, or by a method Message of its type), with
// the messages and errors among its values in that language, too. Another error that wraps some keeps
// its words but for theirs; one that wraps none is a format without values. What is neither is written as fmt writes it.
func Say(value any, in Language) string {
	switch v := value.(type) {
	case *Message:
		return v.say(in)
	case interface{ Message() *Message }:
		return v.Message().say(in)
	case interface{ Unwrap() error }:
		return sayWrapped(fmt.Sprint(value), []error{v.Unwrap()}, in)
	case interface{ Unwrap() []error }:
		return sayWrapped(fmt.Sprint(value), v.Unwrap(), in)
	case error:
		return in(v.Error())
	}
	return fmt.Sprint(value)
}

func sayWrapped(text string, wrapped []error, in Language) string {
	said := ""
	for _, err := range wrapped {
		if err == nil {
			continue
		}
		if before, after, found := strings.Cut(text, err.Error()); found {
			said, text = said+before+Say(err, in), after
		}
	}
	return said + text
}

func (m *Message) say(in Language) string {
	if m == nil {
		return ""
	}
	places := m.places(in)
	// Written in English first, since its verbs say how numbers look.
	text := fmt.Sprintf(verbs(m.format), places...)
	if format := in(m.format); format != m.format {
		text = fmt.Sprintf(format, places...)
	}
	return text
}

func (m *Message) places(in Language) []any {
	places := make([]any, len(m.values))
	for i, value := range m.values {
		places[i] = &place{value: value, in: in}
	}
	return places
}

// verbs is a format for fmt.Sprintf, which wraps no errors.
func verbs(format string) string { return strings.ReplaceAll(format, "%w", "%v") }

// place is a value where it stands in a message: it keeps the look that the first format gives it.
type place struct {
	value   any
	in      Language
	written bool
	text    string
}

func (p *place) Format(state fmt.State, verb rune) {
	if !p.written {
		value := p.value
		switch value.(type) {
		case *Message, error:
			value = Say(value, p.in)
		}
		p.text, p.written = fmt.Sprintf(fmt.FormatString(state, verb), value), true
		switch value.(type) {
		case float32, float64:
			p.text = p.in(p.text)
		}
	}
	_, _ = io.WriteString(state, p.text)
}
