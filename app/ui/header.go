package ui

import (
	"bytes"
	"image"
	"image/png"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/assets"
)

// headerHeight is the height of the header over content of the given height in all.
func headerHeight(all float32) float32 {
	if all < 700 {
		return 46
	}
	return 56
}

// header is the strip on top: the name, the pages when there are several, and who answers.
type header struct {
	widget.BaseWidget
	tabs   []*tab // none while there is one page only
	status Status
	who    *quietButton // who answers; opens what is known of the devices
}

func newHeader(pages []page, open func(int), devices func()) *header {
	h := &header{who: newQuietButton(13, devices)}
	if len(pages) > 1 {
		for i, p := range pages {
			h.tabs = append(h.tabs, newTab(p.name, func() { open(i) }))
		}
	}
	h.ExtendBaseWidget(h)
	return h
}

func (h *header) selectTab(i int) {
	for j, t := range h.tabs {
		t.selectIf(i == j)
	}
}

func (h *header) setStatus(s Status) { h.status = s; h.Refresh() }

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

// CreateRenderer implements fyne.Widget.
func (h *header) CreateRenderer() fyne.WidgetRenderer {
	r := &headerRenderer{
		header: h,
		icon:   canvas.NewImageFromImage(iconImage()),
		name:   newLabel("Inkshade", 19, theme.ColorNameForeground).bold(),
		dot:    canvas.NewCircle(themed(theme.ColorNamePrimary)),
	}
	r.icon.FillMode = canvas.ImageFillContain
	r.Refresh()
	return r
}

func iconImage() image.Image {
	img, err := png.Decode(bytes.NewReader(assets.Icon()))
	if err != nil {
		panic("ui: the icon inside the program is damaged: " + err.Error())
	}
	return img
}

type headerRenderer struct {
	header *header
	icon   *canvas.Image
	name   *label
	dot    *canvas.Circle
}

func (r *headerRenderer) MinSize() fyne.Size { return fyne.NewSize(400, headerHeight(0)) }

func (r *headerRenderer) Layout(size fyne.Size) {
	const margin, icon, dot = 20, 28, 8
	r.icon.Move(fyne.NewPos(margin, floor((size.Height-icon)/2)))
	r.icon.Resize(fyne.NewSquareSize(icon))
	nh := r.name.MinSize().Height
	r.name.Move(fyne.NewPos(margin+icon+10, floor((size.Height-nh)/2)))
	r.name.Resize(fyne.NewSize(140, nh))
	x := float32(margin + icon + 10 + 130)
	for _, t := range r.header.tabs {
		w := t.MinSize().Width
		place(t, x, 0, w, size.Height)
		x += w
	}
	who := r.header.who.MinSize()
	width := min(who.Width, size.Width-x-60)
	left := size.Width - margin - width + quietInset
	place(r.header.who, left, floor((size.Height-who.Height)/2), width, who.Height)
	r.dot.Move(fyne.NewPos(left-dot-2, floor((size.Height-dot)/2)))
	r.dot.Resize(fyne.NewSquareSize(dot))
}

func (r *headerRenderer) Refresh() {
	text, c := summary(r.header.status)
	r.header.who.show(text)
	r.dot.FillColor = themed(c)
	r.Layout(r.header.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *headerRenderer) Objects() []fyne.CanvasObject {
	o := []fyne.CanvasObject{r.icon, r.name, r.dot}
	for _, t := range r.header.tabs {
		o = append(o, t)
	}
	return append(o, r.header.who)
}
func (r *headerRenderer) Destroy() {}

// underHeader puts its first object on top, the notice under it while there is one, and
// gives the rest to its second.
type underHeader struct{ notice *notice }

func (u underHeader) MinSize(o []fyne.CanvasObject) fyne.Size {
	a, b := o[0].MinSize(), o[1].MinSize()
	return fyne.NewSize(max(a.Width, b.Width), a.Height+b.Height)
}

func (u underHeader) Layout(o []fyne.CanvasObject, size fyne.Size) {
	h := headerHeight(size.Height)
	place(o[0], 0, 0, size.Width, h)
	strip := u.notice.height(size.Width)
	place(u.notice, 0, h, size.Width, strip)
	if strip > 0 {
		h += strip + 10
	}
	place(o[1], 0, h, size.Width, size.Height-h)
}
