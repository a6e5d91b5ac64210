package ui

import (
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
)

// keptChanged answers and shows in the light of what is kept now; pages that are not in front wait.
func (w *Window) keptChanged() {
	if w.Book != nil {
		w.MemoryChanged()
	}
	w.Each(func(p *page.Page) func() { return p.Kept })
	w.lessonChanged()
	w.historyChanged()
}

// historyChanged shows on the Draw page what can be undone and redone.
func (w *Window) historyChanged() {
	h, c := &w.draw.paper().History, w.State
	if !w.draw.inLine {
		widget.Enable(w.draw.entry, len(h.Now) > 0)
	}
	w.draw.tools.setHistory(len(h.Past)+len(c.Past()) > 0, len(h.Future)+len(c.Undone()) > 0, len(h.Now) > 0)
}
