//go:build unix && !darwin

package keyboard

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"log"
	"os"
	"slices"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"

	"inkshade/glcompute/message"
)

// Keysyms of X11/keysymdef.h.
const (
	symBackspace = 0xff08
	symReturn    = 0xff0d
	symShift     = 0xffe1
	symCaps      = 0xffe5
	symUnicode   = 0x01000000 // plus the code point, beyond Latin-1
)

const (
	// held are the modifiers that make a command of a key: Shift, Control, Alt and Super.
	held = xproto.ModMaskShift | xproto.ModMaskControl | xproto.ModMask1 | xproto.ModMask4
	// settles is how long a keycode keeps a character for a program that says nothing of how far it is.
	settles = 500 * time.Millisecond
	// answers is how long a program may take to say that it has read its keys.
	answers = 3 * time.Second
)

// x11 types with the extension XTEST. Characters that the layout has come from their own keys; others are put on keycodes
// that mean nothing there and are taken off again by Close.
type x11 struct {
	display
	changed bool // the layout, since it was read
	first   xproto.Keycode
	columns int // keysyms of each keycode
	syms    []xproto.Keysym
	spare   []loan
	pinged  uint32 // the number of the last ping that was answered
	pings   uint32
	focus   xproto.Window // that was typed into last
	touched bool
	typed   time.Time // when characters in loan were typed last
	own     xproto.Window
}

// borrowed is the property of the root window that names keycodes in loan, so that a program that was killed is cleaned up after.
const borrowed = "_INKSHADE_KEYCODES"

// The library tells of every display without a password.
func init() { xgb.Logger = log.New(io.Discard, "", 0) }

// Open finds the way to type on this desktop: on Wayland the desktop portal, for which a person is asked once, elsewhere
// the X server. own is the native handle of the window that may be clicked in meanwhile.
func Open(ctx context.Context, own uintptr, permission Permission) (Keyboard, error) {
	if os.Getenv("WAYLAND_DISPLAY") != "" {
		return openPortal(ctx, os.Getenv("DBUS_SESSION_BUS_ADDRESS"), permission)
	}
	return openX11("", own)
}

func openX11(name string, own uintptr) (Keyboard, error) {
	d, err := openDisplay(name)
	if err != nil {
		return nil, message.Errorf("the display cannot be reached: %w", err)
	}
	k := &x11{display: d, own: xproto.Window(own)}
	if err := k.prepare(); err != nil {
		d.Close()
		return nil, err
	}
	return k, nil
}

func (k *x11) prepare() error {
	if err := xtest.Init(k.Conn); err != nil {
		return message.Errorf("the display lets no program type (no XTEST): %w", err)
	}
	// Answers to pings go to the root window.
	if err := xproto.ChangeWindowAttributesChecked(k.Conn, k.root, xproto.CwEventMask, []uint32{xproto.EventMaskSubstructureNotify}).Check(); err != nil {
		return err
	}
	if err := k.readLayout(); err != nil {
		return err
	}
	for _, code := range k.property(k.root, borrowed, xproto.AtomCardinal) {
		if err := k.put(xproto.Keycode(code), 0); err != nil {
			return err
		}
	}
	xproto.DeleteProperty(k.Conn, k.root, k.atom(borrowed))
	return k.readLayout()
}

func (k *x11) Type(text string) (n int, err error) {
	for rest := []rune(text); len(rest) > 0; {
		group, caps, err := k.ready()
		if err != nil {
			return n, err
		}
		some, err := k.borrow(rest, group)
		if err != nil {
			return n, err
		}
		if some == 0 {
			return n, message.Errorf("the keyboard's layout leaves no key free for other characters")
		}
		var strokes []stroke
		for _, r := range rest[:some] {
			s, ok := k.key(symOf(r), group)
			if !ok {
				i := slices.IndexFunc(k.spare, func(l loan) bool { return l.char == r })
				k.typed = time.Now()
				k.spare[i].used = k.typed
				s = stroke{code: k.spare[i].code}
			}
			strokes = append(strokes, s)
		}
		if err := k.press(strokes, caps); err != nil {
			return n, err
		}
		n, rest = n+some, rest[some:]
	}
	return n, nil
}

// ready makes sure that no modifier is held and that another program has the keyboard. It says which group of keys is in use, and
// whether Caps Lock is on.
func (k *x11) ready() (group int, caps bool, err error) {
	k.events()
	if k.changed {
		err = k.readLayout()
	}
	p, problem := xproto.QueryPointer(k.Conn, k.root).Reply()
	f, failed := xproto.GetInputFocus(k.Conn).Reply()
	if err := cmp.Or(err, problem, failed); err != nil {
		return 0, false, err
	}
	// Where a window manager gives the keyboard to no program, it names none as the active one, or its own window has the keyboard.
	says := func(property string, w xproto.Window) bool {
		return slices.Equal(k.property(k.root, property, xproto.AtomWindow), []uint32{uint32(w)})
	}
	nobody := says("_NET_ACTIVE_WINDOW", xproto.WindowNone) || says("_NET_SUPPORTING_WM_CHECK", f.Focus)
	switch {
	case nobody, f.Focus == xproto.WindowNone, k.ours(f.Focus), f.Focus == xproto.InputFocusPointerRoot && k.within(p.Child):
		return 0, false, ErrNoFocus
	case p.Mask&held != 0:
		return 0, false, ErrHeld
	}
	return int(p.Mask >> 13 & 3), p.Mask&xproto.ModMaskLock != 0, nil
}

