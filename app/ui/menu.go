package ui

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"inkshade/app/state"
	"inkshade/app/state/device"
	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/models"
	"inkshade/app/ui/page"
	"inkshade/app/ui/settings"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/dataset"
)

func (w *Window) commands() []*page.Command {
	look := func(name string, a widget.Appearance, key string) *page.Command {
		return &page.Command{ID: "look-" + string(a), Name: name, Keys: key, Do: func() { w.setAppearance(a) }, On: func() bool { return w.Theme.Appearance == a }}
	}
	by := func(name string, c device.Choice, key string) *page.Command {
		return &page.Command{ID: "by-" + string(c), Name: name, Keys: key, Do: func() { settings.ChooseDevice(w.Frame, c) }, On: func() bool { return w.Status.Choice == c }}
	}
	lined := func() bool { return setting.Ruled.Get(w.App.Preferences()) }
	all := []*page.Command{
		{ID: "model", Name: language.Tr("Open a Model…"), Keys: "Ctrl+Alt+O", Do: w.models.Choose},
		{ID: "write", Name: language.Tr("Write Samples…"), Keys: "Ctrl+N", Do: w.OnSamples(w.samples.Write)},
		{ID: "import", Name: language.Tr("Import…"), Keys: "Ctrl+O", Do: w.OnSamples(w.samples.Import)},
		{ID: "pictures", Name: language.Tr("Import Pictures…"), Keys: "Ctrl+Shift+O", Do: w.OnSamples(w.samples.ImportFolder)},
		{ID: "export", Name: language.Tr("Export…"), Keys: "Ctrl+E", Do: w.OnSamples(w.samples.Export)},
		{ID: "search", Name: language.Tr("Search"), Keys: "Ctrl+F", Do: w.OnSamples(w.samples.Search)},
		{ID: "mine", Name: language.Tr("Drawn by Me"), Do: w.OnSamples(func() { w.samples.Credit(true) })},
		{ID: "typed", Name: language.Tr("Text to Type…"), Do: w.OnSamples(w.samples.AskTyped)},
		{ID: "others", Name: language.Tr("Drawn by Others"), Do: w.OnSamples(func() { w.samples.Credit(false) })},
		{ID: "panel", Name: language.Tr("Write Anywhere"), Keys: "Ctrl+Shift+P", Grey: w.opts.Panel == nil, Do: func() { // beside the window
			err := w.Problem // the panel has the same samples
			if err == nil {
				err = w.opts.Panel(w.Collection.Name, w.Theme.Appearance, w.Status.Choice)
			}
			if err != nil {
				w.Tell(err)
			}
		}},
		{ID: "settings", Name: language.Tr("Settings…"), Keys: "Ctrl+,", Do: func() { w.look = settings.Show(w.Frame, w.draw.Taken, w.setAppearance, w.setTextSize, w.setLanguage) }},
		{ID: "quit", Name: language.Tr("Quit"), Keys: "Ctrl+Q", Do: func() { w.leave(w.App.Quit) }},
		look(language.Tr("Same as System"), widget.System, "Ctrl+Shift+1"),
		look(language.Tr("Light"), widget.Light, "Ctrl+Shift+2"),
		look(language.Tr("Dark"), widget.Dark, "Ctrl+Shift+3"),
		{ID: "ruled", Name: language.Tr("Lines to Write On"), Do: func() {
			setting.Ruled.Set(w.App.Preferences(), !lined())
			w.Each(func(p *page.Page) func() { return p.Set })
			w.Menu()
		}, On: lined},
		{ID: "full", Name: language.Tr("Full Screen"), Keys: "F11", Do: func() { w.Win.SetFullScreen(!w.Win.FullScreen()) }},
		by(language.Tr("GPU (OpenGL shaders)"), device.ChooseGPU, "Ctrl+G"),
		by(language.Tr("CPU"), device.ChooseCPU, "Ctrl+U"),
		by(language.Tr("The Faster One"), device.ChooseFaster, "Ctrl+M"),
		{ID: "devices", Name: language.Tr("About the Devices"), Keys: "Ctrl+I", Do: w.showDevices},
		{ID: "help", Name: language.Tr("How to Correct, Learn and Undo"), Do: w.showHelp},
		{ID: "keys", Name: language.Tr("Keys"), Keys: "F1", Do: w.showKeys},
		{ID: "about", Name: language.Tr("About Inkshade"), Do: w.showAbout},
		{ID: "menus", Keys: "F10", Do: func() { // as Alt alone does; macOS has its menus outside the window
			if c, ok := w.Win.Canvas().(interface{ ToggleMenu() }); ok {
				c.ToggleMenu()
			}
		}},
	}
	for i, p := range w.Pages {
		all = append(all, &page.Command{ID: p.Key, Name: p.Name, Keys: fmt.Sprint("Ctrl+", i+1), Do: func() { w.OpenPage(i) }})
	}
	return all
}

// menu makes the main menu; it is made anew when what is ticked changes.
func (w *Window) menu() *fyne.MainMenu {
	menu := func(title string, ids ...string) *fyne.Menu { return fyne.NewMenu(title, w.Items(ids...)...) }
	file := menu(language.Tr("File"), "picture model - write import pictures export - panel settings - quit")
	widget.Last(file.Items).IsQuit = true
	return fyne.NewMainMenu(
		file,
		menu(language.Tr("Edit"), "undo redo clear erase select - copy paste crop turn all search - mine others typed"),
		menu(language.Tr("View"), append(w.pageIDs(), "- look-system look-light look-dark - ruled full")...),
		fyne.NewMenu(language.Tr("Answers"), w.draw.ChoiceItems()...),
		menu(language.Tr("Device"), "by-gpu by-cpu by-faster - devices"),
		menu(language.Tr("Learn"), "learn cancel - back"),
		menu(language.Tr("Line"), "line - language0 language1 language2 language3 - split join space left right"),
		fyne.NewMenu(language.Tr("Collections"), w.collectionItems()...),
		menu(language.Tr("Help"), "help keys about"),
	)
}

// take takes a picture onto the paper, opens a model, imports a collection, and else ink files and folders as samples.
func (w *Window) take(paths []string) {
	among := func(endings ...string) bool {
		return slices.ContainsFunc(paths, func(p string) bool { return slices.Contains(endings, strings.ToLower(filepath.Ext(p))) })
	}
	one := func(endings ...string) bool { return len(paths) == 1 && among(endings...) }
	switch {
	case len(paths) == 0:
	case w.Win.Canvas().Overlays().Top() != nil:
		w.Toast.Say(language.Tr("Close what is open in front of the page, then drop the files again."))
	case len(paths) > 1 && among(slices.Concat(models.Endings, dataset.PictureEndings, []string{state.Ending})...):
		w.Toast.Say(language.Tr("Open models, collections and pictures one at a time, without other files."))
	case one(dataset.PictureEndings...):
		w.draw.ReadPicture(paths[0])
	case one(models.Endings...):
		w.models.Take(paths[0])
	case one(state.Ending) && w.Collection.Folder != nil:
		w.importCollection(paths[0])
	case !w.Refuse():
		w.OnSamples(func() { w.samples.Take(paths...) })()
	}
}
