package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/library"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
)

// listCard is a row of a list: a title with a badge beside it, and lines under both. It is chosen when the button goes
// down: a tap would be lost when the pointer moves by a hair, because the list can be dragged.
type listCard struct {
	composed
	ground *fill
	title  *label
	badge  *badge
	lines  []*label
	chosen func()
}

var _ desktop.Mouseable = (*listCard)(nil)

func newListCard(ground fyne.ThemeColorName, left, top float32, lines int) *listCard {
	c := &listCard{ground: newFill(ground, 10), title: newLabel("", 14, theme.ColorNameForeground).bold().ofName(), badge: newBadge()}
	objs := []fyne.CanvasObject{c.ground, c.title, c.badge}
	for range lines {
		l := newLabel("", 12, colorMuted)
		c.lines, objs = append(c.lines, l), append(objs, l)
	}
	h, line := c.title.lineHeight(), c.lines[0].lineHeight()
	c.compose(c, container.New(arranged{atLeast(120, 2*top+h+float32(lines)*line), func(size fyne.Size) {
		c.ground.Resize(size)
		w := c.badge.MinSize().Width
		middle(c.badge, size.Width-left-w+4, top, w, h, badgeHeight)
		place(c.title, left, top, size.Width-2*left-w, h)
		for i, l := range c.lines {
			place(l, left, top+h+float32(i)*line, size.Width-2*left, line)
		}
	}}, objs...))
	return c
}

// show takes what is written, and what role the badge names; empty for none.
func (c *listCard) show(title, role string, lines ...string) {
	c.title.set(title)
	c.badge.show("", role)
	for i, words := range lines {
		c.lines[i].set(words)
	}
	c.Refresh()
}

func (c *listCard) MouseDown(*desktop.MouseEvent) { c.chosen() }
func (c *listCard) MouseUp(*desktop.MouseEvent)   {}

// fill shows on a card what a model reads, how large, how good and how fast it is.
func (p *modelsPage) fill(c *listCard, e *modelEntry) {
	if c.ground.edged(colorBorder, 1); e == p.entry() {
		c.ground.edged(theme.ColorNamePrimary, 2)
	}
	role := ""
	if p.inUse(e) {
		role = tr("in use")
	}
	words := e.words()
	c.chosen = func() { p.show(e.Name) }
	c.show(p.win.modelTitle(e), role, words[:]...)
}

// modelTitle is what people call a model on the page.
func (w *Window) modelTitle(e *modelEntry) string {
	if e.Kind == library.Trained {
		return cmp.Or(e.Title, fmt.Sprintf("%s @%d", w.modelName(e.Base), e.ID))
	}
	return w.modelName(e.Base)
}

// words are the lines of a card.
func (e *modelEntry) words() [4]string {
	kind := map[library.Kind]string{
		library.Shipped: tr("ships with Inkshade"), library.Trained: tr("trained on your samples"),
		library.Imported: tr("opened by you"), library.File: tr("a file"),
	}[e.Kind]
	if e.facts == nil {
		return [4]string{kind, tr("It cannot be used: {{.Reason}}", map[string]any{"Reason": said(e.problem.Error())})}
	}
	m := e.facts.Model
	bytes := fmt.Sprintf("%.1f MB", float64(e.facts.Bytes)/1e6)
	if e.facts.Bytes < 1e5 {
		bytes = fmt.Sprintf("%.1f KB", float64(e.facts.Bytes)/1e3)
	}
	size := tr("{{.Parameters}} parameters, {{.Size}}", map[string]any{"Parameters": m.Network.Parameters(), "Size": bytes})
	var facts []string
	if e.facts.Measured {
		facts = append(facts, tr("{{.Percent}} % wrong", map[string]any{"Percent": fmt.Sprintf("%.3g", e.facts.ErrorPercent)}))
	}
	if e.score != nil && e.score.samples > 0 {
		facts = append(facts, tr("of yours {{.Share}}", map[string]any{"Share": e.score.share()}))
	}
	if e.time != 0 {
		kind += " · " + duration(e.time)
	}
	return [4]string{kind, tr("{{.Count}} classes: {{.Labels}}", map[string]any{"Count": len(m.Labels), "Labels": strings.Join(m.Labels[:min(len(m.Labels), 40)], " ")}), size, strings.Join(facts, " · ")}
}

