package models

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// patch is a matrix of values to be shown as a picture.
type patch struct {
	width, height int
	values        []float32 // row-major
}

// mosaic shows matrices of one size beside and under each other. Values above zero are blue, those below
// are orange, the more the larger they are beside the largest of all. With ink under it the colours lie over a drawing.
type mosaic struct {
	widget.Pixels
	all  []patch
	ink  []float32 // of the size of a patch; nil for none
	most float32   // the largest absolute value
}

func newMosaic() *mosaic {
	t := &mosaic{}
	t.Begin(t, 28, t.paint)
	return t
}

// show takes other patches; nil shows none.
func (t *mosaic) show(all []patch) { t.over(nil, all) }

// over takes patches that lie over ink.
func (t *mosaic) over(ink []float32, all []patch) {
	t.all, t.ink, t.most = all, ink, 0
	for _, one := range all {
		for _, v := range one.values {
			t.most = max(t.most, float32(math.Abs(float64(v))))
		}
	}
	t.Raster.Refresh()
}

// grid is how many patches stand beside each other, how many are shown, and the side of a value in pixels, below one where room lacks.
func (t *mosaic) grid(w, h int) (columns, shown int, cell float64) {
	tw, th, n := t.all[0].width, t.all[0].height, len(t.all)
	fits := func(columns, n int) float64 {
		rows := (n + columns - 1) / columns
		return min(float64(w-patchGap*(columns-1))/float64(columns*tw), float64(h-patchGap*(rows-1))/float64(rows*th))
	}
	for shown = n; ; shown = shown * 3 / 4 {
		for c := 1; c <= shown; c++ {
			if f := fits(c, shown); f > cell {
				columns, cell = c, f
			}
		}
		if cell >= 1 || shown == 1 {
			break
		}
		cell = 0
	}
	if cell > 1 {
		cell = math.Floor(cell)
	}
	return max(columns, 1), shown, cell
}

// patchGap is between patches, in pixels.
const patchGap = 2

// paint draws all patches that there is room for, with cells of whole pixels where they are not smaller than one.
func (t *mosaic) paint(w, h int) image.Image {
	clear(t.Packed.Pix)
	if len(t.all) == 0 || w == 0 || h == 0 {
		return t.Packed
	}
	columns, shown, cell := t.grid(w, h)
	tw, th := int(float64(t.all[0].width)*cell), int(float64(t.all[0].height)*cell)
	paint := t.colors()
	for i, one := range t.all[:shown] {
		left, top := i%columns*(tw+patchGap), i/columns*(th+patchGap)
		for y := range min(th, h-top) {
			row := min(int(float64(y)/cell), one.height-1) * one.width
			for x := range min(tw, w-left) {
				at := row + min(int(float64(x)/cell), one.width-1)
				t.Packed.SetRGBA(left+x, top+y, paint(at, one.values[at]))
			}
		}
	}
	return t.Packed
}

// colors gives the colour of a value at a place of a patch.
func (t *mosaic) colors() func(at int, v float32) color.RGBA {
	ground, above, below := widget.Opaque(widget.ColorTrack), widget.Opaque(theme.ColorNamePrimary), widget.Opaque(widget.ColorReadback)
	written := widget.Opaque(widget.ColorInk)
	return func(at int, v float32) color.RGBA {
		under := ground
		if t.ink != nil {
			under = color.NRGBA(widget.Mix(ground, written, 0.35*t.ink[at]))
		}
		share := v / max(t.most, 1e-12)
		if share < 0 {
			return widget.Mix(under, below, -share)
		}
		return widget.Mix(under, above, share)
	}
}

// square is the shape of values as a picture: that of an image, and of a vector of a square number a square.
func square(s nn.Shape) nn.Shape {
	if side := int(math.Round(math.Sqrt(float64(s.Channels)))); s.Positions() == 1 && side*side == s.Channels {
		return nn.Shape{Height: side, Width: side, Channels: 1}
	}
	return s
}

// inputPatches are what a network is given as pictures: its one image, or else the picture that its features are made of.
func inputPatches(m *nn.Model, v recognizer.View) []patch {
	if s := square(m.Network.Inputs[0].Shape); len(m.Network.Inputs) == 1 && s.Positions() > 1 {
		return valuePatches(s, v.Input)
	}
	return []patch{{ink.Side, ink.Side, v.Image.Pix}}
}

