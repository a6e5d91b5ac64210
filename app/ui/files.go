package ui

import (
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"inkshade/app/state"
	"inkshade/app/ui/language"
	"inkshade/app/ui/models"
	"inkshade/recognizer/dataset"
)

// takeDrops takes files that are dropped onto the window.
func (w *Window) takeDrops() {
	w.Win.SetOnDropped(func(_ fyne.Position, files []fyne.URI) {
		var paths []string
		for _, f := range files {
			paths = append(paths, f.Path())
		}
		w.take(paths)
	})
}

// take takes files and folders: a picture is a drawing, and comes onto the paper; a model is
// opened; a collection becomes one of the person's; ink files and folders are samples, and are imported.
func (w *Window) take(paths []string) {
	one := func(endings []string) bool {
		return len(paths) == 1 && slices.Contains(endings, strings.ToLower(filepath.Ext(paths[0])))
	}
	switch {
	case len(paths) == 0:
	case w.Win.Canvas().Overlays().Top() != nil:
		w.Toast.Say(language.Tr("Close what is open in front of the page, then drop the files again."))
	case one(dataset.PictureEndings):
		w.draw.ReadPicture(paths[0])
	case one(models.Endings):
		w.models.Take(paths[0])
	case one([]string{state.Ending}) && w.Collection.Folder != nil:
		w.importCollection(paths[0])
	case !w.samples.Refuse():
		w.On("samples", func() { w.samples.Take(paths...) })()
	}
}
