package cli

import (
	"os"
	"runtime"

	"github.com/spf13/cobra"
)

func newPanel(w Window) *cobra.Command {
	var f windowFlags
	cmd := &cobra.Command{
		Use:   "panel",
		Short: "Write by hand into any program",
		Long: `Opens a small window that stays above the others and leaves the keyboard to the program
you work in: what you write on its paper is typed there, lines of words as well as Chinese
characters and LaTeX symbols in squares. Click a character to correct it; it is replaced
there as long as you typed nothing else, and learned. A stroke far to the left is Backspace,
one far to the right a space; scratching out deletes.

On X11 and Windows it types as a keyboard does. On Wayland the desktop asks once whether it
may; where it cannot, the text goes to the clipboard. Nothing that is typed is kept. Into a
password field it types what you write, which can be read on the paper.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.open(cmd, w.Panel, runtime.GOOS, os.Getenv)
		},
	}
	f.bind(cmd)
	return cmd
}
