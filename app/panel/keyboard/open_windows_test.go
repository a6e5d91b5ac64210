package keyboard

import (
	"os/exec"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"
)

// notepad starts the program, gives it the keyboard, and gives what stands in it.
func notepad(t *testing.T) (text func() string) {
	t.Helper()
	cmd := exec.Command("notepad")
	if err := cmd.Start(); err != nil {
		t.Skipf("there is no notepad: %v", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	user32 := windows.NewLazySystemDLL("user32.dll")
	find, send := user32.NewProc("FindWindowExW"), user32.NewProc("SendMessageW")
	child := func(of uintptr, class string) (found uintptr) {
		name, err := windows.UTF16PtrFromString(class)
		if err != nil {
			t.Fatal(err)
		}
		found, _, _ = find.Call(of, 0, uintptr(unsafe.Pointer(name)), 0)
		return found
	}
	var window, edit uintptr
	until(t, "notepad is there", func() bool {
		window = child(0, "Notepad")
		edit = child(window, "Edit")
		return window != 0 && edit != 0
	})
	until(t, "notepad has the keyboard", func() bool {
		_, _, _ = setForegroundWindow.Call(window)
		now, _, _ := getForegroundWindow.Call()
		return now == window
	})
	return func() string {
		const getText = 0x0d // WM_GETTEXT
		var units [4096]uint16
		n, _, _ := send.Call(edit, getText, uintptr(len(units)), uintptr(unsafe.Pointer(&units[0])))
		return strings.ReplaceAll(windows.UTF16ToString(units[:n]), "\r\n", "\n")
	}
}

func TestNotepadGetsEveryCharacterOnce(t *testing.T) {
	text := notepad(t)
	k, err := Open(t.Context(), 0, Permission{})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.SplitAfter(everything, "\n") {
		if n, err := k.Type(line); err != nil || n != len([]rune(line)) {
			t.Fatalf("%d characters were typed: %v", n, err)
		}
	}
	until(t, "all lines are there", func() bool { return strings.Count(text(), "\n") >= 4 })
	if got := text(); got != everything {
		t.Errorf("typed\n%s\nwant\n%s", got, everything)
	}
	if _, err := k.Type(strings.Repeat("\b", 2)); err != nil {
		t.Fatal(err)
	}
	if n, err := k.Type("学"); err != nil || n != 1 {
		t.Fatalf("%d characters were typed: %v", n, err)
	}
	want := string([]rune(everything)[:len([]rune(everything))-2]) + "学"
	until(t, "two characters are replaced", func() bool { return text() == want })
	if err := k.Close(); err != nil {
		t.Error(err)
	}
}
