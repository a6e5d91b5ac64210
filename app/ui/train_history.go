package ui

import (
	"fmt"

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
		func(i widget.ListItemID, o fyne.CanvasObject) { o.(*historyRow).show(h.entries[i]) })
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
	widget.BaseWidget
	entry  trainer.Entry
	choose func(id int64)
}

var _ desktop.Mouseable = (*historyRow)(nil)

func newHistoryRow(choose func(id int64)) *historyRow {
	r := &historyRow{choose: choose}
	r.ExtendBaseWidget(r)
	return r
}

func (r *historyRow) show(e trainer.Entry) {
	r.entry = e
	r.Refresh()
}

// MouseDown implements desktop.Mouseable. A tap would be lost when the pointer moves by a
// hair, because the list can be dragged.
func (r *historyRow) MouseDown(*desktop.MouseEvent) { r.choose(r.entry.ID) }

// MouseUp implements desktop.Mouseable.
func (r *historyRow) MouseUp(*desktop.MouseEvent) {}

// texts are the two lines of a row.
func (r *historyRow) texts() (when, what string) {
	e := r.entry
	if e.ID == 0 {
		return tr("Shipped model"), tr("as it came with Inkshade")
	}
	when = day(e.Time)
	c := e.Report.HeldOut
	if c.Samples == 0 {
		what = tr("{{.Drawings}} learned, not measured", map[string]any{"Drawings": drawingCount(e.Report.Learned)})
	} else {
		what = tr("{{.Samples}} held out: {{.Before}} wrong before, {{.After}} after",
			map[string]any{"Samples": c.Samples, "Before": c.Before, "After": c.After})
	}
	return when, what
}

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

// CreateRenderer implements fyne.Widget.
func (r *historyRow) CreateRenderer() fyne.WidgetRenderer {
	return &historyRowRenderer{
		row: r, when: newLabel("", 14, theme.ColorNameForeground).bold(), what: newLabel("", 12, colorMuted),
		facts: newLabel("", 12, colorMuted), badge: newBadge(),
	}
}

type historyRowRenderer struct {
	row               *historyRow
	when, what, facts *label
	badge             *badge
}

func (r *historyRowRenderer) MinSize() fyne.Size {
	return fyne.NewSize(120, 8+r.when.lineHeight()+r.what.lineHeight()+r.facts.lineHeight())
}

func (r *historyRowRenderer) Layout(size fyne.Size) {
	const inset = 6
	h := r.when.lineHeight()
	place(r.when, inset, 3, size.Width-2*inset, h)
	w := r.badge.MinSize().Width
	place(r.badge, size.Width-inset-w+4, 3+floor((h-badgeHeight)/2), w, badgeHeight)
	place(r.what, inset, 4+h, size.Width-2*inset, r.what.lineHeight())
	place(r.facts, inset, 4+h+r.what.lineHeight(), size.Width-2*inset, r.facts.lineHeight())
}

func (r *historyRowRenderer) Refresh() {
	when, what := r.row.texts()
	r.when.set(when)
	r.what.set(what)
	r.facts.set("")
	if r.row.entry.ID != 0 {
		r.facts.set(trainingFacts(r.row.entry))
	}
	r.badge.describe("")
	if r.row.entry.InForce {
		r.badge.mark(tr("in use"))
	}
	r.Layout(r.row.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *historyRowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.when, r.what, r.facts, r.badge}
}
func (r *historyRowRenderer) Destroy() {}
