//go:build unix && !darwin

package keyboard

import (
	"context"
	"errors"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"inkshade/glcompute/message"
)

// display is a connection to an X server.
type display struct {
	*xgb.Conn
	root  xproto.Window
	atoms map[string]xproto.Atom
}

// openDisplay connects to an X server; an empty name is that of DISPLAY.
func openDisplay(name string) (display, error) {
	conn, err := xgb.NewConnDisplay(name)
	if err != nil {
		return display{}, err
	}
	return display{conn, xproto.Setup(conn).DefaultScreen(conn).Root, map[string]xproto.Atom{}}, nil
}

// atom is the number of a name; 0 where the server gives none, which then fails what it is for.
func (d display) atom(name string) xproto.Atom {
	if d.atoms[name] == 0 {
		if a, err := xproto.InternAtom(d.Conn, false, uint16(len(name)), name).Reply(); err == nil {
			d.atoms[name] = a.Atom
		}
	}
	return d.atoms[name]
}

// property gives the values of a window's property; none where it has no such.
func (d display) property(w xproto.Window, name string, kind xproto.Atom) (values []uint32) {
	p, err := xproto.GetProperty(d.Conn, false, w, d.atom(name), kind, 0, 256).Reply()
	if err != nil {
		return nil
	}
	for data := p.Value; len(data) >= 4; data = data[4:] {
		values = append(values, xgb.Get32(data))
	}
	return values
}

func (d display) tell(to xproto.Window, mask uint32, about xproto.Window, kind string, data ...uint32) error {
	data = append(data, make([]uint32, 5-len(data))...)
	e := xproto.ClientMessageEvent{Format: 32, Window: about, Type: d.atom(kind), Data: xproto.ClientMessageDataUnionData32New(data)}
	return xproto.SendEventChecked(d.Conn, false, to, mask, string(e.Bytes())).Check()
}

// ask asks the window manager for something about a window.
func (d display) ask(about xproto.Window, kind string, data ...uint32) error {
	return d.tell(d.root, xproto.EventMaskSubstructureNotify|xproto.EventMaskSubstructureRedirect, about, kind, data...)
}

// owner is who had the keyboard last, but for a window of ours.
type owner struct {
	focus, active xproto.Window
}

// Above is to be asked before a window is shown, which takes the keyboard for a moment. It gives what keeps the window, once it is
// shown, above the others and lets it take the keyboard no more.
func Above() func(ctx context.Context, own uintptr) error {
	o := &owner{}
	if d, err := openDisplay(""); err == nil {
		defer d.Close()
		o.look(d, xproto.WindowNone)
	}
	return o.above
}

// look remembers who has the keyboard, unless it is a window of ours.
func (o *owner) look(d display, own xproto.Window) {
	if f, err := xproto.GetInputFocus(d.Conn).Reply(); err == nil && f.Focus > xproto.InputFocusPointerRoot && f.Focus != own {
		o.focus = f.Focus
	}
	if active := d.property(d.root, "_NET_ACTIVE_WINDOW", xproto.AtomWindow); len(active) == 1 && xproto.Window(active[0]) != own {
		o.active = xproto.Window(active[0])
	}
}

// above goes by the rules of the Inter-Client Communication Conventions Manual (4.1.7, "no input") and of Extended Window Manager
// Hints. Until ctx ends the keyboard goes back to who had it last whenever the window gets it all the same: the toolkit takes it for
// a new window, sooner or later.
func (o *owner) above(ctx context.Context, own uintptr) error {
	d, err := openDisplay("")
	if err != nil {
		return message.Errorf("the window cannot be kept above the others: %w", err)
	}
	window := xproto.Window(own)
	const inputHint, stateHint, normalState = 1, 2, 1
	hints := make([]byte, 9*4) // flags, input (no), initial state; the rest is not said
	xgb.Put32(hints, inputHint|stateHint)
	xgb.Put32(hints[8:], normalState)
	err = xproto.ChangePropertyChecked(d.Conn, xproto.PropModeReplace, window, xproto.AtomWmHints, xproto.AtomWmHints, 32, 9, hints).Check()
	const add = 1
	err = errors.Join(err, d.ask(window, "_NET_WM_STATE", add, uint32(d.atom("_NET_WM_STATE_ABOVE"))),
		xproto.ChangeWindowAttributesChecked(d.Conn, window, xproto.CwEventMask, []uint32{xproto.EventMaskFocusChange}).Check())
	if err != nil {
		d.Close()
		return err
	}
	context.AfterFunc(ctx, d.Close)
	err = o.giveBack(d, window) // of what happened before events came
	go func() {
		for {
			if e, problem := d.WaitForEvent(); e == nil && problem == nil {
				return
			}
			_ = o.giveBack(d, window) // the window that had the keyboard may be gone
		}
	}()
	return err
}

// giveBack makes who had the keyboard last have it, where it is the window's.
func (o *owner) giveBack(d display, window xproto.Window) error {
	f, err := xproto.GetInputFocus(d.Conn).Reply()
	if err != nil {
		return err
	}
	o.look(d, window)
	switch {
	case f.Focus != window:
		return nil
	case o.active != 0:
		const ofPager = 2
		return d.ask(o.active, "_NET_ACTIVE_WINDOW", ofPager)
	case o.focus != 0:
		return xproto.SetInputFocusChecked(d.Conn, xproto.InputFocusPointerRoot, o.focus, xproto.TimeCurrentTime).Check()
	}
	return nil
}
