//go:build unix && !darwin

package keyboard

import (
	"bufio"
	"context"
	"errors"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"
)

// desktop is a desktop portal that notes what is typed.
type desktop struct {
	conn    *dbus.Conn
	refuse  bool
	mu      sync.Mutex
	typed   []rune
	options []map[string]dbus.Variant // of SelectDevices
}

func (d *desktop) answer(sender dbus.Sender, options map[string]dbus.Variant, status uint32, results map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	path := dbus.ObjectPath(portalPath + "/request/" + strings.ReplaceAll(string(sender)[1:], ".", "_") + "/" + options["handle_token"].Value().(string))
	if err := d.conn.Emit(path, "org.freedesktop.portal.Request.Response", status, results); err != nil {
		return "", dbus.MakeFailedError(err)
	}
	return path, nil
}

func (d *desktop) CreateSession(sender dbus.Sender, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	return d.answer(sender, options, 0, map[string]dbus.Variant{"session_handle": dbus.MakeVariant("/session/1")})
}

func (d *desktop) SelectDevices(_ dbus.ObjectPath, sender dbus.Sender, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	d.mu.Lock()
	d.options = append(d.options, options)
	d.mu.Unlock()
	return d.answer(sender, options, 0, nil)
}

func (d *desktop) Start(_ dbus.ObjectPath, _ string, sender dbus.Sender, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	if d.refuse {
		return d.answer(sender, options, 1, nil)
	}
	return d.answer(sender, options, 0, map[string]dbus.Variant{"devices": dbus.MakeVariant(typesKeyboard), "restore_token": dbus.MakeVariant("next time")})
}

func (d *desktop) NotifyKeyboardKeysym(_ dbus.ObjectPath, _ map[string]dbus.Variant, sym int32, state uint32) *dbus.Error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case state == 0:
	case sym == symBackspace:
		d.typed = d.typed[:len(d.typed)-1]
	case sym == symReturn:
		d.typed = append(d.typed, '\n')
	default:
		d.typed = append(d.typed, rune(sym&^symUnicode))
	}
	return nil
}

func (d *desktop) text() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return string(d.typed)
}

// bus starts a message bus of its own, with a portal on it where d is not nil.
func bus(t *testing.T, d *desktop) (address string) {
	t.Helper()
	cmd := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	start(t, cmd)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("dbus-daemon does not start: %v", err)
	}
	address = strings.TrimSpace(line)
	if d == nil {
		return address
	}
	if d.conn, err = dbus.Connect(address); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.conn.Close() })
	if err := d.conn.Export(d, portalPath, strings.TrimSuffix(remoteDesktop, ".")); err != nil {
		t.Fatal(err)
	}
	if _, err := d.conn.RequestName(portalName, 0); err != nil {
		t.Fatal(err)
	}
	return address
}

func TestPortalTypesWhatIsAllowedOnce(t *testing.T) {
	d := &desktop{}
	address := bus(t, d)
	var token string
	for range 2 {
		k, err := openPortal(context.Background(), address, Permission{Token: token, Keep: func(next string) { token = next }})
		if err != nil {
			t.Fatal(err)
		}
		typed(t, k, everything)
		if k.Touched() {
			t.Error("touched at once")
		}
		_ = k.Close() // the portal of this test has no sessions to end
	}
	if got := d.text(); got != everything+everything {
		t.Errorf("typed\n%s", got)
	}
	if _, asked := d.options[0]["restore_token"]; asked || d.options[1]["restore_token"].Value() != "next time" || d.options[1]["persist_mode"].Value() != untilRevoked {
		t.Errorf("permission was asked for with %v", d.options)
	}
}

func TestPortalCorrects(t *testing.T) {
	d := &desktop{}
	k, err := openPortal(context.Background(), bus(t, d), Permission{})
	if err != nil {
		t.Fatal(err)
	}
	typed(t, k, "学生")
	if _, err := k.Type("\b"); err != nil {
		t.Fatal(err)
	}
	typed(t, k, "校\n")
	if got := d.text(); got != "学校\n" {
		t.Errorf("typed %q", got)
	}
}

func TestWithoutPermissionThereIsNoKeyboard(t *testing.T) {
	for name, address := range map[string]string{
		"refused":   bus(t, &desktop{refuse: true}),
		"no portal": bus(t, nil),
		"no bus":    "unix:path=/nonexistent/bus",
	} {
		if _, err := openPortal(context.Background(), address, Permission{}); !errors.Is(err, ErrNone) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	patience := errors.New("closed")
	cancel(patience)
	if _, err := openPortal(ctx, bus(t, &desktop{}), Permission{}); err == nil {
		t.Error("a cancelled request was granted")
	}
}