// ours tells whether a window is one of Inkshade, whose class is what its title was at first.
func (k *x11) ours(w xproto.Window) bool {
	class, err := xproto.GetProperty(k.Conn, false, w, xproto.AtomWmClass, xproto.AtomString, 0, 256).Reply()
	return err == nil && bytes.Contains(class.Value, []byte("\x00Inkshade"))
}

// press types keys in a row, and waits until the server has them.
func (k *x11) press(strokes []stroke, caps bool) error {
	shift, _ := k.key(symShift, 0)
	lock, hasLock := k.key(symCaps, 0)
	send := func(kind byte, code xproto.Keycode) {
		xtest.FakeInput(k.Conn, kind, byte(code), 0, k.root, 0, 0, 0)
	}
	tap := func(code xproto.Keycode) {
		send(xproto.KeyPress, code)
		send(xproto.KeyRelease, code)
	}
	f, err := xproto.GetInputFocus(k.Conn).Reply()
	if err != nil {
		return err
	}
	if caps && hasLock {
		tap(lock.code)
	}
	for _, s := range strokes {
		if s.shift {
			send(xproto.KeyPress, shift.code)
		}
		tap(s.code)
		if s.shift {
			send(xproto.KeyRelease, shift.code)
		}
	}
	if caps && hasLock {
		tap(lock.code)
	}
	if _, err := xproto.GetInputFocus(k.Conn).Reply(); err != nil { // which comes when the keys are there
		return message.Errorf("the display did not take the keys: %w", err)
	}
	k.focus, k.touched = f.Focus, false
	return nil
}

// settle waits until the program that has the focus has read the keys that were typed.
func (k *x11) settle() error {
	window, ok := k.pingable()
	if !ok {
		time.Sleep(time.Until(k.typed.Add(settles)))
		return nil
	}
	k.pings++
	if err := k.tell(window, xproto.EventMaskNoEvent, window, "WM_PROTOCOLS", uint32(k.atom("_NET_WM_PING")), k.pings, uint32(window)); err != nil {
		return err
	}
	for since := time.Now(); k.pinged != k.pings && time.Since(since) < answers; time.Sleep(time.Millisecond) {
		k.events()
	}
	return nil
}

// pingable finds the window that answers pings for the one that has the focus.
func (k *x11) pingable() (xproto.Window, bool) {
	f, err := xproto.GetInputFocus(k.Conn).Reply()
	for err == nil && f.Focus > xproto.InputFocusPointerRoot && f.Focus != k.root {
		if slices.Contains(k.property(f.Focus, "WM_PROTOCOLS", xproto.AtomAtom), uint32(k.atom("_NET_WM_PING"))) {
			return f.Focus, true
		}
		var tree *xproto.QueryTreeReply
		if tree, err = xproto.QueryTree(k.Conn, f.Focus).Reply(); err == nil {
			f.Focus = tree.Parent
		}
	}
	return 0, false
}

// events takes what the server has told meanwhile.
func (k *x11) events() {
	for {
		e, err := k.Conn.PollForEvent()
		switch e := e.(type) {
		case nil:
			if err == nil {
				return
			}
		case xproto.MappingNotifyEvent:
			k.changed = true
		case xproto.ClientMessageEvent:
			if d := e.Data.Data32; e.Type == k.atom("WM_PROTOCOLS") && len(d) > 1 && d[0] == uint32(k.atom("_NET_WM_PING")) {
				k.pinged = d[1]
			}
		}
	}
}

func (k *x11) Touched() bool {
	keys, err := xproto.QueryKeymap(k.Conn).Reply()
	focus, problem := xproto.GetInputFocus(k.Conn).Reply()
	pointer, failed := xproto.QueryPointer(k.Conn, k.root).Reply()
	if cmp.Or(err, problem, failed) != nil {
		return true
	}
	const buttons = xproto.ButtonMask1 | xproto.ButtonMask2 | xproto.ButtonMask3
	k.touched = k.touched || focus.Focus != k.focus || slices.ContainsFunc(keys.Keys, func(b byte) bool { return b != 0 }) ||
		pointer.Mask&buttons != 0 && !k.within(pointer.Child)
	return k.touched
}

func (k *x11) Moved() bool {
	f, err := xproto.GetInputFocus(k.Conn).Reply()
	return err == nil && f.Focus != k.focus
}

// within tells whether our own window lies in a window of the desktop.
func (k *x11) within(top xproto.Window) bool {
	for w := k.own; w != 0; {
		tree, err := xproto.QueryTree(k.Conn, w).Reply()
		if w == top || err != nil {
			return w == top
		}
		w = tree.Parent
	}
	return false
}

func (k *x11) Close() error {
	defer k.Conn.Close()
	if k.typed.IsZero() {
		return nil
	}
	err := k.settle()
	for _, l := range k.spare {
		if l.char != 0 {
			err = errors.Join(err, k.put(l.code, 0))
		}
	}
	return errors.Join(err, xproto.DeletePropertyChecked(k.Conn, k.root, k.atom(borrowed)).Check())
}
