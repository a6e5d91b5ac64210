package message

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"testing"
)

var german = map[string]string{
	"cannot %s: %w":              "%s geht nicht: %s",
	"save %d samples":            "%s Proben sichern",
	"the disk is full":           "die Platte ist voll",
	"%s has %d points, not %.2f": "%[3]s Punkte statt %[2]s hat %[1]s",
	"%s; %v":                     "%s, %s",
	"%q is taken":                "%s ist vergeben",
	"%d %% are left":             "%s %% sind übrig",
}

func inGerman(format string) string {
	if said, ok := german[format]; ok {
		return said
	}
	return format
}

// lost is an error of a type of its own that has a message.
type lost struct{ name string }

func (l lost) Error() string     { return l.Message().String() }
func (l lost) Message() *Message { return Text("%q is taken", l.name) }

func TestSay(t *testing.T) {
	full := Errorf("the disk is full")
	save := Errorf("cannot %s: %w", Text("save %d samples", 3), full)
	var nothing *Message
	for _, c := range []struct {
		value           any
		english, german string
	}{
		{full, "the disk is full", "die Platte ist voll"},
		{save, "cannot save 3 samples: the disk is full", "3 Proben sichern geht nicht: die Platte ist voll"},
		{Text("%s has %d points, not %.2f", "a", 7, 2.0/3), "a has 7 points, not 0.67", "0.67 Punkte statt 7 hat a"},
		{Text("%d %% are left", 5), "5 % are left", "5 % sind übrig"},
		{Text("nobody knows %05d", 5), "nobody knows 00005", "nobody knows 00005"},
		{Errorf("the file %q: %w", "a b", full), `the file "a b": the disk is full`, `the file "a b": die Platte ist voll`},
		{lost{"x"}, `"x" is taken`, `"x" ist vergeben`},
		{fmt.Errorf("a.png: %w", full), "a.png: the disk is full", "a.png: die Platte ist voll"},
		{fmt.Errorf("%w here, %w there", full, lost{"y"}), `the disk is full here, "y" is taken there`, `die Platte ist voll here, "y" ist vergeben there`},
		{errors.Join(full, errors.New("odd"), save), "the disk is full\nodd\ncannot save 3 samples: the disk is full", "die Platte ist voll\nodd\n3 Proben sichern geht nicht: die Platte ist voll"},
		{&fs.PathError{Op: "write", Path: "a", Err: full}, "write a: the disk is full", "write a: die Platte ist voll"},
		{&fs.PathError{Op: "open", Path: "a %d", Err: fs.ErrNotExist}, "open a %d: file does not exist", "open a %d: file does not exist"},
		{List([]error{full, lost{"z"}, full}), `the disk is full; "z" is taken; the disk is full`, `die Platte ist voll, "z" ist vergeben, die Platte ist voll`},
		{List([]*Message{Text("the disk is full")}), "the disk is full", "die Platte ist voll"},
		{List([]error{}), "", ""},
		{nothing, "", ""},
		{"the disk is full", "the disk is full", "the disk is full"},
		{7, "7", "7"},
	} {
		if got := fmt.Sprint(c.value); got != c.english {
			t.Errorf("%q is written as %q", c.english, got)
		}
		if got := Say(c.value, func(format string) string { return format }); got != c.english {
			t.Errorf("%q becomes %q in English", c.english, got)
		}
		if got := Say(c.value, inGerman); got != c.german {
			t.Errorf("%q becomes %q, want %q", c.english, got, c.german)
		}
	}
}

func TestErrorsWrapAsThoseOfFmt(t *testing.T) {
	missing := &fs.PathError{Op: "open", Path: "a", Err: fs.ErrNotExist}
	err := fmt.Errorf("outside: %w", Errorf("cannot %s: %w and %w", Text("read"), missing, os.ErrClosed))
	var path *fs.PathError
	if !errors.Is(err, os.ErrClosed) || !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &path) || path != missing {
		t.Errorf("%v wraps other errors than it was given", err)
	}
	if err := Errorf("reading: %w", missing); errors.Unwrap(err) != error(missing) {
		t.Errorf("%v wraps %v", err, errors.Unwrap(err))
	}
	if err := Errorf("closed: %v", os.ErrClosed); errors.Is(err, os.ErrClosed) {
		t.Errorf("%v wraps what it only names", err)
	}
	if Errorf("a") == Errorf("a") {
		t.Error("two errors of one text are equal")
	}
}

// A message of a file is said in each language; one of a file that has only its English stays that.
func TestMessagesInFiles(t *testing.T) {
	cause := Errorf("cannot %s: %w", Text("save %d samples", 3), Errorf("the disk is full"))
	for _, m := range []*Message{
		Text("%s has %d points, not %.2f", "a", 7, 2.0/3), Text("%v", cause), Text("%d %% are left", 5), Text("%q is taken", "b"), List([]error{cause, cause}),
	} {
		data, err := json.Marshal(m)
		var read *Message
		if err != nil || json.Unmarshal(data, &read) != nil || read.String() != m.String() || Say(read, inGerman) != Say(m, inGerman) {
			t.Errorf("%q became %s and then %q, which is said as %q, %v", m, data, read, Say(read, inGerman), err)
		}
	}
	var notes []*Message
	if err := json.Unmarshal([]byte(`["the disk is full", null, ""]`), &notes); err != nil || notes[0].String() != "the disk is full" || notes[1] != nil || notes[2].String() != "" {
		t.Errorf("%q, %v", notes, err)
	}
}
