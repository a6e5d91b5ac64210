//go:build e2e

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// xvfb is the one X server of these tests; it ends with them.
var xvfb *exec.Cmd

func TestMain(m *testing.M) {
	if dir := os.Getenv(insideFolder); dir != "" {
		os.Exit(runInside(dir))
	}
	status := m.Run()
	if xvfb != nil {
		_ = xvfb.Process.Kill()
		_ = xvfb.Wait()
	}
	os.Exit(status)
}

// startServer starts an X server that outlives its clients, and gives its display once a
// client was let in: a server has a number before it answers.
var startServer = sync.OnceValues(func() (string, error) {
	for _, tool := range []string{"Xvfb", "xdotool", "import"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", fmt.Errorf("%s is missing; .ci/setup test installs it", tool)
		}
	}
	read, write, err := os.Pipe()
	if err != nil {
		return "", err
	}
	// Kept open until the whole line is there: the server writes number and end of line
	// apart, and ends when nobody reads.
	defer read.Close()
	var said bytes.Buffer
	xvfb = exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1400x900x24", "-nolisten", "tcp", "-noreset")
	xvfb.ExtraFiles, xvfb.Stderr = []*os.File{write}, &said
	err = xvfb.Start()
	write.Close()
	if err != nil {
		return "", err
	}
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("Xvfb gave no display: %w\n%s", err, said.String())
	}
	display := ":" + strings.TrimSpace(number)
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		client := exec.Command("xdotool", "getdisplaygeometry")
		client.Env = append(os.Environ(), "DISPLAY="+display)
		out, err := client.CombinedOutput()
		if err == nil {
			return display, nil
		}
		if time.Now().After(deadline) {
			return "", fmt.Errorf("Xvfb lets no client in at %s: %w\n%s%s", display, err, out, said.String())
		}
	}
})

// server is the X server of INKSHADE_E2E_DISPLAY, or one of our own.
func server(t *testing.T) string {
	t.Helper()
	if given := os.Getenv("INKSHADE_E2E_DISPLAY"); given != "" {
		return given
	}
	display, err := startServer()
	if err != nil {
		t.Fatal(err)
	}
	return display
}
