// Package cli is the command line: one file per command. It opens no window itself and
// imports no Fyne; what needs a window is handed in, so that every command works on a
// machine without a display.
package cli

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"inkshade"
	"inkshade/glcompute"
	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
)

// Window is what the command line asks of the window.
type Window struct {
	// Open shows the window and returns when it is closed.
	Open func(WindowOptions) error
	// Panel shows the panel that writes into other programs, and returns when it is closed.
	Panel func(WindowOptions) error
	// Picture draws the window with a drawing on it off screen.
	Picture func(ctx context.Context, drawing ink.Ink, o WindowOptions) (image.Image, error)
}

// WindowOptions say how the window opens.
type WindowOptions struct {
	Model       string               // name of a shipped model, or an ONNX file
	ModelGiven  bool                 // Model was asked for; else what was chosen last time may come before it
	DeviceGiven bool                 // the same of Device
	Device      glcompute.DeviceKind // who answers
	Appearance  string               // system, light, dark; empty takes what was chosen last time
	DataDir     string               // folder of the samples; empty takes the variable or the system's place
	Collection  string               // to open; empty takes the one that was open last time
	Trace       io.Writer            // receives a line of JSON per event; nil for none
	Files       []string             // paths, taken as if they had been dropped onto the window
}

const (
	statusOK     = 0
	statusFailed = 1
	statusUsage  = 2 // the command line itself cannot be understood
)

// Execute runs the command line of this process and gives its exit status. The first
// interrupt, or the end of the terminal, asks a running command to finish early; a second
// interrupt ends the process.
func Execute(w Window) int {
	if err := checkAddresses(); err != nil {
		fmt.Fprintf(os.Stderr, "inkshade: %v\n", err)
		return statusFailed
	}
	stopping := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		stopping = append(stopping, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), stopping...)
	defer stop()
	go func() {
		<-ctx.Done()
		signal.Ignore(syscall.SIGHUP) // a terminal that is closed says so more than once
		stop()
	}()
	if program, err := os.Executable(); err == nil {
		glcompute.CheckDriversBy(program, checkDriver)
	}
	return run(ctx, w, os.Args[1:], os.Stdout, os.Stderr)
}

func run(ctx context.Context, w Window, args []string, stdout, stderr io.Writer) int {
	root := newRoot(w)
	for _, list := range []string{"--data", "--test", "--ink", "--guard", "--calibration"} {
		args = spread(args, list)
	}
	root.SetArgs(args)
	out := &output{w: stdout}
	root.SetOut(out)
	stderr = &output{w: stderr}
	root.SetErr(stderr)
	refusingHelp(root)
	ran, err := root.ExecuteContextC(ctx)
	if out.err != nil && (err == nil || errors.Is(err, out.err)) {
		err = fmt.Errorf("cannot write the output: %w", files.Cause(out.err))
	}
	var usage usageError
	switch {
	case err == nil:
		return statusOK
	case errors.Is(err, errTold):
		return statusFailed
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "inkshade: %v. %q says what there is.\n", usage, ran.CommandPath()+" --help")
		return statusUsage
	case errors.Is(err, context.Canceled):
		err = errors.New("stopped on request")
		if !out.written {
			err = errors.New("stopped on request, before there was a result")
		}
	}
	fmt.Fprintf(stderr, "inkshade: %.2000v\n", err)
	return statusFailed
}

func newRoot(w Window) *cobra.Command {
	var f windowFlags
	root := &cobra.Command{
		Use:   "inkshade [FILE]...",
		Short: "Recognises handwriting on the GPU and learns yours",
		Long: `Inkshade recognises handwriting with a neural network in OpenGL shaders.
Without a command it opens its window, and takes files as if they were dropped onto it.
The commands do the same work without one.`,
		Version:       inkshade.About().Version,
		Args:          usage(filesOrNothing),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, files []string) error {
			for _, file := range files {
				path, err := filepath.Abs(file)
				if err != nil {
					return err
				}
				f.options.Files = append(f.options.Files, path)
			}
			return f.open(cmd, w.Open, runtime.GOOS, os.Getenv)
		},
	}
	f.bind(root)
	root.Flags().StringVar(&f.trace, "trace", "", "file for a line of JSON per event and its time; holds no ink")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
			like := &cobra.Command{SuggestionsMinimumDistance: 2} // which knows what names are alike
			cmd.Flags().VisitAll(func(f *pflag.Flag) {
				like.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
			})
			return usageError{fmt.Errorf("%w%s", err, perhaps(like, unknown.GetSpecifiedName(), "--"))}
		}
		return usageError{wrongValue(err)}
	})
	root.AddCommand(newRecognize(), newEval(), newTrain(), newCalibrate(), newPersonal(), newDevices(), newBench(), newDemo(w), newImport(), newExport(), newModels(), newCollections(), newPanel(w), newCheckDriver())
	refusing(root)
	fitting(root)
	return root
}

