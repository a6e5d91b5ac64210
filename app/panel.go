package main

import (
	"cmp"
	"errors"
	"log"
	"os"
	"os/exec"
	"time"

	"fyne.io/fyne/v2/app"

	"inkshade/app/cli"
	"inkshade/app/panel"
	"inkshade/app/state"
	"inkshade/app/state/device"
	"inkshade/app/state/setting"
	"inkshade/app/ui/widget"
	"inkshade/glcompute"
	"inkshade/recognizer/ink"
	store "inkshade/recognizer/samples"
)

// openPanel shows the panel and returns when it is closed. It learns into the collection that the window opened last.
func openPanel(o cli.WindowOptions) error {
	leaveConsole()
	describe()
	dropUnreadable()
	log.SetOutput(&complaints{to: log.Writer()})
	a := app.New()
	if !o.ModelGiven {
		o.Model = "characters-cnn"
	}
	folder, err := state.OpenFolder(o.DataDir)
	if err != nil {
		return err
	}
	all, err := folder.Open(cmp.Or(o.Collection, setting.Collection.Get(a.Preferences())))
	if err != nil {
		return err
	}
	engine := device.New(o.Model, o.Device, glcompute.Open)
	engine.Remember(all.Memory)
	err = panel.Run(a, panel.Options{
		Engine: engine, Appearance: widget.Appearance(o.Appearance),
		Teach: func(k ink.Ink, label string) error {
			err := all.Keep(&store.Sample{Label: label, Ink: k, Time: time.Now().UTC(), Correction: true}).Do()
			engine.Remember(all.Memory)
			return err
		},
	})
	return errors.Join(err, all.Close())
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
