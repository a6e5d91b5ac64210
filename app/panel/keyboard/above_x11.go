//go:build unix && !darwin

package keyboard

import (
	"context"
	"errors"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"inkshade/glcompute/message"
)

// Owner is who had the keyboard before a window of ours was shown; nil where that cannot be known.
type Owner struct {
	focus, active xproto.Window
}

// CurrentOwner is to be asked before the window is shown, which takes the keyboard for a moment.
func CurrentOwner() *Owner {
	conn, err := xgb.NewConn()
	if err != nil {
		return nil
	}
	defer conn.Close()
	o := &Owner{}
	o.look(conn, xproto.WindowNone)
	return o
}

// look remembers who has the keyboard, unless it is a window of ours.
func (o *Owner) look(conn *xgb.Conn, own xproto.Window) {
	if f, err := xproto.GetInputFocus(conn).Reply(); err == nil && f.Focus > xproto.InputFocusPointerRoot && f.Focus != own {
		o.focus = f.Focus
	}
	a, err := atomOf(conn, "_NET_ACTIVE_WINDOW")
	if err != nil {
		return
	}
	p, err := xproto.GetProperty(conn, false, xproto.Setup(conn).DefaultScreen(conn).Root, a, xproto.AtomWindow, 0, 1).Reply()
	if err != nil || len(p.Value) != 4 {
		return
	}
	if active := xproto.Window(xgb.Get32(p.Value)); active != own {
		o.active = active
	}
}

func atomOf(conn *xgb.Conn, name string) (xproto.Atom, error) {
	a, err := xproto.InternAtom(conn, false, uint16(len(name)), name).Reply()
	if err != nil {
		return 0, err
	}
	return a.Atom, nil
}

// Above keeps a window that is shown above the others and lets it take the keyboard no more, by the rules of the Inter-Client
// Communication Conventions Manual (4.1.7, "no input") and of Extended Window Manager Hints. Until ctx ends the keyboard goes
// back to who had it last whenever the window gets it all the same: the toolkit takes it for a new window, sooner or later.
func (o *Owner) Above(ctx context.Context, own uintptr) error {
	conn, err := xgb.NewConn()
	if err != nil {
		return message.Errorf("the window cannot be kept above the others: %w", err)
	}
	window, root := xproto.Window(own), xproto.Setup(conn).DefaultScreen(conn).Root
	const inputHint, stateHint, normalState = 1, 2, 1
	hints := make([]byte, 9*4) // flags, input (no), initial state; the rest is not said
	xgb.Put32(hints, inputHint|stateHint)
	xgb.Put32(hints[8:], normalState)
	err = xproto.ChangePropertyChecked(conn, xproto.PropModeReplace, window, xproto.AtomWmHints, xproto.AtomWmHints, 32, 9, hints).Check()
	const add = 1
	err = errors.Join(err, tell(conn, root, window, "_NET_WM_STATE", add, "_NET_WM_STATE_ABOVE"),
		xproto.ChangeWindowAttributesChecked(conn, window, xproto.CwEventMask, []uint32{xproto.EventMaskFocusChange}).Check())
	if o == nil || err != nil {
		conn.Close()
		return err
	}
	context.AfterFunc(ctx, conn.Close)
	err = o.giveBack(conn, window) // of what happened before events came
	go func() {
		for {
			if e, problem := conn.WaitForEvent(); e == nil && problem == nil {
				return
			}
			_ = o.giveBack(conn, window) // the window that had the keyboard may be gone
		}
	}()
	return err
}

// giveBack makes who had the keyboard last have it, where it is the window's.
func (o *Owner) giveBack(conn *xgb.Conn, window xproto.Window) error {
	f, err := xproto.GetInputFocus(conn).Reply()
	if err != nil {
		return err
	}
	o.look(conn, window)
	switch {
	case f.Focus != window:
		return nil
	case o.active != 0:
		const ofPager = 2
		return tell(conn, xproto.Setup(conn).DefaultScreen(conn).Root, o.active, "_NET_ACTIVE_WINDOW", ofPager, "")
	case o.focus != 0:
		return xproto.SetInputFocusChecked(conn, xproto.InputFocusPointerRoot, o.focus, xproto.TimeCurrentTime).Check()
	}
	return nil
}

// tell asks the window manager for something about a window.
func tell(conn *xgb.Conn, root, window xproto.Window, kind string, how uint32, what string) error {
	about, err := atomOf(conn, kind)
	if err != nil {
		return err
	}
	data := []uint32{how, 0, 0, 0, 0}
	if what != "" {
		a, err := atomOf(conn, what)
		if err != nil {
			return err
		}
		data[1] = uint32(a)
	}
	e := xproto.ClientMessageEvent{Format: 32, Window: window, Type: about, Data: xproto.ClientMessageDataUnionData32New(data)}
	const mask = xproto.EventMaskSubstructureNotify | xproto.EventMaskSubstructureRedirect
	return xproto.SendEventChecked(conn, false, root, mask, string(e.Bytes())).Check()
}
