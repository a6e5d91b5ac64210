package models

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/state"
	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
)

// fill shows on a card what a model reads, how large, how good and how fast it is.
func (p *Page) fill(c *widget.ListCard, e *modelEntry) {
	if c.Ground.Edged(widget.ColorBorder, 1); e == p.entry() {
		c.Ground.Edged(theme.ColorNamePrimary, 2)
	}
	role := ""
	if p.inUse(e) {
		role = language.Tr("in use")
	}
	words := e.words()
	c.Chosen = func() { p.show(e.Name) }
	c.Set(p.title(e), role, words[:]...)
}

// title is what people call a model on the page.
func (p *Page) title(e *modelEntry) string {
	if e.Kind == state.Trained {
		return cmp.Or(e.Title, fmt.Sprintf("%s @%d", language.ModelName(e.Base), e.ID))
	}
	return language.ModelName(e.Base)
}

// words are the lines of a card.
func (e *modelEntry) words() [4]string {
	kind := map[state.ModelKind]string{
		state.Shipped: language.Tr("ships with Inkshade"), state.Trained: language.Tr("trained on your samples"),
		state.Imported: language.Tr("opened by you"), state.File: language.Tr("a file"),
	}[e.Kind]
	if e.facts == nil {
		return [4]string{kind, language.Tr("It cannot be used: {{.Reason}}", map[string]any{"Reason": language.Said(e.problem)})}
	}
	m := e.facts.Model
	bytes := language.Number("%.1f MB", float64(e.facts.Bytes)/1e6)
	if e.facts.Bytes < 1e5 {
		bytes = language.Number("%.1f KB", float64(e.facts.Bytes)/1e3)
	}
	size := language.Tr("{{.Parameters}} parameters, {{.Size}}", map[string]any{"Parameters": m.Network.Parameters(), "Size": bytes})
	var facts []string
	if e.facts.Measured {
		facts = append(facts, language.Tr("test: {{.Percent}} % of {{.Count}} wrong", map[string]any{"Percent": language.Number("%.3g", e.facts.ErrorPercent), "Count": e.facts.Tested}))
	}
	if e.score != nil && e.score.samples > 0 {
		facts = append(facts, language.Tr("of yours {{.Share}}", map[string]any{"Share": e.score.share()}))
	}
	if e.time != 0 {
		kind += " · " + language.Duration(e.time)
	}
	return [4]string{kind, language.Tr("{{.Count}} classes: {{.Labels}}", map[string]any{"Count": len(m.Labels), "Labels": strings.Join(m.Labels[:min(len(m.Labels), 40)], " ")}), size, strings.Join(facts, " · ")}
}

// seesWords say what a model is given of a drawing.
func seesWords(m *nn.Model) string {
	switch m.Preprocessing {
	case nn.MNIST28:
		return language.Tr("sees a picture of 28x28")
	case "gradient512", feature.DirectionMaps:
		return language.Tr("sees the edges of the picture")
	case feature.GradientPen:
		return language.Tr("sees the edges of the picture and the movement of the pen")
	case feature.GradientPenMaps:
		return language.Tr("sees the picture, its edges and the movement of the pen")
	}
	return language.Tr("sees a {{.Picture}}", map[string]any{"Picture": m.Preprocessing})
}

// modelHead says what is known of the model that is open, and what can be done with it.
type modelHead struct {
	page                              *Page
	title, words                      *widget.Label
	facts                             string
	use, rename, feed, export, remove *widget.Button
	content                           *fyne.Container
}

func newModelHead(p *Page) *modelHead {
	h := &modelHead{page: p, title: widget.NewLabel("", 17, theme.ColorNameForeground).Bold().OfName(), words: widget.NewLabel("", 12, widget.ColorMuted).Wrapped(2)}
	h.use = widget.NewToolButton(theme.ConfirmIcon(), language.Tr("Use"), "", func() { p.use(p.entry()) })
	h.rename = widget.NewToolButton(theme.DocumentCreateIcon(), language.Tr("Rename…"), "", func() { p.askName(p.entry()) })
	h.feed = widget.NewToolButton(theme.SettingsIcon(), language.Tr("Input…"), "", func() { p.feedAgain(p.entry()) })
	h.export = widget.NewToolButton(theme.DocumentSaveIcon(), language.Tr("Export…"), "", func() { p.chooseTarget(p.entry()) })
	h.remove = widget.NewToolButton(theme.DeleteIcon(), language.Tr("Remove"), "", func() { p.remove(p.entry()) })
	h.content = container.New(widget.Arranged{Least: widget.AtLeast(400, 60), Put: func(size fyne.Size) {
		x := size.Width
		for _, b := range []*widget.Button{h.remove, h.export, h.feed, h.rename, h.use} {
			if b.Visible() {
				w := b.MinSize().Width
				x -= w
				widget.Place(b, x, 0, w, headButton)
				x -= 6
			}
		}
		room, words := max(x-8, 0), h.facts
		h.title.Hidden = room < 72
		if h.title.Hidden || !h.title.Whole(room) {
			words = h.title.Text + " · " + words
		}
		h.words.Set(words)
		widget.Middle(h.title, 0, 0, room, headButton, h.title.LineHeight())
		widget.Place(h.words, 0, headButton+4, size.Width, h.words.Most())
	}}, h.title, h.words, h.use, h.rename, h.feed, h.export, h.remove)
	h.show(nil)
	return h
}

const headButton = 36

func (h *modelHead) height() float32 { return headButton + 4 + h.words.Most() }

func (h *modelHead) show(e *modelEntry) {
	for _, o := range []fyne.CanvasObject{h.use, h.rename, h.feed, h.export, h.remove} {
		widget.Show(o, false)
	}
	h.title.Set("")
	h.facts = ""
	if e == nil {
		widget.Rearrange(h.content)
		return
	}
	lines := e.words()
	lines[0], _, _ = strings.Cut(lines[0], " · ") // the time comes last
	if e.Kind == state.Shipped {
		lines[0] += ", " + e.Name
	}
	words := slices.DeleteFunc(lines[:], func(line string) bool { return line == "" })
	if e.facts != nil {
		words[1] = seesWords(e.facts.Model) // its card says the classes
		if e.score != nil && e.score.samples > 0 {
			words = append(words, language.Tr("{{.Wrong}} of {{.Count}} of your samples kept for testing wrong", map[string]any{"Wrong": e.score.wrong, "Count": e.score.samples}))
		}
		if e.time != 0 {
			words = append(words, language.Tr("{{.Time}} for one drawing on the CPU", map[string]any{"Time": language.Duration(e.time)}))
		}
		if e.gpu != 0 {
			words = append(words, language.Tr("{{.Time}} on the GPU", map[string]any{"Time": language.Duration(e.gpu)}))
		}
	}
	h.title.Set(h.page.title(e))
	h.facts = strings.Join(words, " · ")
	widget.Show(h.use, e.facts != nil && !h.page.inUse(e))
	widget.Show(h.rename, e.Kind == state.Imported || e.Kind == state.Trained)
	widget.Show(h.feed, e.Kind == state.Imported)
	widget.Show(h.export, e.facts != nil)
	widget.Show(h.remove, e.Removable())
	widget.Rearrange(h.content)
}
