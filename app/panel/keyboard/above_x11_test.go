//go:build unix && !darwin

package keyboard

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/jezek/xgb/xproto"
)

// managed starts a window manager on a display, which is DISPLAY from then on, and gives a connection to it.
func managed(t *testing.T, name string) display {
	t.Helper()
	t.Setenv("DISPLAY", name)
	manager := exec.Command("openbox", "--sm-disable")
	manager.Env = append(os.Environ(), "DISPLAY="+name, "XDG_CONFIG_HOME="+t.TempDir())
	start(t, manager)
	d, err := openDisplay("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	until(t, "there is a window manager", func() bool { return len(d.property(d.root, "_NET_SUPPORTING_WM_CHECK", xproto.AtomWindow)) == 1 })
	return d
}

// What no program would get is not typed: neither before there is one nor after it is gone, but while it is there.
func TestNothingIsTypedWhereNoProgramHasTheKeyboard(t *testing.T) {
	display := server(t)
	managed(t, display)
	k := opened(t, display)
	refused := func() bool { n, err := k.Type("lost"); return n == 0 && Passes(err) }
	until(t, "nobody has the keyboard", refused)
	text := entry(t, display)
	until(t, "the entry has the keyboard", func() bool { n, err := k.Type("学"); return n == 1 && err == nil })
	typed(t, k, "生\n")
	until(t, "the entry is closed", func() bool { return strings.HasSuffix(text(), "\n") })
	if got := text(); got != "学生\n" {
		t.Errorf("typed %q", got)
	}
	until(t, "nobody has the keyboard again", refused)
}

// Under a window manager a click on our window leaves the keyboard where it is.
func TestAWindowAboveLeavesTheKeyboard(t *testing.T) {
	display := server(t)
	d := managed(t, display)
	conn := d.Conn
	screen := xproto.Setup(conn).DefaultScreen(conn)
	window := func() xproto.Window {
		w, err := xproto.NewWindowId(conn)
		if err != nil {
			t.Fatal(err)
		}
		xproto.CreateWindow(conn, screen.RootDepth, w, screen.Root, 0, 0, 300, 200, 0, xproto.WindowClassInputOutput, screen.RootVisual, 0, nil)
		xproto.MapWindow(conn, w)
		return w
	}
	hasKeyboard := func(w xproto.Window) func() bool {
		return func() bool {
			f, err := xproto.GetInputFocus(conn).Reply()
			return err == nil && f.Focus == w
		}
	}
	other := window()
	until(t, "the other program has the keyboard", func() bool {
		// A manager that has just started gives it to no window by itself.
		return hasKeyboard(other)() || d.ask(other, "_NET_ACTIVE_WINDOW", 2) != nil
	})
	above := Above()
	own := window()
	until(t, "our window, just shown, has the keyboard", hasKeyboard(own))
	if err := above(t.Context(), uintptr(own)); err != nil {
		t.Fatal(err)
	}
	until(t, "the keyboard is given back", hasKeyboard(other))
	if err := xproto.SetInputFocusChecked(conn, xproto.InputFocusPointerRoot, own, xproto.TimeCurrentTime).Check(); err != nil {
		t.Fatal(err)
	}
	until(t, "the keyboard is given back again", hasKeyboard(other))
	place, err := xproto.TranslateCoordinates(conn, own, screen.Root, 150, 100).Reply()
	if err != nil {
		t.Fatal(err)
	}
	if at, err := xproto.QueryPointer(conn, screen.Root).Reply(); err != nil || at.Child == 0 {
		t.Fatalf("pointer %v: %v", at, err)
	}
	for range 3 {
		command(t, display, "xdotool", "mousemove", strconv.Itoa(int(place.DstX)), strconv.Itoa(int(place.DstY)), "click", "1")
		if !hasKeyboard(other)() {
			t.Fatal("a click took the keyboard")
		}
	}
	k, err := openX11(display, uintptr(own))
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	typed(t, k, "a")
	command(t, display, "xdotool", "mousedown", "1")
	if k.Touched() {
		t.Error("a stroke on our own window counts as one elsewhere")
	}
	command(t, display, "xdotool", "mouseup", "1", "mousemove", "790", "590", "mousedown", "1")
	until(t, "a click elsewhere is told", k.Touched)
	command(t, display, "xdotool", "mouseup", "1")
}