// seesWords say what a model is given of a drawing.
func seesWords(m *nn.Model) string {
	switch m.Preprocessing {
	case nn.MNIST28:
		return tr("sees a picture of 28x28")
	case "gradient512", feature.DirectionMaps:
		return tr("sees the edges of the picture")
	case feature.GradientPen:
		return tr("sees the edges of the picture and the movement of the pen")
	case feature.GradientPenMaps:
		return tr("sees the picture, its edges and the movement of the pen")
	}
	return tr("sees a {{.Picture}}", map[string]any{"Picture": m.Preprocessing})
}

// modelHead says what is known of the model that is open, and what can be done with it.
type modelHead struct {
	page                              *modelsPage
	title, words                      *label
	facts                             string
	use, rename, feed, export, remove *button
	content                           *fyne.Container
}

func newModelHead(p *modelsPage) *modelHead {
	h := &modelHead{page: p, title: newLabel("", 17, theme.ColorNameForeground).bold().ofName(), words: newLabel("", 12, colorMuted).wrapped(2)}
	h.use = newToolButton(theme.ConfirmIcon(), tr("Use"), "", func() { p.use(p.entry()) })
	h.rename = newToolButton(theme.DocumentCreateIcon(), tr("Rename…"), "", func() { p.askName(p.entry()) })
	h.feed = newToolButton(theme.SettingsIcon(), tr("Input…"), "", func() { p.feedAgain(p.entry()) })
	h.export = newToolButton(theme.DocumentSaveIcon(), tr("Export…"), "", func() { p.chooseTarget(p.entry()) })
	h.remove = newToolButton(theme.DeleteIcon(), tr("Remove"), "", func() { p.remove(p.entry()) })
	h.content = container.New(arranged{atLeast(400, 60), func(size fyne.Size) {
		x := size.Width
		for _, b := range []*button{h.remove, h.export, h.feed, h.rename, h.use} {
			if b.Visible() {
				w := b.MinSize().Width
				x -= w
				place(b, x, 0, w, headButton)
				x -= 6
			}
		}
		room, words := max(x-8, 0), h.facts
		h.title.Hidden = room < 72
		if h.title.Hidden || !h.title.whole(room) {
			words = h.title.text + " · " + words
		}
		h.words.set(words)
		middle(h.title, 0, 0, room, headButton, h.title.lineHeight())
		place(h.words, 0, headButton+4, size.Width, h.words.most())
	}}, h.title, h.words, h.use, h.rename, h.feed, h.export, h.remove)
	h.show(nil)
	return h
}

const headButton = 36

func (h *modelHead) height() float32 { return headButton + 4 + h.words.most() }

func (h *modelHead) show(e *modelEntry) {
	for _, o := range []fyne.CanvasObject{h.use, h.rename, h.feed, h.export, h.remove} {
		show(o, false)
	}
	h.title.set("")
	h.facts = ""
	if e == nil {
		rearrange(h.content)
		return
	}
	lines := e.words()
	lines[0], _, _ = strings.Cut(lines[0], " · ") // the time comes last
	words := slices.DeleteFunc(lines[:], func(line string) bool { return line == "" })
	if e.facts != nil {
		words[1] = seesWords(e.facts.Model) // its card says the classes
		if e.score != nil && e.score.samples > 0 {
			words = append(words, e.score.words())
		}
		if e.time != 0 {
			words = append(words, tr("{{.Time}} for one drawing on the CPU", map[string]any{"Time": duration(e.time)}))
		}
		if e.gpu != 0 {
			words = append(words, tr("{{.Time}} on the GPU", map[string]any{"Time": duration(e.gpu)}))
		}
	}
	h.title.set(h.page.win.modelTitle(e))
	h.facts = strings.Join(words, " · ")
	show(h.use, e.facts != nil && !h.page.inUse(e))
	show(h.rename, e.Kind == library.Imported || e.Kind == library.Trained)
	show(h.feed, e.Kind == library.Imported)
	show(h.export, e.facts != nil)
	show(h.remove, e.Removable())
	rearrange(h.content)
}
