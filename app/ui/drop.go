package ui

import (
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"inkshade/app/collection"
	"inkshade/recognizer/dataset"
)

// takeDrops takes files that are dropped onto the window.
func (w *Window) takeDrops() {
	w.win.SetOnDropped(func(_ fyne.Position, files []fyne.URI) {
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
	case len(paths) == 0 || w.win.Canvas().Overlays().Top() != nil:
	case one(dataset.PictureEndings):
		w.readPicture(paths[0])
	case one(modelEndings):
		w.openModel(paths[0])
	case one([]string{collection.Ending}) && w.opts.Folder != nil:
		w.importCollection(paths[0])
	case !w.samples.refuse():
		w.onSamples(func() { w.samples.askImport(paths...) })()
	}
}
