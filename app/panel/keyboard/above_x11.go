//go:build unix && !darwin

package keyboard

import (
	"errors"
	"time"

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
	if f, err := xproto.GetInputFocus(conn).Reply(); err == nil {
		o.focus = f.Focus
	}
	root := xproto.Setup(conn).DefaultScreen(conn).Root
	if a, err := atomOf(conn, "_NET_ACTIVE_WINDOW"); err == nil {
		if p, err := xproto.GetProperty(conn, false, root, a, xproto.AtomWindow, 0, 1).Reply(); err == nil && len(p.Value) == 4 {
			o.active = xproto.Window(xgb.Get32(p.Value))
		}
	}
	return o
}

func atomOf(conn *xgb.Conn, name string) (xproto.Atom, error) {
	a, err := xproto.InternAtom(conn, false, uint16(len(name)), name).Reply()
	if err != nil {
		return 0, err
	}
	return a.Atom, nil
}

// Above keeps a window that is shown above the others and lets it take the keyboard no more, by the rules of the Inter-Client
// Communication Conventions Manual (4.1.7, "no input") and of Extended Window Manager Hints; the keyboard goes back to o. It takes
// half a second.
func (o *Owner) Above(own uintptr) error {
	conn, err := xgb.NewConn()
	if err != nil {
		return message.Errorf("the window cannot be kept above the others: %w", err)
	}
	defer conn.Close()
	window, root := xproto.Window(own), xproto.Setup(conn).DefaultScreen(conn).Root
	const inputHint, stateHint, normalState = 1, 2, 1
	hints := make([]byte, 9*4) // flags, input (no), initial state; the rest is not said
	xgb.Put32(hints, inputHint|stateHint)
	xgb.Put32(hints[8:], normalState)
	err = xproto.ChangePropertyChecked(conn, xproto.PropModeReplace, window, xproto.AtomWmHints, xproto.AtomWmHints, 32, 9, hints).Check()
	const add, ofPager = 1, 2
	err = errors.Join(err, tell(conn, root, window, "_NET_WM_STATE", add, "_NET_WM_STATE_ABOVE"))
	if o == nil || err != nil {
		return err
	}
	// The toolkit takes the keyboard for a new window, now or a little later.
	for end := time.Now().Add(settles); time.Now().Before(end); time.Sleep(WatchEvery) {
		switch f, problem := xproto.GetInputFocus(conn).Reply(); {
		case problem != nil:
			return problem
		case f.Focus != window:
		case o.active != 0 && o.active != window:
			err = tell(conn, root, o.active, "_NET_ACTIVE_WINDOW", ofPager, "")
		case o.focus > xproto.InputFocusPointerRoot && o.focus != window:
			err = xproto.SetInputFocusChecked(conn, xproto.InputFocusPointerRoot, o.focus, xproto.TimeCurrentTime).Check()
		}
		if err != nil {
			return err
		}
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
