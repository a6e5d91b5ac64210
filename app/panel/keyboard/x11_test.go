//go:build unix && !darwin

package keyboard

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// server starts an X server of its own, and a window manager where there is one; it gives the display.
func server(t *testing.T) string {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset")
	cmd.ExtraFiles = []*os.File{write}
	start(t, cmd)
	_ = write.Close()
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb does not start: %v", err)
	}
	return ":" + strings.TrimSpace(number)
}

func start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("%s: %s", filepath.Base(cmd.Path), said.String())
		}
	})
}

// target is a program that has the keyboard and keeps what is typed into it.
func xterm(t *testing.T, display string) (text func() string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "typed")
	cmd := exec.Command("xterm", "-u8", "-e", "sh", "-c", "stty -echo; touch "+file+".ready; cat > "+file)
	cmd.Env = append(os.Environ(), "DISPLAY="+display, "LANG=C.UTF-8", "LC_ALL=C.UTF-8")
	start(t, cmd)
	until(t, "xterm is ready", func() bool { _, err := os.Stat(file + ".ready"); return err == nil })
	focus(t, display)
	return func() string {
		b, _ := os.ReadFile(file)
		return string(b)
	}
}

// focus gives the keyboard to the only window that can be seen.
func focus(t *testing.T, display string) {
	t.Helper()
	conn, err := xgb.NewConnDisplay(display)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	root := xproto.Setup(conn).DefaultScreen(conn).Root
	until(t, "a window has the keyboard", func() bool {
		tree, err := xproto.QueryTree(conn, root).Reply()
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range tree.Children {
			if a, err := xproto.GetWindowAttributes(conn, w).Reply(); err == nil && a.MapState == xproto.MapStateViewable {
				xproto.SetInputFocus(conn, xproto.InputFocusPointerRoot, w, xproto.TimeCurrentTime)
				return true
			}
		}
		return false
	})
}

