//go:build unix && !darwin

package keyboard

import (
	"slices"
	"time"

	"github.com/jezek/xgb/xproto"

	"inkshade/glcompute/message"
)

// loan is a keycode without meaning in the person's layout, lent to a character.
type loan struct {
	code xproto.Keycode
	char rune // 0 for none
	used time.Time
}

// readLayout reads which keysyms each key has, and which keycodes have none.
func (k *x11) readLayout() error {
	setup := xproto.Setup(k.Conn)
	n := int(setup.MaxKeycode) - int(setup.MinKeycode) + 1
	m, err := xproto.GetKeyboardMapping(k.Conn, setup.MinKeycode, byte(n)).Reply()
	if err != nil {
		return message.Errorf("the keyboard's layout cannot be read: %w", err)
	}
	k.first, k.columns, k.syms, k.changed = setup.MinKeycode, int(m.KeysymsPerKeycode), m.Keysyms, false
	var spare []loan
	for i := range n {
		code := setup.MinKeycode + xproto.Keycode(i)
		lent := k.loanOf(code)
		means := slices.ContainsFunc(k.symsOf(i), func(s xproto.Keysym) bool { return s != 0 })
		switch {
		case lent >= 0 && means && k.symsOf(i)[0] == symOf(k.spare[lent].char):
			spare = append(spare, k.spare[lent])
		case !means:
			spare = append(spare, loan{code: code})
		}
	}
	k.spare = spare
	return nil
}

func (k *x11) symsOf(i int) []xproto.Keysym { return k.syms[i*k.columns : (i+1)*k.columns] }

func symOf(r rune) xproto.Keysym {
	switch {
	case r == '\n':
		return symReturn
	case r == '\b':
		return symBackspace
	case r >= 0x20 && r <= 0x7e || r >= 0xa0 && r <= 0xff:
		return xproto.Keysym(r)
	}
	return xproto.Keysym(symUnicode + r)
}

// stroke is a key that is pressed and released, with Shift or without.
type stroke struct {
	code  xproto.Keycode
	shift bool
}

func (k *x11) loanOf(code xproto.Keycode) int {
	return slices.IndexFunc(k.spare, func(l loan) bool { return l.code == code })
}

// key finds a keysym in the layout, in the group of keys that is in use.
func (k *x11) key(sym xproto.Keysym, group int) (stroke, bool) {
	for i := range len(k.syms) / k.columns {
		syms := k.symsOf(i)
		for level := range 2 {
			// Columns 0 and 1 are those of the first group of keys, 2 and 3 of the second.
			column := 2*min(group, 1) + level
			code := k.first + xproto.Keycode(i)
			if column < k.columns && syms[column] == sym && k.loanOf(code) < 0 {
				return stroke{code, level == 1}, true
			}
		}
	}
	if ofAllGroups := sym>>8 == 0xff; ofAllGroups && group > 0 {
		return k.key(sym, 0)
	}
	return stroke{}, false
}

// borrow puts characters that the layout lacks on keycodes without meaning; it returns how many of the text's characters
// can now be typed, at least one where any keycode is free.
func (k *x11) borrow(text []rune, group int) (int, error) {
	inUse, settled := map[rune]bool{}, false
	for n, r := range text {
		if _, ok := k.key(symOf(r), group); ok || inUse[r] {
			continue
		}
		if !slices.ContainsFunc(k.spare, func(l loan) bool { return l.char == r }) {
			i := k.oldest(inUse)
			unread := i >= 0 && k.spare[i].char != 0 && !settled // what the program has not read yet, maybe
			if i < 0 || unread && n > 0 {
				return n, nil
			}
			if unread {
				settled = true
				if err := k.settle(); err != nil {
					return 0, err
				}
			}
			if err := k.lend(i, r); err != nil {
				return 0, err
			}
		}
		inUse[r] = true
	}
	return len(text), nil
}

// oldest is the spare keycode that was used longest ago, or never; -1 where all are in use.
func (k *x11) oldest(inUse map[rune]bool) int {
	found := -1
	for i, l := range k.spare {
		if (l.char == 0 || !inUse[l.char]) && (found < 0 || l.used.Before(k.spare[found].used)) {
			found = i
		}
	}
	return found
}

// put gives a keycode a character, 0 for none.
func (k *x11) put(code xproto.Keycode, r rune) error {
	syms := []xproto.Keysym{0, 0}
	if r != 0 {
		syms = []xproto.Keysym{symOf(r), symOf(r)}
	}
	if err := xproto.ChangeKeyboardMappingChecked(k.Conn, 1, code, 2, syms).Check(); err != nil {
		return message.Errorf("the character %q cannot be put on a key: %w", r, err)
	}
	return nil
}

// lend gives a spare keycode a character, and notes on the display which keycodes are lent.
func (k *x11) lend(i int, r rune) error {
	if err := k.put(k.spare[i].code, r); err != nil {
		return err
	}
	k.spare[i].char = r
	var codes []byte
	for _, l := range k.spare {
		if l.char != 0 {
			codes = append(codes, byte(l.code), 0, 0, 0)
		}
	}
	xproto.ChangeProperty(k.Conn, xproto.PropModeReplace, k.root, k.atom(borrowed), xproto.AtomCardinal, 32, uint32(len(codes)/4), codes)
	return nil
}
