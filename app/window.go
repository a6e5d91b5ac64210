package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/test"

	"inkshade"
	"inkshade/app/cli"
	"inkshade/app/panel"
	"inkshade/app/state"
	"inkshade/app/state/device"
	"inkshade/app/state/setting"
	"inkshade/app/ui"
	"inkshade/app/ui/page"
	"inkshade/app/ui/settings"
	"inkshade/app/ui/widget"
	"inkshade/assets"
	"inkshade/glcompute"
	"inkshade/models"
	"inkshade/recognizer/ink"
)

// openWindow shows the window and returns when it is closed.
func openWindow(o cli.WindowOptions) (err error) {
	defer sayWithoutWindow(&err)
	a := newApp()
	var open page.Collection
	f, err := state.OpenFolder(o.DataDir)
	if err == nil {
		if open, err = page.OpenCollection(a, f, o.Collection); err != nil {
			return err
		}
	} else {
		problem := err // which the window tells
		open = page.Collection{Models: models.Names(), Open: func() (*state.Collection, error) { return nil, problem }}
	}
	if o.Model, err = open.Store.Resolve(o.Model); err != nil {
		return err
	}
	usual, former := o.Model, ""
	if !o.ModelGiven {
		o.Model, former = open.Model(usual), "digits-mlp" // of version 0.1
	}
	var choice device.Choice
	if !o.DeviceGiven {
		choice = settings.ChosenDevice(a)
	}
	devices := glcompute.Usual()
	if underWine() && !gpuChosen(o, choice) {
		devices.LeftOut = device.ErrUnderWine
	}
	if open.Folder != nil {
		open.Folder.Devices = devices.OpenOrCPU
	}
	opts := options(o, devices)
	opts.Collection, opts.Usual, opts.Former, opts.Choice = open, usual, former, choice
	return ui.Run(a, opts)
}

// sayWithoutWindow, deferred, makes an error of the panic of the toolkit when the display refuses it, for want of a permission, say.
func sayWithoutWindow(err *error) {
	r := recover()
	if no, ok := r.(noWindow); ok {
		*err = withoutWindow(no.cause)
	} else if r != nil {
		text := fmt.Sprint(r)
		if !strings.Contains(text, "GLFW") {
			panic(r)
		}
		*err = fmt.Errorf("no window: the display cannot be used (%s); \"inkshade demo\" shows the same work without one", text)
	}
}

// newApp makes the toolkit ready for a window.
func newApp() fyne.App {
	leaveConsole()
	describe()
	dropUnreadable()
	log.SetOutput(&complaints{to: log.Writer()})
	a := app.New()
	dir, err := settingsDir()
	if err != nil {
		return a
	}
	return shared{a, preferences{toolkitPreferences{a.Preferences()}, setting.InFiles(filepath.Join(dir, "settings"), a.Preferences())}}
}

// shared is an app whose settings several programs can change at once.
type shared struct {
	fyne.App
	preferences preferences
}

func (s shared) Preferences() fyne.Preferences { return s.preferences }

// preferences are those of the toolkit, of which none but the ones in files count.
type preferences struct {
	toolkitPreferences
	*setting.Files
}

type toolkitPreferences struct{ fyne.Preferences }

// settingsDir is where the toolkit keeps settings, but for macOS, where it keeps them elsewhere.
func settingsDir() (string, error) {
	config, err := os.UserConfigDir()
	return filepath.Join(config, "fyne", inkshade.About().ID), err
}

// noWindow ends the toolkit's loop where OpenGL gives it no window; by itself it would go on without one, for ever.
type noWindow struct{ cause string }

// withoutWindow says why there is no window and does the same work without one, in a process of its own: this one's
// devices are being opened.
func withoutWindow(cause string) error {
	fmt.Fprintf(os.Stderr, "No window: OpenGL for it cannot be had here (%s). The same work without a window:\n", cause)
	program, err := os.Executable()
	if err != nil {
		return err
	}
	demo := exec.Command(program, "demo", "--picture=")
	demo.Stdout, demo.Stderr = os.Stdout, os.Stderr
	return demo.Run()
}

// gpuChosen tells whether a person wants a GPU, for this start or in the settings.
func gpuChosen(o cli.WindowOptions, remembered device.Choice) bool {
	if o.DeviceGiven {
		return o.Device != glcompute.CPU
	}
	return remembered == device.ChooseGPU || remembered == device.ChooseFaster
}

// drawPicture draws the window with a drawing on it, without a display.
func drawPicture(ctx context.Context, drawing ink.Ink, o cli.WindowOptions) (image.Image, error) {
	trustThreads()
	return ui.Render(ctx, drawing, options(o, glcompute.Usual()))
}

// trustThreads switches off the toolkit's check of goroutines in a process that opens no
// window. The renderer without a display calls on the main goroutine what a window must
// call on others; the check would complain, and run it at the wrong time.
func trustThreads() {
	fyne.SetCurrentApp(migrated{})
	test.NewDriver().DoFromGoroutine(func() {}, true) // the first call looks at the app, once
}

// migrated is an app that says of itself that it needs no check.
type migrated struct{ fyne.App }

func (migrated) Metadata() fyne.AppMetadata {
	return fyne.AppMetadata{Migrations: map[string]bool{"fyneDo": true}}
}

func options(o cli.WindowOptions, devices glcompute.Options) ui.Options {
	return ui.Options{
		Engine:     device.New(o.Model, o.Device, devices.Open),
		Appearance: widget.Appearance(o.Appearance),
		Trace:      o.Trace,
		Files:      o.Files,
		Version:    inkshade.About().Version,
		Licence:    inkshade.Licence(),
		Panel: func(collection string, look widget.Appearance, by device.Choice) error {
			return startPanel(panelArguments(o, collection, look, by))
		},
		Size: fyne.NewSize(1280, 800),
	}
}

