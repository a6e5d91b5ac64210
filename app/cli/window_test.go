package cli

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestDisplayProblem(t *testing.T) {
	refuse := func(string, string) error { return errors.New("refused") }
	accept := func(string, string) error { return nil }
	for _, c := range []struct {
		system, display, wayland string
		reach                    func(string, string) error
		want                     string // part of the problem; empty for none
	}{
		{"linux", "", "", accept, "DISPLAY and WAYLAND_DISPLAY are not set"},
		{"linux", "", "wayland-0", accept, "Xwayland"},
		{"linux", ":99", "", refuse, `nothing answers at the display ":99"`},
		{"linux", ":99", "", accept, ""},
		{"linux", "host:0.0", "", refuse, `"host:0.0"`},
		{"linux", "strange", "", refuse, ""},
		{"freebsd", "", "", accept, "not set"},
		{"windows", "", "", refuse, ""},
		{"darwin", "", "", refuse, ""},
	} {
		env := map[string]string{"DISPLAY": c.display, "WAYLAND_DISPLAY": c.wayland}
		err := displayProblem(c.system, func(k string) string { return env[k] }, c.reach)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s, display %q: unexpected problem: %v", c.system, c.display, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s, display %q: %v; want %q", c.system, c.display, err, c.want)
		}
	}
}

func TestXServer(t *testing.T) {
	for display, want := range map[string]string{
		":0":          "unix /tmp/.X11-unix/X0",
		":12.1":       "unix /tmp/.X11-unix/X12",
		"unix:3":      "unix /tmp/.X11-unix/X3",
		"there:10.0":  "tcp there:6010",
		"[::1]:2":     "tcp [::1]:6002",
		"nonsense":    "",
		":x":          "",
		"/tmp/q.sock": "",
	} {
		network, address, ok := xServer(display)
		if got := strings.TrimSpace(network + " " + address); got != want || ok != (want != "") {
			t.Errorf("%q: %q (%t), want %q", display, got, ok, want)
		}
	}
}

func TestTheWindowOpensOnlyWithADisplay(t *testing.T) {
	var opened []WindowOptions
	w := Window{Open: func(o WindowOptions) error { opened = append(opened, o); return nil }}
	none := func(string) string { return "" }
	f := windowFlags{options: WindowOptions{Model: "m", Appearance: "dark"}, device: deviceFlag{kind: "fragment"}, trace: t.TempDir() + "/trace"}
	err := f.open(&cobra.Command{}, w.Open, "linux", none)
	if len(opened) > 0 || err == nil || !strings.Contains(err.Error(), "inkshade demo") {
		t.Errorf("without a display: opened %v, error %v; want the sentence that names the demo", opened, err)
	}
	err = f.open(&cobra.Command{}, w.Open, "darwin", none)
	if err != nil || len(opened) != 1 || opened[0].Trace == nil {
		t.Fatalf("with a display: opened %v, error %v", opened, err)
	}
	if o := opened[0]; o.Model != "m" || o.Appearance != "dark" || o.Device != "fragment" {
		t.Errorf("the window opens with %+v", o)
	}
}

func TestTheWindowTakesFiles(t *testing.T) {
	t.Setenv("DISPLAY", "/known/to/the/toolkit:0")
	var opened []WindowOptions
	w := Window{Open: func(o WindowOptions) error { opened = append(opened, o); return nil }}
	file := t.TempDir() + "/a.inkml"
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
	}{{[]string{file}, statusOK}, {[]string{file + ".absent"}, statusUsage}, {[]string{file, file + ".absent"}, statusUsage}} {
		opened = nil
		if got := run(t.Context(), w, c.args, io.Discard, io.Discard); got != c.status || (len(opened) == 1) != (c.status == statusOK) {
			t.Errorf("%q: status %d, opened %+v; want status %d", c.args, got, opened, c.status)
		}
		if len(opened) == 1 && !slices.Equal(opened[0].Files, c.args) {
			t.Errorf("%q: the window takes %q", c.args, opened[0].Files)
		}
	}
}