// refusing has a command, and those below it, take arguments as used unless it has a rule of its own; what is wrong before it runs is
// a usageError.
func refusing(cmd *cobra.Command) {
	if cmd.Args == nil {
		cmd.Args = asUsed
	}
	if cmd.PreRunE != nil {
		cmd.PreRunE = usage(cmd.PreRunE)
	}
	for _, below := range cmd.Commands() {
		refusing(below)
	}
}

// refusingHelp has help, and what shells are told, refuse names of no command.
func refusingHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Args = usage(func(_ *cobra.Command, args []string) error {
		if found, more, _ := root.Find(args); len(more) > 0 {
			return noCommand(found, more[0])
		}
		return nil
	})
	shells, _, _ := root.Find([]string{"completion"})
	shells.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	for _, cmd := range append(shells.Commands(), shells) {
		cmd.Args = asUsed
	}
}

// filesOrNothing refuses a first word that is neither command nor file, and names commands that
// are like it.
func filesOrNothing(root *cobra.Command, args []string) error {
	missing := slices.IndexFunc(args, func(path string) bool {
		_, err := os.Stat(path)
		return err != nil
	})
	if missing < 0 {
		return nil
	}
	if missing > 0 {
		return fmt.Errorf("there is no file %q", args[missing])
	}
	return noCommand(root, args[0])
}

func noCommand(above *cobra.Command, name string) error {
	return fmt.Errorf("there is no command %q%s", name, perhaps(above, name, ""))
}

// perhaps says which commands below one have a name like that.
func perhaps(above *cobra.Command, name, prefix string) string {
	above.SuggestionsMinimumDistance = 2
	names := above.SuggestionsFor(name)
	if len(names) == 0 {
		return ""
	}
	return "; perhaps " + prefix + strings.Join(names, " or "+prefix)
}

// wrongValue says in words what is wrong with a flag's value.
func wrongValue(err error) error {
	var number *strconv.NumError
	if !errors.As(err, &number) {
		return err
	}
	why := "that is no number"
	switch {
	case errors.Is(number, strconv.ErrRange):
		why = "that is out of range"
	case number.Func == "ParseBool":
		why = "use true or false"
	case number.Func != "ParseFloat":
		why = "that is no whole number"
	}
	return errors.New(strings.Replace(err.Error(), number.Error(), why, 1))
}

// usageError is a command line that cannot be understood.
type usageError struct{ error }

// usage turns what a rule reports into a usageError.
func usage(rule func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if err := rule(cmd, args); err != nil {
			return usageError{err}
		}
		return nil
	}
}

// asUsed is the rule of commands that have none of their own: they take the arguments that their use names, no fewer and no more.
func asUsed(cmd *cobra.Command, args []string) error {
	switch named := strings.Fields(cmd.Use)[1:]; {
	case cmd.HasSubCommands() && len(args) > 0:
		return usageError{noCommand(cmd, args[0])}
	case len(named) == 0:
		return usage(cobra.NoArgs)(cmd, args)
	case len(args) < len(named):
		return usageError{fmt.Errorf("%s is missing", named[len(args)])}
	case len(args) > len(named):
		return usageError{fmt.Errorf("%q is one too many, behind %s", args[len(named)], strings.Join(named, " "))}
	}
	return nil
}

// atLeastOne is the rule of commands that work on files.
func atLeastOne(what string) cobra.PositionalArgs {
	return usage(func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s is missing", what)
		}
		return nil
	})
}

// errTold stands for failures that have been reported one by one already.
var errTold = errors.New("some of the files could not be read")

// spread writes the flag again before every argument that follows its own, so that
// "--data A B --seed 1" means A and B and keeps them in order with those of a second --data.
func spread(args []string, flag string) []string {
	isFlag := func(a string) bool { return len(a) > 1 && a[0] == '-' }
	var out []string
	for i := 0; i < len(args); i++ {
		out = append(out, args[i])
		switch {
		case args[i] == "--":
			return append(out, args[i+1:]...)
		case args[i] == flag && i+1 < len(args):
			i++
			out = append(out, args[i])
		case !strings.HasPrefix(args[i], flag+"="):
			continue
		}
		for i+1 < len(args) && !isFlag(args[i+1]) {
			i++
			out = append(out, flag, args[i])
		}
	}
	return out
}
