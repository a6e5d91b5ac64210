package models

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/personal"
)

// The sizes of a layer in the row of them.
const (
	layerWidth  = 92 // at least
	layerHeight = 58
	layerGap    = 8
)

// layerStrip is the input of a network and its layers in a row; a click, or the arrow keys, choose one.
type layerStrip struct {
	widget.Keyed
	texts  [][3]string // of each box
	ends   []float32   // where each box ends
	chosen int         // of them
	choice func(layer int)
}

var _ desktop.Mouseable = (*layerStrip)(nil)

func newLayerStrip(choice func(layer int)) *layerStrip {
	s := &layerStrip{choice: choice}
	s.Turned = s.Refresh
	s.Keys = map[fyne.KeyName]func(){fyne.KeyLeft: func() { s.step(-1) }, fyne.KeyRight: func() { s.step(1) }}
	s.Compose(s, container.New(widget.Arranged{Least: func() fyne.Size {
		if len(s.ends) == 0 {
			return fyne.NewSize(0, layerHeight)
		}
		return fyne.NewSize(s.ends[len(s.ends)-1], layerHeight)
	}, Put: func(fyne.Size) { s.build() }}))
	return s
}

// layerTexts say of the input and of each layer what it is, its shape, and its parameters or what it reads
// where that is not the layer before.
func layerTexts(net nn.Network) [][3]string {
	shape := fmt.Sprint(net.Width())
	if len(net.Inputs) == 1 {
		shape = net.Inputs[0].Shape.String()
	}
	texts := [][3]string{{language.Tr("input"), shape, ""}}
	for i, l := range net.Describe() {
		last := ""
		if l.Parameters > 0 {
			last = language.Tr("{{.Count}} parameters", language.Counted(l.Parameters))
		}
		if before := i + len(net.Inputs) - 1; !slices.Equal(l.From, []int{before}) {
			var from []string
			for _, v := range l.From {
				name := language.Tr("input")
				if layer := v - len(net.Inputs) + 1; layer > 0 {
					name = fmt.Sprint(layer)
				}
				from = append(from, name)
			}
			last = language.Tr("reads {{.Layers}}", map[string]any{"Layers": strings.Join(from, ", ")})
		}
		kind, _, _ := strings.Cut(l.Kind, " (") // a formula of the file's own has no name
		texts = append(texts, [3]string{fmt.Sprintf("%d  %s", i+1, language.InWords(kind)), l.Shape.String(), last})
	}
	return texts
}

// box is where that of the chosen layer begins and ends; nowhere where there is none.
func (s *layerStrip) box() (from, to float32) {
	if s.chosen >= len(s.ends) {
		return 0, 0
	}
	if s.chosen > 0 {
		from = s.ends[s.chosen-1] + layerGap
	}
	return from, s.ends[s.chosen]
}

// build makes the boxes anew: they change seldom.
func (s *layerStrip) build() {
	s.Content.Objects, s.ends = nil, nil
	x := float32(0)
	for i, texts := range s.texts {
		width := float32(layerWidth)
		for _, text := range texts {
			width = max(width, widget.Floor(fyne.MeasureText(text, 12, fyne.TextStyle{Bold: true}).Width)+20)
		}
		ground := widget.NewFill(theme.ColorNameButton, 8).Edged(widget.ColorBorder, 1)
		if i == s.chosen {
			ground.Edged(theme.ColorNamePrimary, 2)
			if s.Focused {
				ground.Edged(theme.ColorNamePrimary, 3)
			}
		}
		widget.Place(ground, x, 0, width, layerHeight)
		s.Content.Objects = append(s.Content.Objects, ground)
		for j, text := range texts {
			l := widget.NewLabel(text, 12, widget.ColorMuted)
			if j == 0 {
				l = widget.NewLabel(text, 12, theme.ColorNameForeground).Bold()
			}
			widget.Place(l, x+8, 5+float32(j)*l.LineHeight(), width-12, l.LineHeight())
			s.Content.Objects = append(s.Content.Objects, l)
		}
		s.ends = append(s.ends, x+width)
		x += width + layerGap
	}
}

// MouseDown implements desktop.Mouseable. A tap would be lost when the pointer moves by a hair, because
// what the strip lies in can be dragged.
func (s *layerStrip) MouseDown(e *desktop.MouseEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil {
		c.Focus(s)
	}
	if i := slices.IndexFunc(s.ends, func(end float32) bool { return e.Position.X < end }); i >= 0 {
		s.choice(i - 1)
	}
}

func (s *layerStrip) MouseUp(*desktop.MouseEvent) {}

// step chooses the layer beside.
func (s *layerStrip) step(by int) {
	if to := s.chosen + by; to >= 0 && to < len(s.texts) {
		s.choice(to - 1)
	}
}

// nearRow is a candidate, and the nearest drawing of the person that has its label.
type nearRow struct {
	widget.Composed
	name, value, distance *widget.Label
	drawing               *widget.InkView
}

func newNearRow() *nearRow {
	r := &nearRow{
		name: widget.NewLabel("", 22, theme.ColorNameForeground).Bold(), value: widget.NewLabel("", 13, widget.ColorMuted),
		distance: widget.NewLabel("", 12, widget.ColorMuted).Wrapped(2), drawing: widget.NewInkView(40),
	}
	r.Compose(r, container.New(widget.Arranged{Least: widget.AtLeast(160, 44), Put: func(size fyne.Size) {
		side := min(size.Height-6, 76)
		widget.Middle(r.drawing, 0, 0, side, size.Height, side)
		x, h := side+10, r.name.LineHeight()
		top := widget.Floor((size.Height - h - r.distance.Height(size.Width-x)) / 2)
		name := min(r.name.Width(r.name.Text)+8, (size.Width-x)/2)
		widget.Place(r.name, x, top, name, h)
		widget.Middle(r.value, x+name, top, size.Width-x-name, h, r.value.LineHeight())
		widget.Place(r.distance, x, top+h, size.Width-x, r.distance.Most())
	}}, r.drawing, r.name, r.value, r.distance))
	return r
}

// show takes a candidate, nil for none, and its nearest drawing, nil for none.
func (r *nearRow) show(c *recognizer.Candidate, n *personal.Near, k ink.Ink) {
	widget.Show(r, c != nil)
	widget.Show(r.drawing, n != nil)
	if c == nil {
		return
	}
	r.name.Set(c.Label)
	r.value.Set(language.Percent(c.Probability))
	r.distance.Set(language.Tr("none of yours"))
	if n != nil {
		r.drawing.Set(k, n.ID)
		r.distance.Set(language.Tr("{{.Distance}} away", map[string]any{"Distance": language.Number("%.2f", n.Distance)}))
	}
	widget.Rearrange(r.Content)
}
