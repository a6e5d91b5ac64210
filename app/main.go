// Command inkshade recognises handwriting on the GPU and learns yours. Without arguments it
// opens its window; "inkshade --help" lists what it does from the command line.
package main

import (
	"os"

	"inkshade/app/cli"
	_ "inkshade/app/locale"
)

func main() {
	os.Exit(cli.Execute(cli.Window{Open: openWindow, Panel: openPanel, Picture: drawPicture}))
}
