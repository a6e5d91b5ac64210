package ui

import (
	"bytes"
	"image"
	"image/png"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/assets"
)

// headerHeight is the height of the header over content of the given height in all.
func headerHeight(all float32) float32 {
	if all < 700 {
		return 46
	}
	return 56
}

// header is the strip on top: the name, the pages, and who answers.
type header struct {
	composed
	tabs   []*button
	status Status
	who    *button // who answers; opens what is known of the devices
	dot    *fill
}

func newHeader(pages []page, open func(int), devices func()) *header {
	const margin, iconSize, dot = 20, 28, 8
	h := &header{who: newQuietButton(13, devices), dot: newFill(theme.ColorNamePrimary, dot/2)}
	icon := canvas.NewImageFromImage(iconImage())
	icon.FillMode = canvas.ImageFillContain
	name := newLabel("Inkshade", 19, theme.ColorNameForeground).bold()
	content := container.New(arranged{atLeast(400, headerHeight(0)), func(size fyne.Size) {
		middle(icon, margin, 0, iconSize, size.Height, iconSize)
		middle(name, margin+iconSize+10, 0, 140, size.Height, name.lineHeight())
		x := float32(margin + iconSize + 10 + 130)
		for _, t := range h.tabs {
			place(t, x, 0, t.MinSize().Width, size.Height)
			x += t.Size().Width
		}
		who := h.who.MinSize()
		width := min(who.Width, size.Width-x-60)
		left := size.Width - margin - width + quietInset
		middle(h.who, left, 0, width, size.Height, who.Height)
		middle(h.dot, left-dot-2, 0, dot, size.Height, dot)
	}}, icon, name, h.dot, h.who)
	for i, p := range pages {
		h.tabs = append(h.tabs, newTab(p.name, func() { open(i) }))
		content.Add(h.tabs[i])
	}
	h.compose(h, content)
	return h
}

func (h *header) selectTab(i int) {
	for j, t := range h.tabs {
		t.selected = i == j
		t.Refresh()
	}
}

func (h *header) setStatus(s Status) {
	h.status = s
	text, c := summary(s)
	h.who.rename(nil, text)
	h.dot.recolor(c)
	h.Refresh()
}

// summary is the state of the devices in one line, and the colour of its dot.
func summary(s Status) (string, fyne.ThemeColorName) {
	switch {
	case s.CPU.State == Unavailable && s.GPU.State == Unavailable:
		return tr("Nothing can answer: {{.Reason}}", map[string]any{"Reason": allSaid(s.CPU.Reasons)}), theme.ColorNameError
	case s.GPU.State == Preparing && s.Answering == CPU:
		return tr("Preparing GPU… the CPU answers meanwhile"), theme.ColorNamePrimary
	case s.GPU.State == Preparing:
		return tr("Preparing GPU…"), theme.ColorNamePrimary
	case len(s.Reasons) > 0:
		return tr("The CPU answers, because the GPU cannot"), theme.ColorNameWarning
	case s.Answering == CPU:
		return tr("The CPU answers"), theme.ColorNameSuccess
	case s.GPU.Info.Software:
		return tr("The GPU answers (software renderer)"), theme.ColorNameSuccess
	}
	return tr("The GPU answers"), theme.ColorNameSuccess
}

func iconImage() image.Image {
	img, err := png.Decode(bytes.NewReader(assets.Icon()))
	if err != nil {
		panic("ui: the icon inside the program is damaged: " + err.Error())
	}
	return img
}

// underHeader puts the header on top, the notice under it while there is one, and gives the rest
// to the pages.
func underHeader(h *header, n *notice, pages fyne.CanvasObject) *fyne.Container {
	return container.New(arranged{
		func() fyne.Size {
			a, b := h.MinSize(), pages.MinSize()
			return fyne.NewSize(max(a.Width, b.Width), a.Height+b.Height)
		},
		func(size fyne.Size) {
			y := headerHeight(size.Height)
			place(h, 0, 0, size.Width, y)
			strip := n.height(size.Width)
			place(n, 0, y, size.Width, strip)
			if strip > 0 {
				y += strip + 10
			}
			place(pages, 0, y, size.Width, size.Height-y)
		},
	}, h, pages, n)
}