func layout(t *testing.T, display string, args ...string) {
	t.Helper()
	if out, err := exec.Command("setxkbmap", append([]string{"-display", display}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("setxkbmap %v: %v %s", args, err, out)
	}
}

func TestEveryCharacterArrivesOnce(t *testing.T) {
	for _, name := range []string{"us", "de", "fr", "ru"} {
		t.Run(name, func(t *testing.T) {
			display := server(t)
			layout(t, display, name)
			text := xterm(t, display)
			k, err := openX11(display, 0)
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			n, err := k.Type(everything)
			if err != nil || n != len([]rune(everything)) {
				t.Fatalf("%d characters were typed: %v", n, err)
			}
			t.Logf("%d characters in %v", n, time.Since(began))
			until(t, "all lines are there", func() bool { return strings.Count(text(), "\n") >= 4 })
			if got := text(); got != everything {
				t.Errorf("typed\n%s\nwant\n%s", got, everything)
			}
			if err := k.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// entry is a program of GTK that prints what was typed into it at Enter.
func entry(t *testing.T, display string) (text func() string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "typed")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("zenity", "--entry")
	cmd.Stdout = out
	cmd.Env = append(os.Environ(), "DISPLAY="+display, "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "GTK_IM_MODULE=simple", "GDK_BACKEND=x11", "NO_AT_BRIDGE=1")
	start(t, cmd)
	focus(t, display)
	return func() string {
		b, _ := os.ReadFile(file)
		return string(b)
	}
}

func opened(t *testing.T, display string) Keyboard {
	t.Helper()
	k, err := openX11(display, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	})
	return k
}

func typed(t *testing.T, k Keyboard, text string) {
	t.Helper()
	if _, err := k.Type(text); err != nil {
		t.Fatal(err)
	}
}

func TestAnotherToolkitTakesEveryCharacter(t *testing.T) {
	for _, name := range []string{"us", "de", "fr", "ru"} {
		t.Run(name, func(t *testing.T) {
			display := server(t)
			layout(t, display, name)
			text := entry(t, display)
			k := opened(t, display)
			line := strings.ReplaceAll(strings.TrimSpace(everything), "\n", " ")
			typed(t, k, line+"\n")
			until(t, "the entry is closed", func() bool { return strings.HasSuffix(text(), "\n") })
			if got := strings.TrimSuffix(text(), "\n"); got != line {
				t.Errorf("typed\n%s\nwant\n%s", got, line)
			}
		})
	}
}

func TestCorrectionsReplaceWhatWasTyped(t *testing.T) {
	display := server(t)
	text := entry(t, display)
	k := opened(t, display)
	typed(t, k, "hallo 学生∑")
	if k.Touched() || k.Moved() {
		t.Error("touched by nobody")
	}
	if _, err := k.Type(strings.Repeat("\b", 9)); err != nil {
		t.Fatal(err)
	}
	typed(t, k, "ello 学∫\n")
	until(t, "the entry is closed", func() bool { return strings.HasSuffix(text(), "\n") })
	if got := text(); got != "ello 学∫\n" {
		t.Errorf("typed %q", got)
	}
	until(t, "the end of the window that was typed into is told", k.Touched)
	if !k.Moved() {
		t.Error("the window that was typed into has the focus still")
	}
}

// command runs a tool that acts as a person on a display.
func command(t *testing.T, display string, args ...string) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "DISPLAY="+display)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v %s", args, err, out)
	}
}

func TestCapsLockAndHeldKeysChangeNothing(t *testing.T) {
	display := server(t)
	text := xterm(t, display)
	k := opened(t, display)
	command(t, display, "xdotool", "key", "Caps_Lock")
	typed(t, k, "Straße ŁódŹ 5%\n")
	command(t, display, "xdotool", "key", "Caps_Lock")
	until(t, "the line is there", func() bool { return strings.Contains(text(), "\n") })
	if got := text(); got != "Straße ŁódŹ 5%\n" {
		t.Errorf("typed %q", got)
	}
	command(t, display, "xdotool", "keydown", "ctrl")
	if n, err := k.Type("c"); !Passes(err) || n != 0 {
		t.Errorf("while Ctrl was held %d characters were typed: %v", n, err)
	}
	if !k.Touched() {
		t.Error("a key is held, and that is not told")
	}
	command(t, display, "xdotool", "keyup", "ctrl")
}

// What a program that was killed left on keys is taken off by the next.
func TestBorrowedKeysAreGivenBack(t *testing.T) {
	display := server(t)
	xterm(t, display)
	k := opened(t, display).(*x11)
	free := len(k.spare)
	typed(t, k, "学生∑")
	killed, err := openX11(display, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(killed.(*x11).spare); got != free {
		t.Errorf("%d keycodes are free after a program was killed, %d before", got, free)
	}
	if err := killed.Close(); err != nil {
		t.Fatal(err)
	}
}

// A window of Inkshade gets nothing: its keys do what a person did not ask for.
func TestOurWindowsGetNothing(t *testing.T) {
	display := server(t)
	xterm(t, display)
	k := opened(t, display).(*x11)
	typed(t, k, "a")
	f, err := xproto.GetInputFocus(k.Conn).Reply()
	if err != nil {
		t.Fatal(err)
	}
	for class, ours := range map[string]bool{"any\x00Inkshade – mine\x00": true, "any\x00Inkshade: Write Anywhere\x00": true, "Inkshade.txt\x00XTerm\x00": false} {
		xproto.ChangeProperty(k.Conn, xproto.PropModeReplace, f.Focus, xproto.AtomWmClass, xproto.AtomString, 8, uint32(len(class)), []byte(class))
		if n, err := k.Type("b"); Passes(err) != ours || n > 0 == ours {
			t.Errorf("into a window of class %q %d characters were typed: %v", class, n, err)
		}
	}
}

func TestNoDisplay(t *testing.T) {
	if _, err := openX11(":4711", 0); err == nil {
		t.Error("a display that is not there was opened")
	}
}
