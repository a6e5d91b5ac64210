package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/recognizer/samples"
)

// evidence is a drawing with a word about it.
type evidence struct {
	sample samples.Sample
	words  string
	color  fyne.ThemeColorName
}

// evidenceView shows drawings under a title, as many as there are: it scrolls, and the
// arrow keys go through it.
type evidenceView struct {
	title   *label
	back    *widget.Button
	none    *label
	items   []evidence
	grid    *widget.GridWrap
	name    string // of what back goes to
	content *fyne.Container
}

func newEvidenceView(back string, onBack func()) *evidenceView {
	v := &evidenceView{
		title: newLabel("", 13, theme.ColorNameForeground).bold().wrapped(2),
		none:  newLabel("", 13, colorMuted).aligned(fyne.TextAlignCenter).wrapped(3),
		back:  widget.NewButtonWithIcon("", theme.NavigateBackIcon(), onBack),
		name:  back,
	}
	v.back.Importance = widget.LowImportance
	v.back.Hide()
	v.grid = widget.NewGridWrap(
		func() int { return len(v.items) },
		func() fyne.CanvasObject { return newInkTile() },
		func(id widget.GridWrapItemID, o fyne.CanvasObject) { o.(*inkTile).show(v.items[id]) })
	v.content = container.New(arranged{atLeast(150, 120), v.put}, v.title, v.back, v.none, v.grid)
	return v
}

// show takes drawings; none is what to say where there are none.
func (v *evidenceView) show(title, none string, canGoBack bool, items []evidence) {
	v.items = items
	v.title.set(title)
	v.none.set("")
	if len(items) == 0 {
		v.none.set(none)
	}
	v.back.Hidden = !canGoBack
	v.grid.UnselectAll()
	v.grid.ScrollToTop()
	v.grid.Refresh()
	rearrange(v.content)
}

func (v *evidenceView) put(size fyne.Size) {
	width := size.Width
	if name := v.name; !v.back.Hidden {
		if size.Width < 380 {
			name = "" // the arrow says enough where there is little room
		}
		v.back.SetText(name)
		m := v.back.MinSize()
		width -= m.Width
		place(v.back, width, -6, m.Width, m.Height)
	}
	place(v.title, 0, 0, width, v.title.most())
	h := max(v.title.height(width), v.back.MinSize().Height-6)
	place(v.none, 0, floor(size.Height/2-v.none.lineHeight()), size.Width, v.none.most())
	place(v.grid, 0, h+4, size.Width, size.Height-h-4)
}

// inkTile is a drawing with a word under it.
type inkTile struct {
	composed
	view  *inkView
	words *label
}

const (
	tileSide  = 62
	tileWords = 17
)

func newInkTile() *inkTile {
	t := &inkTile{view: newInkView(tileSide), words: newLabel("", 12, colorMuted).aligned(fyne.TextAlignCenter)}
	t.compose(t, container.New(arranged{atLeast(tileSide, tileSide+tileWords), func(size fyne.Size) {
		place(t.view, 0, 0, size.Width, size.Height-tileWords)
		place(t.words, 0, size.Height-tileWords+1, size.Width, tileWords)
	}}, t.view, t.words))
	return t
}

func (t *inkTile) show(e evidence) {
	t.view.show(e.sample.Ink, e.sample.ID)
	t.words.show(e.words, e.color)
}