// valuePatches are the values [positions][channels] of a shape: a patch for each channel of an image, a near square for a vector.
func valuePatches(s nn.Shape, values []float32) []patch {
	if s.Positions() == 1 {
		width := int(math.Ceil(math.Sqrt(float64(s.Channels))))
		height := (s.Channels + width - 1) / width
		whole := make([]float32, width*height)
		copy(whole, values)
		return []patch{{width, height, whole}}
	}
	all := make([]patch, s.Channels)
	for c := range all {
		all[c] = patch{s.Width, s.Height, make([]float32, s.Positions())}
		for i := range all[c].values {
			all[c].values[i] = values[i*s.Channels+c]
		}
	}
	return all
}

func sizeText(s nn.Shape) string { return fmt.Sprintf("%dx%d", s.Height, s.Width) }

// weightPatches are the weights of a layer as pictures, with words: a filter for each channel of a convolution and the weights of each
// unit over an image, as means over the channels they read; else the whole matrix.
func weightPatches(net nn.Network, layer int, shapes []nn.Shape) (all []patch, words string) {
	l := net.Layers[layer]
	if len(l.Values) == 0 {
		return nil, language.Tr("This layer has no weights.")
	}
	weights, in := l.Values[0], shapes[l.From[0]]
	info := l.Parameters(shapes)[0]
	var over nn.Shape
	if k, pictured := l.Kind.(nn.Pictured); pictured {
		var filters bool
		if over, filters = k.Picture(in); !filters {
			over = square(over)
			words = language.Tr("Weights of {{.Count}} units, {{.Size}}", map[string]any{"Count": info.Cols, "Size": sizeText(over)})
		} else if over.Channels == 1 {
			words = language.Tr("{{.Count}} filters, {{.Size}}", map[string]any{"Count": info.Cols, "Size": sizeText(over)})
		} else {
			words = language.Tr("{{.Count}} filters, {{.Size}}, mean over {{.Channels}} channels", map[string]any{"Count": info.Cols, "Size": sizeText(over), "Channels": over.Channels})
		}
	}
	if words == "" || over.Positions() == 1 || over.Size() != info.Rows {
		transposed := make([]float32, len(weights))
		for i, v := range weights {
			transposed[i%info.Cols*info.Rows+i/info.Cols] = v
		}
		return []patch{{info.Rows, info.Cols, transposed}}, language.Tr("Weights: {{.Rows}} × {{.Columns}}, a row for each result", map[string]any{"Rows": info.Cols, "Columns": info.Rows})
	}
	for f := range info.Cols {
		one := patch{over.Width, over.Height, make([]float32, over.Positions())}
		for i := range info.Rows {
			one.values[i/over.Channels] += weights[i*info.Cols+f] / float32(over.Channels)
		}
		all = append(all, one)
	}
	return all, words
}

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
	boxes  *fyne.Container
	chosen int // of them
	choice func(layer int)
}

var _ desktop.Mouseable = (*layerStrip)(nil)

func newLayerStrip(choice func(layer int)) *layerStrip {
	s := &layerStrip{choice: choice, boxes: widget.Beside(layerGap)}
	s.Turned = s.Refresh
	s.Keys = map[fyne.KeyName]func(){fyne.KeyLeft: func() { s.step(-1) }, fyne.KeyRight: func() { s.step(1) }}
	s.Compose(s, container.NewVBox(widget.Sized(0, layerHeight, s.boxes)))
	return s
}

// layerTexts say of the input and each layer what it is, its shape, and its parameters or what it reads beside the layer before.
func layerTexts(net nn.Network) [][3]string {
	shape := fmt.Sprint(net.Width())
	if len(net.Inputs) == 1 {
		shape = net.Inputs[0].Shape.String()
	}
	texts := [][3]string{{language.Tr("input"), shape, ""}}
	for i, l := range net.Describe() {
		last := ""
		if l.Parameters > 0 {
			last = language.OneOrMany(l.Parameters, language.Tr("1 parameter"), language.Tr("{{.Count}} parameters", language.Counted(l.Parameters)))
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
			last = language.Tr("reads {{.Layers}}", map[string]any{"Layers": strings.Join(from, language.Tr(", "))})
		}
		kind, _, _ := strings.Cut(l.Kind, " (") // a formula of the file's own has no name
		texts = append(texts, [3]string{fmt.Sprintf("%d  %s", i+1, language.InWords(kind)), l.Shape.String(), last})
	}
	return texts
}

