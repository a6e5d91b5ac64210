package ui

import (
	"bytes"
	"image/png"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/state/device"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/assets"
	"inkshade/glcompute/message"
)

// header is the strip on top: the name, the pages, and who answers.
type header struct {
	widget.Composed
	tabs []*widget.Button
	who  *widget.Button // who answers; opens what is known of the devices
	dot  *widget.Fill
}

func newHeader(pages []*page.Page, open func(int), devices func()) *header {
	const margin, iconSize, dot = 20, 28, 8
	h := &header{who: widget.NewQuietButton(13, devices), dot: widget.NewFill(theme.ColorNamePrimary, dot/2)}
	icon := newIcon()
	name := widget.NewLabel("Inkshade", 19, theme.ColorNameForeground).Bold()
	content := container.New(widget.Arranged{Least: widget.AtLeast(400, widget.HeaderHeight(0)), Put: func(size fyne.Size) {
		widget.Middle(icon, margin, 0, iconSize, size.Height, iconSize)
		widget.Middle(name, margin+iconSize+10, 0, 140, size.Height, name.LineHeight())
		x := float32(margin + iconSize + 10 + 130)
		for _, t := range h.tabs {
			widget.Place(t, x, 0, t.MinSize().Width, size.Height)
			x += t.Size().Width
		}
		who := h.who.MinSize()
		width := min(who.Width, size.Width-x-60)
		left := size.Width - margin - width + widget.QuietInset
		widget.Middle(h.who, left, 0, width, size.Height, who.Height)
		widget.Middle(h.dot, left-dot-2, 0, dot, size.Height, dot)
	}}, icon, name, h.dot, h.who)
	for i, p := range pages {
		h.tabs = append(h.tabs, widget.NewTab(p.Name, func() { open(i) }))
		content.Add(h.tabs[i])
	}
	h.Compose(h, content)
	return h
}

func (h *header) selectTab(i int) {
	for j, t := range h.tabs {
		t.Selected = i == j
		t.Refresh()
	}
}

func (h *header) setStatus(s device.Status) {
	text, c := summary(s)
	h.who.Rename(nil, text)
	h.dot.Recolor(c)
	h.Refresh()
}

// summary is the state of the devices in one line, and the colour of its dot.
func summary(s device.Status) (string, fyne.ThemeColorName) {
	switch {
	case s.CPU.State == device.Unavailable && s.GPU.State == device.Unavailable:
		return language.Tr("Nothing can answer: {{.Reason}}", map[string]any{"Reason": language.Said(message.List(s.CPU.Reasons))}), theme.ColorNameError
	case s.GPU.State == device.Preparing && s.Answering == device.CPU:
		return language.Tr("Preparing GPU… the CPU answers meanwhile"), theme.ColorNamePrimary
	case s.GPU.State == device.Preparing:
		return language.Tr("Preparing GPU…"), theme.ColorNamePrimary
	case len(s.Reasons) > 0:
		return language.Tr("The CPU answers, because the GPU cannot"), theme.ColorNameWarning
	case s.Answering == device.CPU:
		return language.Tr("The CPU answers"), theme.ColorNameSuccess
	case s.GPU.Info.Software:
		return language.Tr("The GPU answers (software renderer)"), theme.ColorNameSuccess
	}
	return language.Tr("The GPU answers"), theme.ColorNameSuccess
}

func newIcon() *canvas.Image {
	img, err := png.Decode(bytes.NewReader(assets.Icon()))
	if err != nil {
		panic("ui: the icon inside the program is damaged: " + err.Error())
	}
	return &canvas.Image{Image: img, FillMode: canvas.ImageFillContain}
}

// pageIDs are those of the commands that open the pages.
func (w *Window) pageIDs() (ids []string) {
	for _, p := range w.Pages {
		ids = append(ids, p.Key)
	}
	return ids
}
