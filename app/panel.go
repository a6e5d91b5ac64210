package main

import (
	"errors"
	"log"
	"os"
	"os/exec"
	"slices"
	"strings"

	"fyne.io/fyne/v2/app"

	"inkshade/app/cli"
	"inkshade/app/panel"
	"inkshade/app/state"
	"inkshade/app/state/device"
	"inkshade/app/state/setting"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/glcompute"
	"inkshade/models"
)

// openPanel shows the panel and returns when it is closed. It learns into the collection that the window opened last, and reads by
// the model that was chosen in the panel last, or what was trained from it.
func openPanel(o cli.WindowOptions) error {
	leaveConsole()
	describe()
	dropUnreadable()
	log.SetOutput(&complaints{to: log.Writer()})
	a := app.New()
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
	if words, _, failed := book.ActiveModel(models.Words, nil); words != nil {
		err = errors.Join(err, failed, engine.UseWords(words))
	}
	if err == nil {
		err = panel.Run(a, panel.Options{Engine: engine, Appearance: widget.Appearance(o.Appearance), Book: book, Models: all, Model: model})
	}
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
func startPanel(o cli.WindowOptions) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	var args []string
	if o.DataDir != "" {
		args = append(args, "--data-dir", o.DataDir)
	}
	panel := exec.Command(program, append([]string{"panel"}, args...)...)
	if err := panel.Start(); err != nil {
		return err
	}
	go func() { _ = panel.Wait() }() // a panel that ends is no zombie
	return nil
}
