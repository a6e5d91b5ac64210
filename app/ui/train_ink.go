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
	v.content = container.New(&evidenceLayout{v}, v.title, v.back, v.none, v.grid)
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
	v.content.Layout.Layout(nil, v.content.Size())
}

type evidenceLayout struct{ view *evidenceView }

func (l *evidenceLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(150, 120) }

func (l *evidenceLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	v := l.view
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
	place(v.title, 0, 0, width, 2*v.title.lineHeight())
	h := max(float32(len(v.title.wrap(width)))*v.title.lineHeight(), v.back.MinSize().Height-6)
	place(v.none, 0, floor(size.Height/2-v.none.lineHeight()), size.Width, 3*v.none.lineHeight())
	place(v.grid, 0, h+4, size.Width, size.Height-h-4)
}

// inkTile is a drawing with a word under it.
type inkTile struct {
	widget.BaseWidget
	view  *inkView
	words *label
}

func newInkTile() *inkTile {
	t := &inkTile{view: newInkView(tileSide), words: newLabel("", 12, colorMuted).aligned(fyne.TextAlignCenter)}
	t.ExtendBaseWidget(t)
	return t
}

func (t *inkTile) show(e evidence) {
	t.view.show(e.sample.Ink, e.sample.ID)
	t.words.show(e.words, e.color)
}

const (
	tileSide  = 62
	tileWords = 17
)

// CreateRenderer implements fyne.Widget.
func (t *inkTile) CreateRenderer() fyne.WidgetRenderer { return &inkTileRenderer{t} }

type inkTileRenderer struct{ tile *inkTile }

func (r *inkTileRenderer) MinSize() fyne.Size { return fyne.NewSize(tileSide, tileSide+tileWords) }

func (r *inkTileRenderer) Layout(size fyne.Size) {
	place(r.tile.view, 0, 0, size.Width, size.Height-tileWords)
	place(r.tile.words, 0, size.Height-tileWords+1, size.Width, tileWords)
}

func (r *inkTileRenderer) Refresh() {
	r.tile.view.Refresh()
	r.tile.words.Refresh()
}

func (r *inkTileRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.tile.view, r.tile.words}
}
func (r *inkTileRenderer) Destroy() {}
