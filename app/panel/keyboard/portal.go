//go:build unix && !darwin

package keyboard

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"inkshade/glcompute/message"
)

// The desktop portal lets a program type after a person has agreed, in sessions of Wayland as of X11:
// https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.RemoteDesktop.html
const (
	portalName    = "org.freedesktop.portal.Desktop"
	portalPath    = "/org/freedesktop/portal/desktop"
	remoteDesktop = "org.freedesktop.portal.RemoteDesktop."
	typesKeyboard = uint32(1) // of devices
	untilRevoked  = uint32(2) // how long permission is kept
)

// portal types through the desktop portal.
type portal struct {
	conn    *dbus.Conn
	desktop dbus.BusObject
	answers chan *dbus.Signal // of the portal, to requests
	session dbus.ObjectPath
	typed   time.Time
}

// openPortal asks for permission, which takes as long as a person does; ctx ends that.
func openPortal(ctx context.Context, address string, permission Permission) (Keyboard, error) {
	conn, err := dbus.Connect(address, dbus.WithContext(context.WithoutCancel(ctx)))
	if err != nil {
		return nil, message.Errorf("%w (no message bus: %w)", ErrNone, err)
	}
	p := &portal{conn: conn, desktop: conn.Object(portalName, portalPath), answers: make(chan *dbus.Signal, 4)}
	conn.Signal(p.answers)
	err = conn.AddMatchSignal(dbus.WithMatchInterface("org.freedesktop.portal.Request"), dbus.WithMatchMember("Response"))
	if err == nil {
		err = p.begin(ctx, permission)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return p, nil
}

func (p *portal) begin(ctx context.Context, permission Permission) error {
	answer, err := p.request(ctx, "CreateSession", map[string]dbus.Variant{"session_handle_token": dbus.MakeVariant("inkshade")})
	if err != nil {
		return err
	}
	handle, ok := answer["session_handle"].Value().(string)
	if !ok {
		return message.Errorf("%w (the desktop portal begins no session)", ErrNone)
	}
	p.session = dbus.ObjectPath(handle)
	devices := map[string]dbus.Variant{"types": dbus.MakeVariant(typesKeyboard), "persist_mode": dbus.MakeVariant(untilRevoked)}
	if permission.Token != "" {
		devices["restore_token"] = dbus.MakeVariant(permission.Token)
	}
	if _, err := p.request(ctx, "SelectDevices", devices, p.session); err != nil {
		return err
	}
	if answer, err = p.request(ctx, "Start", map[string]dbus.Variant{}, p.session, ""); err != nil {
		return err
	}
	if token, ok := answer["restore_token"].Value().(string); ok && permission.Keep != nil {
		permission.Keep(token)
	}
	if granted, _ := answer["devices"].Value().(uint32); granted&typesKeyboard == 0 {
		return message.Errorf("%w (typing was not allowed)", ErrNone)
	}
	return nil
}

// request calls a method, once, whose answer comes later, as a signal of an object that is named beforehand.
func (p *portal) request(ctx context.Context, method string, options map[string]dbus.Variant, args ...any) (map[string]dbus.Variant, error) {
	token := "inkshade" + method
	options["handle_token"] = dbus.MakeVariant(token)
	path := dbus.ObjectPath(portalPath + "/request/" + strings.ReplaceAll(p.conn.Names()[0][1:], ".", "_") + "/" + token)
	if err := p.desktop.CallWithContext(ctx, remoteDesktop+method, 0, append(args, options)...).Err; err != nil {
		return nil, message.Errorf("%w (%s: %w)", ErrNone, method, err)
	}
	for {
		select {
		case s := <-p.answers:
			if s == nil {
				return nil, message.Errorf("%w (the message bus is gone)", ErrNone)
			}
			if s.Path != path || len(s.Body) != 2 {
				continue
			}
			results, _ := s.Body[1].(map[string]dbus.Variant)
			if status, _ := s.Body[0].(uint32); status != 0 {
				return nil, message.Errorf("%w (typing was not allowed)", ErrNone)
			}
			return results, nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// Type implements Keyboard: it presses and releases keys by their keysyms.
func (p *portal) Type(text string) (n int, err error) {
	return each(text, func(r rune) error {
		for _, state := range []uint32{1, 0} {
			err := p.desktop.Call(remoteDesktop+"NotifyKeyboardKeysym", 0, p.session, map[string]dbus.Variant{}, int32(symOf(r)), state).Err
			if err != nil {
				return message.Errorf("the desktop did not take the keys: %w", err)
			}
		}
		p.typed = time.Now()
		return nil
	})
}

// Touched implements Keyboard: the portal does not tell what a person types.
func (p *portal) Touched() bool { return time.Since(p.typed) > unwatched }

func (p *portal) Moved() bool { return false }

func (p *portal) Close() error {
	err := p.conn.Object(portalName, p.session).Call("org.freedesktop.portal.Session.Close", 0).Err
	return errors.Join(err, p.conn.Close())
}
