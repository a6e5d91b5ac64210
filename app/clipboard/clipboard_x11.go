//go:build unix && !darwin

package clipboard

import (
	"errors"
	"fmt"
	"io"
	"log"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"inkshade/glcompute/message"
)

// The library tells of every display without a password.
func init() { xgb.Logger = log.New(io.Discard, "", 0) }

// Picture gives the picture on the clipboard as the file of one, nil where there is none. It asks the owner of
// the selection CLIPBOARD over a connection to the X server of its own, by the rules of the Inter-Client
// Communication Conventions Manual, section 2. It waits for the owner, which may be this program: not to be
// called on the goroutine of the window.
func Picture() ([]byte, error) {
	conn, err := xgb.NewConn()
	if err != nil {
		return nil, fmt.Errorf("clipboard: %w", err)
	}
	defer conn.Close()
	r := requestor{conn: conn, slow: time.AfterFunc(patience, conn.Close)}
	defer r.slow.Stop()
	if r.window, err = xproto.NewWindowId(conn); err == nil {
		screen := xproto.Setup(conn).DefaultScreen(conn)
		err = xproto.CreateWindowChecked(conn, 0, r.window, screen.Root, 0, 0, 1, 1, 0, xproto.WindowClassInputOnly,
			screen.RootVisual, xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange}).Check()
	}
	if err != nil {
		return nil, fmt.Errorf("clipboard: %w", err)
	}
	for _, kind := range []string{"image/png", "image/jpeg", "image/webp", "image/gif"} {
		file, err := r.ask(kind)
		if err != nil {
			return nil, fmt.Errorf("clipboard: %w", err)
		}
		if len(file) > 0 {
			return file, nil
		}
	}
	return nil, nil
}

// requestor asks for a selection, which comes as a property of its window.
type requestor struct {
	conn   *xgb.Conn
	window xproto.Window
	slow   *time.Timer // ends the connection, and with it all waiting
}

var errSilent = message.Errorf("the program that a picture was copied in does not give it")

func (r requestor) atom(name string) (xproto.Atom, error) {
	a, err := xproto.InternAtom(r.conn, false, uint16(len(name)), name).Reply()
	if err != nil || a == nil {
		return 0, errors.Join(errSilent, err)
	}
	return a.Atom, nil
}

// event waits for an event that ok accepts.
func (r requestor) event(ok func(xgb.Event) bool) error {
	r.slow.Reset(patience)
	for {
		e, problem := r.conn.WaitForEvent()
		switch {
		case problem != nil:
			return problem
		case e == nil:
			return errSilent
		case ok(e):
			return nil
		}
	}
}

// ask converts the selection to a type; nil where its owner, if any, does not know it.
func (r requestor) ask(kind string) ([]byte, error) {
	var atoms [4]xproto.Atom
	for i, name := range []string{"CLIPBOARD", kind, "INKSHADE_PICTURE", "INCR"} {
		var err error
		if atoms[i], err = r.atom(name); err != nil {
			return nil, err
		}
	}
	property := atoms[2]
	xproto.ConvertSelection(r.conn, r.window, atoms[0], atoms[1], property, xproto.TimeCurrentTime)
	given := false
	if err := r.event(func(e xgb.Event) bool {
		n, ok := e.(xproto.SelectionNotifyEvent)
		given = ok && n.Property == property
		return ok
	}); err != nil || !given {
		return nil, err
	}
	data, form, err := r.take(property)
	if err != nil || form != atoms[3] {
		return data, err
	}
	// A large one comes in pieces, each as soon as the one before is taken; the last is empty.
	for data = nil; ; {
		if err := r.event(func(e xgb.Event) bool {
			n, ok := e.(xproto.PropertyNotifyEvent)
			return ok && n.Atom == property && n.State == xproto.PropertyNewValue
		}); err != nil {
			return nil, err
		}
		piece, _, err := r.take(property)
		data = append(data, piece...)
		if err != nil || len(piece) == 0 {
			return data, err
		}
		if len(data) > most {
			return nil, message.Errorf("the picture has more than %d bytes; copy a smaller one", most)
		}
	}
}

// take reads the property and removes it.
func (r requestor) take(property xproto.Atom) ([]byte, xproto.Atom, error) {
	p, err := xproto.GetProperty(r.conn, true, r.window, property, xproto.GetPropertyTypeAny, 0, most/4).Reply()
	if err != nil || p == nil {
		return nil, 0, errors.Join(errSilent, err)
	}
	return p.Value, p.Type, nil
}
