//go:build e2e

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// runProgram runs the built program to its end with these settings of the environment.
func runProgram(t *testing.T, env []string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, errs strings.Builder
	cmd := exec.Command(program(t), args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// The toolkit's packages must say nothing on standard error: scripts read it.
func TestCommandsSayNothingOfTheLocale(t *testing.T) {
	for _, locale := range []string{"C.UTF-8", "C", "", "de_DE.UTF-8"} {
		stdout, stderr, status := runProgram(t, []string{"LANG=" + locale, "LC_ALL=", "LANGUAGE="}, "--version")
		if status != 0 || stderr != "" || !strings.HasPrefix(stdout, "inkshade version") {
			t.Errorf("LANG=%s: status %d, stdout %q, stderr %q", locale, status, stdout, stderr)
		}
	}
}

func TestWithoutADisplayTheProgramSaysWhatToDo(t *testing.T) {
	for _, display := range []string{"", ":4711"} {
		_, stderr, status := runProgram(t, []string{"DISPLAY=" + display, "WAYLAND_DISPLAY=", "LANG=C.UTF-8"})
		if status != 1 || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "inkshade demo") {
			t.Errorf("DISPLAY=%q: status %d, stderr %q; want one sentence that names the demo", display, status, stderr)
		}
	}
}

// Of a display that refuses the program the toolkit says so by a panic.
func TestARefusingDisplayGivesASentence(t *testing.T) {
	for _, args := range [][]string{nil, {"panel"}} {
		_, stderr, status := runProgram(t, []string{"DISPLAY=garbage", "WAYLAND_DISPLAY=", "LANG=C.UTF-8", "XDG_CONFIG_HOME=" + t.TempDir(), "INKSHADE_DATA_DIR=" + t.TempDir()}, args...)
		if status != 1 || !strings.Contains(stderr, "no window: the display cannot be used") || strings.Contains(stderr, "goroutine") {
			t.Errorf("%v: status %d, stderr %q", args, status, stderr)
		}
	}
}

// Where OpenGL gives the window no context the program says so at once and shows the same work without one.
func TestWithoutOpenGLForTheWindowTheWorkIsShown(t *testing.T) {
	stdout, stderr, status := runProgram(t, []string{"DISPLAY=" + server(t), "LIBGL_DRIVERS_PATH=/nonexistent", "LANG=C.UTF-8", "XDG_CONFIG_HOME=" + t.TempDir(), "XDG_DATA_HOME=" + t.TempDir()})
	if status != 0 || !strings.Contains(stderr, "No window: OpenGL for it cannot be had here") || !strings.Contains(stdout, "10 of 10 right") {
		t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
}
