package ui

import (
	"cmp"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
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
		func() fyne.CanvasObject { return newHistoryRow(h.choose) },
		func(i widget.ListItemID, o fyne.CanvasObject) { o.(*historyRow).show(h.entries[i], h.entries) })
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
	for i, e := range h.entries {
		if e.ID == id {
			h.list.Select(i)
		}
	}
}

// historyRow is one model: when, what it did, and whether it is in use.
type historyRow struct {
	composed
	id                int64
	choose            func(id int64)
	when, what, facts *label
	badge             *badge
}

var _ desktop.Mouseable = (*historyRow)(nil)

func newHistoryRow(choose func(id int64)) *historyRow {
	const inset = 6
	r := &historyRow{
		choose: choose, when: newLabel("", 14, theme.ColorNameForeground).bold(), what: newLabel("", 12, colorMuted),
		facts: newLabel("", 12, colorMuted), badge: newBadge(),
	}
	h, line := r.when.lineHeight(), r.what.lineHeight()
	r.compose(r, container.New(arranged{atLeast(120, 8+h+2*line), func(size fyne.Size) {
		width := size.Width - 2*inset
		place(r.when, inset, 3, width, h)
		w := r.badge.MinSize().Width
		middle(r.badge, size.Width-inset-w+4, 3, w, h, badgeHeight)
		place(r.what, inset, 4+h, width, line)
		place(r.facts, inset, 4+h+line, width, line)
	}}, r.when, r.what, r.facts, r.badge))
	return r
}

func (r *historyRow) show(e trainer.Entry, all []trainer.Entry) {
	r.id = e.ID
	c := e.Report.HeldOut
	switch {
	case e.ID == 0:
		r.when.set(tr("Shipped model"))
		r.what.set(tr("as it came with Inkshade"))
	case c.Samples == 0:
		r.what.set(tr("{{.Drawings}} learned, not measured", map[string]any{"Drawings": drawingCount(e.Report.Learned)}))
	default:
		r.what.set(tr("{{.Samples}} kept for testing: {{.Before}} wrong before, {{.After}} after",
			map[string]any{"Samples": c.Samples, "Before": c.Before, "After": c.After}))
	}
	r.facts.set("")
	if e.ID != 0 {
		r.when.set(titleOf(e))
		r.facts.set(origin(e, all) + " · " + trainingFacts(e))
	}
	role := ""
	if e.InForce {
		role = tr("in use")
	}
	r.badge.show("", role)
	r.Refresh()
}

// MouseDown implements desktop.Mouseable. A tap would be lost when the pointer moves by a
// hair, because the list can be dragged.
func (r *historyRow) MouseDown(*desktop.MouseEvent) { r.choose(r.id) }

// MouseUp implements desktop.Mouseable.
func (r *historyRow) MouseUp(*desktop.MouseEvent) {}

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