// dropUnreadable removes settings that a kill left empty or in part, of which the toolkit would complain on the terminal
// and go on without.
func dropUnreadable() {
	dir, err := settingsDir()
	if err != nil {
		return
	}
	path := filepath.Join(dir, "preferences.json")
	if content, err := os.ReadFile(path); err == nil && !json.Valid(content) {
		_ = os.Remove(path) // or the toolkit complains
	}
}

// complaints passes on what the toolkit writes on the terminal, but for those of settings that it reads while it writes
// them itself, where it keeps what it has, and of a home without a folder for videos. Those of settings that it cannot write become
// a sentence, once. That of a window that cannot be made becomes a panic with noWindow.
type complaints struct {
	to      io.Writer
	hidden  bool // the cause and the place of a complaint go with it
	refused bool // what comes next is why there is no window
	unkept  bool // settings cannot be written, which is said with the cause
	said    bool
}

// unkept are the complaints of settings that the toolkit cannot write.
var unkept = []string{"settings storage", "Settings watch error", "app storage space", "saving preferences"}

// Write implements io.Writer, for one line.
func (c *complaints) Write(line []byte) (int, error) {
	_, cause, ok := bytes.Cut(line, []byte("  Cause: "))
	if ok && c.refused {
		panic(noWindow{string(bytes.TrimSpace(cause))})
	}
	if ok && c.unkept && !c.said {
		c.said = true
		if _, err := fmt.Fprintf(c.to, "Settings are not kept: %s", cause); err != nil {
			return 0, err
		}
	}
	if c.refused = bytes.Contains(line, []byte("window creation error")); c.refused {
		return len(line), nil
	}
	c.unkept = slices.ContainsFunc(unkept, func(words string) bool { return bytes.Contains(line, []byte(words)) })
	c.hidden = c.unkept || bytes.Contains(line, []byte("Preferences load error")) || bytes.Contains(line, []byte("Getting favorite locations")) ||
		c.hidden && (bytes.Contains(line, []byte("  Cause: ")) || bytes.Contains(line, []byte("  At: ")))
	if c.hidden {
		return len(line), nil
	}
	return c.to.Write(line)
}

// describe tells the toolkit who we are. By itself it would look for FyneApp.toml in the
// current directory or beside the program, and find it only sometimes.
func describe() {
	about := inkshade.About()
	app.SetMetadata(fyne.AppMetadata{
		ID: about.ID, Name: about.Name, Version: about.Version, Build: about.Build,
		Icon: fyne.NewStaticResource("icon.png", assets.Icon()),
		// The check which goroutine touches a widget takes a quarter of the window's time.
		Migrations: map[string]bool{"fyneDo": os.Getenv("INKSHADE_DEBUG") == ""},
	})
}

// openPanel shows the panel and returns when it is closed. It learns into the collection that the window opened last, and reads by
// the model that was chosen in the panel last, or what was trained from it.
func openPanel(o cli.WindowOptions) (err error) {
	defer sayWithoutWindow(&err)
	a := newApp()
	folder, err := state.OpenFolder(o.DataDir)
	if err != nil {
		return err
	}
	open, err := page.OpenCollection(a, folder, o.Collection)
	if err != nil {
		return err
	}
	book, err := open.Open()
	if err != nil {
		return err
	}
	all := panelModels(open.Models)
	model := o.Model
	if !o.ModelGiven {
		model = setting.PanelModel.Get(a.Preferences())
	}
	switch model, err = book.Resolve(models.Named(model)); {
	case err != nil:
		return errors.Join(err, book.Close())
	case o.ModelGiven && !slices.Contains(all, model):
		all = append(all, model)
	case !slices.Contains(all, model): // it was removed
		model = setting.PanelModel.Default
	}
	engine := device.New(model, o.Device, glcompute.Open)
	engine.Remember(book.Memory)
	trained, _, err := book.ActiveModel(model, nil)
	if trained != nil {
		err = errors.Join(err, engine.Use(model, trained))
	}
	words, _, failed := book.ActiveModel(models.Words, nil)
	if words != nil {
		failed = engine.UseWords(words)
	}
	err = panel.Run(a, panel.Options{
		Engine: engine, Appearance: widget.Appearance(o.Appearance), Book: book, Models: all, Model: model, Trained: trained, Words: words,
		Problem: errors.Join(err, failed),
	})
	return errors.Join(err, book.Close())
}

// panelModels are the models that the panel offers: the best one that ships of those that read the same, and those from elsewhere.
func panelModels(all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(name string) bool {
		kind, _, _ := strings.Cut(name, "-")
		return models.Ships(name) && models.Named(kind) != name
	})
}

// startPanel opens the panel in a process of its own, which stays when the window is closed.
func startPanel(arguments []string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	panel := exec.Command(program, arguments...)
	if err := panel.Start(); err != nil {
		return err
	}
	go func() { _ = panel.Wait() }() // a panel that ends is no zombie
	return nil
}

// panelArguments open the panel with what the window has, whether that was given or chosen.
func panelArguments(o cli.WindowOptions, collection string, look widget.Appearance, by device.Choice) []string {
	arguments := []string{"panel", "--data-dir", o.DataDir, "--collection", collection, "--appearance", string(look)}
	switch {
	case by == device.ChooseCPU:
		return append(arguments, "--device", string(glcompute.CPU))
	case o.DeviceGiven && o.Device != glcompute.CPU:
		return append(arguments, "--device", string(o.Device))
	}
	return arguments
}
