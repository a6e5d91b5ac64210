//go:build e2e

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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

// TestPanelTypesIntoAnotherProgram writes digits by the pointer on the panel, which are typed in a terminal that keeps the
// keyboard all the time.
func TestPanelTypesIntoAnotherProgram(t *testing.T) {
	s := &screen{t: t, display: server(t)}
	text := s.terminal()
	focus := strings.TrimSpace(s.xdotool("getwindowfocus"))
	config := t.TempDir()
	settings := filepath.Join(config, "fyne", "io.github.inkshade.app")
	if err := os.MkdirAll(settings, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(settings, "preferences.json"), []byte(`{"panel.typing": "at once"}`), 0o600); err != nil { // at once
		t.Fatal(err)
	}
	s.app = exec.Command(program(t), "panel", "--device", "cpu", "--appearance", "light")
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
	s.find(640, 400)
	t.Logf("the panel is there after %v", time.Since(began))
	s.xdotool("windowmove", "--sync", s.window, "0", "100")
	s.until("the terminal has the keyboard back", func() bool { return strings.TrimSpace(s.xdotool("getwindowfocus")) == focus })
	const wanted = "27"
	digits := samples(t)
	var late []time.Duration
	for i, label := range strings.Split(wanted, "") {
		at := slices.IndexFunc(digits, func(d ink.Labelled) bool { return d.Label == label })
		up := s.draw(digits[at].Ink, 40+float64(i)*100, 215, 80)
		s.until("a digit is typed", func() bool { return len(text()) > i })
		if text() != wanted[:i+1] {
			s.picture("late")
			t.Fatalf("%q was typed where %q is wanted", text(), wanted[:i+1])
		}
		late = append(late, time.Since(up))
	}
	t.Logf("typed %v after the pen was lifted", late)
	s.picture("panel")
	if now := strings.TrimSpace(s.xdotool("getwindowfocus")); now != focus {
		t.Errorf("the keyboard went from window %s to %s", focus, now)
	}
}
