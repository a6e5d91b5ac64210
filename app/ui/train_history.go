package ui

import (
	"cmp"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/app/trainer"
	"inkshade/glcompute"
)

// trainHistory lists the models that were trained, and the shipped one.
type trainHistory struct {
	title   *label
	entries []trainer.Entry
	list    *widget.List
	open    func(id int64)
	content *fyne.Container
}

func newTrainHistory(open func(id int64)) *trainHistory {
	h := &trainHistory{title: newLabel(tr("Trained models"), 15, theme.ColorNameForeground).bold(), open: open}
	h.list = widget.NewList(
		func() int { return len(h.entries) },
		func() fyne.CanvasObject { return newListCard("", 6, 4, 2) },
		func(i widget.ListItemID, o fyne.CanvasObject) { h.fill(o.(*listCard), h.entries[i]) })
	h.list.OnSelected = func(i widget.ListItemID) {
		if i < len(h.entries) {
			h.open(h.entries[i].ID)
		}
	}
	h.content = container.NewBorder(h.title, nil, nil, nil, h.list)
	return h
}

// show takes the history and the id of the entry that is open.
func (h *trainHistory) show(entries []trainer.Entry, shown int64) {
	h.entries = entries
	h.list.Refresh()
	h.list.UnselectAll()
	h.choose(shown)
}

// choose selects the entry of that id.
func (h *trainHistory) choose(id int64) {
	if i := slices.IndexFunc(h.entries, func(e trainer.Entry) bool { return e.ID == id }); i >= 0 {
		h.list.Select(i)
	}
}

// fill shows on a card when a model was trained, what that did, and whether it is in use.
func (h *trainHistory) fill(row *listCard, e trainer.Entry) {
	title, what, facts, role := tr("Shipped model"), tr("as it came with Inkshade"), "", ""
	if e.ID != 0 {
		title, what, facts = titleOf(e), learnedWords(e.Report), origin(e, h.entries)+" · "+trainingFacts(e)
	}
	if e.InForce {
		role = tr("in use")
	}
	row.chosen = func() { h.choose(e.ID) }
	row.show(title, role, what, facts)
}

func learnedWords(r trainer.Report) string {
	c := r.HeldOut
	if c.Samples == 0 {
		return tr("{{.Drawings}} learned, not measured", map[string]any{"Drawings": drawingCount(r.Learned)})
	}
	return tr("{{.Samples}} kept for testing: {{.Before}} wrong before, {{.After}} after",
		map[string]any{"Samples": c.Samples, "Before": c.Before, "After": c.After})
}

// origin says which model a training began with.
func origin(e trainer.Entry, all []trainer.Entry) string {
	i := slices.IndexFunc(all, func(p trainer.Entry) bool { return p.ID == e.Parent })
	if i < 0 || e.Parent == 0 {
		return tr("from the shipped model")
	}
	return tr("from that of {{.Time}}", map[string]any{"Time": titleOf(all[i])})
}

// titleOf is what a person called a trained model, or when it was trained.
func titleOf(e trainer.Entry) string { return cmp.Or(e.Title, day(e.Time)) }

// trainingFacts say how a model was trained, and where that is known on what.
func trainingFacts(e trainer.Entry) string {
	if e.Report.Device == string(glcompute.Auto) {
		return tr("{{.Steps}} steps, {{.Seconds}} s", map[string]any{
			"Steps": e.Report.Steps, "Seconds": fmt.Sprintf("%.1f", e.Report.Seconds),
		})
	}
	return tr("{{.Steps}} steps, {{.Seconds}} s, {{.Device}}", map[string]any{
		"Steps": e.Report.Steps, "Seconds": fmt.Sprintf("%.1f", e.Report.Seconds), "Device": deviceName(e.Report.Device),
	})
}
