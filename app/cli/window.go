package cli

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"inkshade/models"
)

// windowFlags are the flags of the window, of the program without a command.
type windowFlags struct {
	options WindowOptions
	device  deviceFlag
	data    dataFlags
	trace   string
}

func (f *windowFlags) bind(cmd *cobra.Command) {
	fs := cmd.Flags()
	bindModel(cmd, &f.options.Model)
	f.device.bind(cmd)
	by := fs.Lookup("device")
	by.DefValue, by.Usage = "", "who answers: the best shaders, the processor, OpenGL 3.3 fragment shaders, OpenGL 4.3 compute shaders (who was chosen last time)"
	f.data.bind(cmd, fs)
	bindWord(cmd, &f.options.Appearance, "appearance", appearances, "of the window (what was chosen last time)")
}

// open opens the window, or says kindly why it cannot be opened. The toolkit would panic
// without a display, after it has printed a trace of its calls.
func (f *windowFlags) open(cmd *cobra.Command, show func(WindowOptions) error, system string, env func(string) string) error {
	if err := displayProblem(system, env, reachable); err != nil {
		return fmt.Errorf("%w; \"inkshade demo\" shows the same work without a window, and \"inkshade --help\" lists the other commands", err)
	}
	if f.trace != "" {
		file, err := os.Create(f.trace)
		if err != nil {
			return explainWriting(f.trace, err)
		}
		defer file.Close()
		f.options.Trace = file
	}
	f.options.Model, f.options.Device = models.Named(f.options.Model), f.device.kind
	f.options.DataDir, f.options.Collection = f.data.dir, f.data.collection
	f.options.ModelGiven = cmd.Flags().Changed("model")
	f.options.DeviceGiven = cmd.Flags().Changed("device")
	return show(f.options)
}

var appearances = []string{"system", "light", "dark"}

// displayProblem says why no window can be shown, nil when nothing speaks against it.
// Windows and macOS always have a display as far as a program can tell beforehand.
func displayProblem(system string, env func(string) string, reach func(network, address string) error) error {
	if system == "windows" || system == "darwin" {
		return nil
	}
	display := env("DISPLAY")
	if display == "" {
		if env("WAYLAND_DISPLAY") != "" {
			return errors.New("no window: this Wayland session offers no X11 display (DISPLAY is not set); switch Xwayland on")
		}
		return errors.New("no window: there is no display here (DISPLAY and WAYLAND_DISPLAY are not set)")
	}
	network, address, ok := xServer(display)
	if !ok {
		return nil // a form of our own reading only; the toolkit may know it
	}
	if reach(network, address) == nil {
		return nil
	}
	return fmt.Errorf("no window: nothing answers at the display %q (DISPLAY); start an X server there or correct DISPLAY", display)
}

// xServer gives the socket of an X11 display name, [host]:display[.screen].
func xServer(display string) (network, address string, ok bool) {
	colon := strings.LastIndex(display, ":")
	if colon < 0 {
		return "", "", false
	}
	host := display[:colon]
	number, _, _ := strings.Cut(display[colon+1:], ".")
	var n int
	if _, err := fmt.Sscanf(number, "%d", &n); err != nil || n < 0 {
		return "", "", false
	}
	switch {
	case host == "" || host == "unix":
		return "unix", fmt.Sprintf("/tmp/.X11-unix/X%d", n), true
	case strings.HasPrefix(host, "/"):
		return "", "", false
	}
	return "tcp", fmt.Sprintf("%s:%d", host, 6000+n), true
}

// reachable tries the socket. A local X server listens on an abstract socket, too, which
// is the only one inside some sandboxes.
func reachable(network, address string) error {
	dial := func(address string) error {
		c, err := net.DialTimeout(network, address, 2*time.Second)
		if err != nil {
			return err
		}
		return c.Close()
	}
	err := dial(address)
	if err != nil && network == "unix" && runtime.GOOS == "linux" {
		return dial("@" + address)
	}
	return err
}
