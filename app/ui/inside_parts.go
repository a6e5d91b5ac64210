package ui

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

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
	keyed
	texts  [][3]string // of each box
	ends   []float32   // where each box ends
	chosen int         // of them
	choice func(layer int)
}

var _ desktop.Mouseable = (*layerStrip)(nil)

func newLayerStrip(choice func(layer int)) *layerStrip {
	s := &layerStrip{choice: choice}
	s.turned = s.Refresh
	s.keys = map[fyne.KeyName]func(){fyne.KeyLeft: func() { s.step(-1) }, fyne.KeyRight: func() { s.step(1) }}
	s.compose(s, container.New(arranged{func() fyne.Size {
		if len(s.ends) == 0 {
			return fyne.NewSize(0, layerHeight)
		}
		return fyne.NewSize(s.ends[len(s.ends)-1], layerHeight)
	}, func(fyne.Size) { s.build() }}))
	return s
}

// show takes the layers of a model; nil shows none.
func (s *layerStrip) show(m *nn.Model) {
	s.texts = nil
	if m != nil {
		s.texts = layerTexts(m.Network)
	}
	s.Refresh()
}

// layerTexts say of the input and of each layer what it is, its shape, and its parameters or what it reads
// where that is not the layer before.
func layerTexts(net nn.Network) [][3]string {
	shape := fmt.Sprint(net.Width())
	if len(net.Inputs) == 1 {
		shape = net.Inputs[0].Shape.String()
	}
	texts := [][3]string{{tr("input"), shape, ""}}
	for i, l := range net.Describe() {
		last := ""
		if l.Parameters > 0 {
			last = tr("{{.Count}} parameters", counted(l.Parameters))
		}
		if before := i + len(net.Inputs) - 1; !slices.Equal(l.From, []int{before}) {
			var from []string
			for _, v := range l.From {
				name := tr("input")
				if layer := v - len(net.Inputs) + 1; layer > 0 {
					name = fmt.Sprint(layer)
				}
				from = append(from, name)
			}
			last = tr("reads {{.Layers}}", map[string]any{"Layers": strings.Join(from, ", ")})
		}
		texts = append(texts, [3]string{fmt.Sprintf("%d  %s", i+1, inWords(l.Kind)), l.Shape.String(), last})
	}
	return texts
}

// choose marks a layer without telling of it; -1 is the input.
func (s *layerStrip) choose(layer int) {
	s.chosen = layer + 1
	s.Refresh()
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
	s.content.Objects, s.ends = nil, nil
	x := float32(0)
	for i, texts := range s.texts {
		width := float32(layerWidth)
		for _, text := range texts {
			width = max(width, floor(fyne.MeasureText(text, 12, fyne.TextStyle{Bold: true}).Width)+20)
		}
		ground := newFill(theme.ColorNameButton, 8).edged(colorBorder, 1)
		if i == s.chosen {
			ground.edged(theme.ColorNamePrimary, 2)
			if s.focused {
				ground.edged(theme.ColorNamePrimary, 3)
			}
		}
		place(ground, x, 0, width, layerHeight)
		s.content.Objects = append(s.content.Objects, ground)
		for j, text := range texts {
			l := newLabel(text, 12, colorMuted)
			if j == 0 {
				l = newLabel(text, 12, theme.ColorNameForeground).bold()
			}
			place(l, x+8, 5+float32(j)*l.lineHeight(), width-12, l.lineHeight())
			s.content.Objects = append(s.content.Objects, l)
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
	composed
	name, value, distance *label
	drawing               *inkView
}

func newNearRow() *nearRow {
	r := &nearRow{
		name: newLabel("", 22, theme.ColorNameForeground).bold(), value: newLabel("", 13, colorMuted),
		distance: newLabel("", 12, colorMuted).wrapped(2), drawing: newInkView(40),
	}
	r.compose(r, container.New(arranged{atLeast(160, 44), func(size fyne.Size) {
		side := min(size.Height-6, 76)
		middle(r.drawing, 0, 0, side, size.Height, side)
		x, h := side+10, r.name.lineHeight()
		top := floor((size.Height - h - r.distance.height(size.Width-x)) / 2)
		name := min(r.name.width(r.name.text)+8, (size.Width-x)/2)
		place(r.name, x, top, name, h)
		middle(r.value, x+name, top, size.Width-x-name, h, r.value.lineHeight())
		place(r.distance, x, top+h, size.Width-x, r.distance.most())
	}}, r.drawing, r.name, r.value, r.distance))
	return r
}

// show takes a candidate, nil for none, and its nearest drawing, nil for none.
func (r *nearRow) show(c *recognizer.Candidate, n *personal.Near, k ink.Ink) {
	show(r, c != nil)
	show(r.drawing, n != nil)
	if c == nil {
		return
	}
	r.name.set(c.Label)
	r.value.set(percent(c.Probability))
	r.distance.set(tr("none of yours"))
	if n != nil {
		r.drawing.show(k, n.ID)
		r.distance.set(tr("{{.Distance}} away", map[string]any{"Distance": fmt.Sprintf("%.2f", n.Distance)}))
	}
	rearrange(r.content)
}