// box is where that of the chosen layer begins and ends; nowhere where there is none.
func (s *layerStrip) box() (from, to float32) {
	if s.chosen >= len(s.boxes.Objects) {
		return 0, 0
	}
	return span(s.boxes.Objects[s.chosen])
}

func span(o fyne.CanvasObject) (from, to float32) {
	return o.Position().X, o.Position().X + o.Size().Width
}

// Refresh makes the boxes anew: they change seldom.
func (s *layerStrip) Refresh() {
	s.boxes.Objects = nil
	for i, texts := range s.texts {
		width, words := float32(layerWidth), widget.Under(0)
		for j, text := range texts {
			width = max(width, widget.Floor(fyne.MeasureText(text, 12, fyne.TextStyle{Bold: true}).Width)+20)
			l := widget.NewLabel(text, 12, widget.ColorMuted)
			if j == 0 {
				l = widget.NewLabel(text, 12, theme.ColorNameForeground).Bold()
			}
			words.Add(l)
		}
		ground := widget.NewFill(theme.ColorNameButton, 8).Edged(widget.ColorBorder, 1)
		if i == s.chosen {
			ground.Edged(theme.ColorNamePrimary, 2)
			if s.Focused {
				ground.Edged(theme.ColorNamePrimary, 3)
			}
		}
		s.boxes.Add(widget.Sized(width, layerHeight, container.NewStack(ground, container.New(layout.NewCustomPaddedLayout(5, 0, 8, 4), words))))
	}
	s.Composed.Refresh()
}

// MouseDown chooses: a tap would be lost when the pointer moves by a hair, because what is around can be dragged.
func (s *layerStrip) MouseDown(e *desktop.MouseEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil {
		c.Focus(s)
	}
	under := func(o fyne.CanvasObject) bool { _, to := span(o); return e.Position.X < to }
	if i := slices.IndexFunc(s.boxes.Objects, under); i >= 0 {
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
	away                  string // how far the drawing is
	drawing               *widget.InkView
}

func newNearRow() *nearRow {
	r := &nearRow{
		name: widget.NewLabel("", nearName, theme.ColorNameForeground).Bold().OfName(), value: widget.NewLabel("", 13, widget.ColorMuted),
		distance: widget.NewLabel("", 12, widget.ColorMuted).Wrapped(2), drawing: widget.NewInkView(40),
	}
	r.Compose(r, container.New(widget.Arranged{Least: widget.AtLeast(160, 44), Put: func(size fyne.Size) {
		side := min(size.Height-6, 76)
		widget.Middle(r.drawing, 0, 0, side, size.Height, side)
		a := widget.Whole(size)
		a.Left(side, 10)
		widget.Show(r.value, r.nameWithin(a.Size.Width-r.value.Width(r.value.Text)-8, nearName, longName))
		if words := r.away; r.value.Visible() {
			r.distance.Set(words)
		} else {
			r.nameWithin(a.Size.Width, longName, 11)
			r.distance.Set(r.value.Text + " · " + words)
		}
		a.Top(widget.Floor((size.Height-r.name.LineHeight()-r.distance.Height(a.Size.Width))/2), 0)
		head := a.Top(r.name.LineHeight(), 0)
		head.Left(min(r.name.Width(r.name.Text)+8, head.Size.Width), 0).Put(r.name)
		head.Put(r.value)
		a.Top(r.distance.Most(), 0).Put(r.distance)
	}}, r.drawing, r.name, r.value, r.distance))
	return r
}

// nearName is the size of the name of a candidate, longName that of one which has no room beside its probability.
const nearName, longName = 22, 14

// nameWithin makes the name of a size no wider than that, unless it were smaller than least: then it is cut, and false.
func (r *nearRow) nameWithin(width, size, least float32) bool {
	r.name.SetSizeWithin(size, width)
	fits := r.name.TextSize >= least
	r.name.SetSize(max(r.name.TextSize, least))
	return fits
}

// show takes a candidate of what was seen, and its nearest drawing, if there is one.
func (r *nearRow) show(seen *look, c recognizer.Candidate) {
	n, some := seen.near[c.Label]
	widget.Show(r.drawing, some)
	r.name.Set(c.Label)
	r.value.Set(language.Percent(c.Probability))
	r.away = language.Tr("none of yours")
	if some {
		r.drawing.Set(seen.inks[n.ID], n.ID)
		r.away = language.Tr("{{.Distance}} away", map[string]any{"Distance": language.Number("%.2f", n.Distance)})
	}
	widget.Rearrange(r.Content)
}
