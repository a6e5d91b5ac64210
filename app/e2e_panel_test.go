//go:build e2e

package main

import (
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"

	"inkshade/recognizer/ink"
)

// terminal starts a program that keeps each character typed into it, and gives it the keyboard.
func (s *screen) terminal() (text func() string) {
	file := filepath.Join(s.t.TempDir(), "typed")
	xterm := s.command("xterm", "-u8", "-geometry", "80x8+700+0", "-e", "sh", "-c", "stty -icanon -echo; touch "+file+"; cat >"+file)
	xterm.Env = append(xterm.Env, "LC_ALL=C.UTF-8")
	if err := xterm.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		_ = xterm.Process.Kill()
		_ = xterm.Wait()
	})
	s.until("the terminal is ready", func() bool { _, err := os.Stat(file); return err == nil })
	s.xdotool("search", "--sync", "--onlyvisible", "--class", "xterm", "windowfocus", "--sync")
	return func() string {
		b, _ := os.ReadFile(file)
		return string(b)
	}
}

func (s *screen) until(what string, ok func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.picture("late")
			s.t.Fatalf("after %v it is not so that %s; the program said %s", patience, what, s.stderr.String())
		}
	}
}

// overTerminal opens the panel, which types at once, over a terminal that has the keyboard, and gives what was typed there and the window
// that has the keyboard.
func overTerminal(t *testing.T, args ...string) (s *screen, text func() string, focus func() string) {
	s = &screen{t: t, display: server(t)}
	text = s.terminal()
	focus = func() string { return strings.TrimSpace(s.xdotool("getwindowfocus")) }
	terminal := focus()
	config := t.TempDir()
	settings := filepath.Join(config, "fyne", "io.github.inkshade.app")
	if err := os.MkdirAll(settings, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(settings, "preferences.json"), []byte(`{"panel.typing": "at once"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s.app = exec.Command(program(t), append([]string{"panel", "--device", "cpu", "--appearance", "light"}, args...)...)
	s.app.Env = append(os.Environ(), "DISPLAY="+s.display, "WAYLAND_DISPLAY=", "LANG=en_GB.UTF-8", "XDG_CONFIG_HOME="+config, "INKSHADE_DATA_DIR="+t.TempDir(), "INKSHADE_DEBUG=1")
	s.app.Stderr = &s.stderr
	began := time.Now()
	if err := s.app.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.app.Process.Kill()
		_ = s.app.Wait()
		if strings.Contains(s.stderr.String(), "Error in Fyne call thread") {
			t.Errorf("a widget was touched from the wrong goroutine:\n%s", s.stderr.String())
		}
	})
	s.find(644, 436)
	t.Logf("the panel is there after %v", time.Since(began))
	s.xdotool("windowmove", "--sync", s.window, "0", "100")
	s.until("the terminal has the keyboard back", func() bool { return focus() == terminal })
	return s, text, focus
}

// connection gives one to the display, by which a pointer is moved without a program whose start would count.
func (s *screen) connection() *xgb.Conn {
	conn, err := xgb.NewConnDisplay(s.display)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(conn.Close)
	if err := xtest.Init(conn); err != nil {
		s.t.Fatal(err)
	}
	return conn
}

// stroke moves the pointer with its button held, and gives when that was lifted.
func (s *screen) stroke(conn *xgb.Conn, at []image.Point) time.Time {
	root := xproto.Setup(conn).DefaultScreen(conn).Root
	for i, p := range at {
		xtest.FakeInput(conn, xproto.MotionNotify, 0, 0, root, int16(p.X), int16(p.Y), 0)
		if i == 0 {
			xtest.FakeInput(conn, xproto.ButtonPress, 1, 0, root, 0, 0, 0)
		}
		conn.Sync()
		time.Sleep(4 * time.Millisecond)
	}
	lifted := time.Now()
	xtest.FakeInput(conn, xproto.ButtonRelease, 1, 0, root, 0, 0, 0)
	conn.Sync()
	return lifted
}

// hand gives what writes a digit on the panel, of one stroke, 80 pixels high.
func (s *screen) hand() func(label string, x int) time.Time {
	conn, digits := s.connection(), samples(s.t)
	return func(label string, x int) time.Time {
		stroke := digits[slices.IndexFunc(digits, func(d ink.Labelled) bool { return d.Label == label })].Ink[0]
		minX, minY, _, maxY, _ := ink.Ink{stroke}.Bounds()
		scale := 80 / (maxY - minY)
		var at []image.Point
		for _, p := range stroke {
			at = append(at, image.Pt(x+int((p.X-minX)*scale), 215+int((p.Y-minY)*scale)))
		}
		return s.stroke(conn, at)
	}
}

// layout chooses what the keys of the keyboard mean.
func (s *screen) layout(name string) {
	if out, err := s.command("setxkbmap", name).CombinedOutput(); err != nil {
		s.t.Fatalf("setxkbmap %s: %v %s", name, err, out)
	}
}

// press clicks at a place in the panel.
func (s *screen) press(x, y int) {
	s.xdotool("mousemove", strconv.Itoa(x), strconv.Itoa(100+y), "sleep", "0.05", "click", "1")
}

// TestPanelTypesIntoAnotherProgram writes digits by the pointer on the panel, which are typed in a terminal that keeps the
// keyboard all the time. INKSHADE_E2E_ROUNDS repeats it.
func TestPanelTypesIntoAnotherProgram(t *testing.T) {
	s, text, focus := overTerminal(t)
	terminal := focus()
	write := s.hand()
	var late []float64
	want := ""
	for range rounds() {
		for i, label := range []string{"2", "7"} {
			up := write(label, 40+i*100)
			want += label
			s.until("a digit is typed", func() bool { return len(text()) == len(want) })
			late = append(late, float64(time.Since(up))/1e6)
			if text() != want {
				s.picture("late")
				t.Fatalf("%q was typed where %q is wanted", text(), want)
			}
		}
		s.picture("panel")
		s.press(160, 406)
		want += " "
		s.until("the space is typed", func() bool { return text() == want })
		s.press(50, 406) // of what is finished nothing comes back
	}
	slices.Sort(late)
	t.Logf("typed after the pen was lifted, of %d: median %.0f ms, 95 of 100 within %.0f ms", len(late), late[len(late)/2], late[len(late)*95/100])
	if now := focus(); now != terminal {
		t.Errorf("the keyboard went from window %s to %s", terminal, now)
	}
}

// TestPanelTypesNothingIntoTheWindow writes a digit while Inkshade's own window has the keyboard; it waits for another program.
func TestPanelTypesNothingIntoTheWindow(t *testing.T) {
	s, text, focus := overTerminal(t)
	terminal := focus()
	window := s.command(program(t), "--device", "cpu")
	window.Env = append(window.Env, "WAYLAND_DISPLAY=", "XDG_CONFIG_HOME="+t.TempDir(), "INKSHADE_DATA_DIR="+t.TempDir())
	if err := window.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = window.Process.Kill()
		_ = window.Wait()
	})
	s.xdotool("search", "--sync", "--onlyvisible", "--name", "^Inkshade($| –)", "windowfocus", "--sync")
	s.xdotool("windowraise", s.window)
	s.hand()("2", 40)
	time.Sleep(2 * time.Second)
	s.picture("panel-waits")
	if focus() == terminal || text() != "" {
		t.Fatalf("%q was typed while the terminal had no keyboard", text())
	}
	s.xdotool("windowfocus", "--sync", terminal)
	s.until("the digit is typed into the terminal", func() bool { return text() == "2" })
}

// TestPanelTypesBehindWhatWasTypedByHand corrects a digit behind which a person typed letters, and writes another.
func TestPanelTypesBehindWhatWasTypedByHand(t *testing.T) {
	s, text, _ := overTerminal(t)
	write := s.hand()
	write("2", 40)
	s.until("a digit is typed", func() bool { return text() == "2" })
	s.xdotool("key", "--delay", "80", "a", "b")
	s.until("the letters are there", func() bool { return text() == "2ab" })
	s.press(20, 31)
	time.Sleep(time.Second)
	s.press(95, 350)
	time.Sleep(time.Second)
	s.picture("panel-kept")
	write("7", 140)
	s.until("the other digit is typed", func() bool { return len(text()) > len("2ab") })
	if text() != "2ab7" {
		t.Errorf("typed %q", text())
	}
}

// TestPanelReplacesAChineseCharacter writes a character into a square, takes its second candidate, and takes that back.
func TestPanelReplacesAChineseCharacter(t *testing.T) {
	s, text, _ := overTerminal(t, "--model", "chinese")
	line := func(x0, y0, x1, y1 float64) (l ink.Stroke) {
		for i := range 21 {
			at := float64(i) / 20
			l = append(l, ink.Point{X: x0 + at*(x1-x0), Y: y0 + at*(y1-y0)})
		}
		return l
	}
	s.draw(ink.Ink{line(0, 50, 100, 50), line(50, 0, 50, 100)}, 40, 195, 110)
	s.until("the character is typed", func() bool { return strings.HasSuffix(text(), "十") })
	before := text()
	s.press(95, 350)
	s.until("another is typed in its place", func() bool {
		now, replaced := strings.CutPrefix(text(), before+"\x7f")
		return replaced && utf8.RuneCountInString(now) == 1
	})
	s.picture("panel-chinese")
	s.press(50, 406)
	s.until("it is back", func() bool { return strings.HasSuffix(text(), "\x7f十") })
}
