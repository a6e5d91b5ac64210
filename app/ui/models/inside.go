package models

import (
	"errors"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/glcompute"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/personal"
)

// insideView looks into a model: its layers, the weights of one and what it makes of the drawing, which pixels spoke for the answer,
// and the nearest of the person's own drawings beside each candidate. All follows the pen.
type insideView struct {
	win     *page.Frame
	model   *nn.Model // nil for none
	of      *known    // whose model it is
	shapes  []nn.Shape
	layer   int // of the network; -1 is the input
	seen    *look
	jobs    page.Latest
	engine  lookEngine // used by the jobs alone
	compact bool

	pad                    *widget.Pad
	strip                  *layerStrip
	scroll                 *container.Scroll // of the strip
	weights, values, heat  *mosaic
	ofWeights, ofValues    *widget.Label
	ofHeat, nothing, alone *widget.Label
	rows                   [page.ShownCandidates]*nearRow
	content                *fyne.Container
}

// look is what there is to show of a drawing.
type look struct {
	recognizer.View
	heat []float32 // 28x28
	near map[string]personal.Near
	inks map[int64]ink.Ink
}

func newInsideView(w *page.Frame) *insideView {
	v := &insideView{
		win: w, jobs: page.Latest{On: w}, pad: widget.NewPad(), weights: newMosaic(), values: newMosaic(), heat: newMosaic(),
		ofWeights: widget.NewLabel("", 12, widget.ColorMuted).Wrapped(2), ofValues: widget.NewLabel("", 12, widget.ColorMuted).Wrapped(2),
		ofHeat:  widget.NewLabel("", 12, widget.ColorMuted).Wrapped(2),
		nothing: widget.NewLabel("", 12, widget.ColorMuted).Wrapped(4),
		alone:   widget.NewLabel(language.Tr("The network alone, and your nearest drawings"), 12, widget.ColorMuted).Wrapped(2),
	}
	v.pad.View.Hint.Set("") // it is said under the paper
	v.pad.View.More.Set("")
	v.pad.OnInk = func(c widget.InkChange) {
		if !c.PenDown {
			w.Paper.Take(c.Ink, nil)
		}
		v.ask()
	}
	v.strip = newLayerStrip(v.choose)
	v.scroll = container.NewHScroll(v.strip)
	objs := []fyne.CanvasObject{v.scroll, v.pad, v.heat, v.ofHeat, v.weights, v.ofWeights, v.values, v.ofValues, v.nothing, v.alone}
	for i := range v.rows {
		v.rows[i] = newNearRow()
		objs = append(objs, v.rows[i])
	}
	v.content = container.New(widget.Arranged{Least: widget.AtLeast(500, 320), Put: v.put}, objs...)
	return v
}

// opened brings the drawing of the Draw page onto the paper here.
func (v *insideView) opened() {
	if k := v.win.Paper.Drawing(); !widget.SameInk(k, v.pad.Drawing()) {
		heard := v.pad.OnInk
		v.pad.OnInk = nil
		v.pad.Take(k, v.win.Paper.History.Source)
		v.pad.OnInk = heard
	}
	v.ask()
}

func (v *insideView) show(m *nn.Model, of *known) {
	if m == v.model {
		return
	}
	v.model, v.of, v.seen, v.layer, v.strip.texts = m, of, nil, 0, nil
	if m != nil {
		v.shapes, _ = m.Network.Shapes()
		v.strip.texts = layerTexts(m.Network)
	}
	v.strip.Refresh()
	v.strip.Resize(v.strip.MinSize()) // by which it is scrolled
	v.scroll.ScrollToOffset(fyne.Position{})
	v.nothing.Set(language.Tr("Draw, and see what each layer makes of it."))
	if v.readsLines() {
		v.nothing.Set(language.Tr("It reads lines: write one on Draw."))
	}
	widget.Show(v.pad, !v.readsLines())
	v.choose(0)
	v.ask()
}

func (v *insideView) readsLines() bool { return v.model != nil && v.model.Preprocessing == nn.LineMaps }

// choose shows a layer; -1 is the input.
func (v *insideView) choose(layer int) {
	v.layer = layer
	v.strip.chosen = layer + 1
	v.strip.Refresh()
	if from, to := v.strip.box(); to > 0 {
		v.scroll.ScrollToOffset(fyne.NewPos(min(max(v.scroll.Offset.X, to-v.scroll.Size().Width), from), 0))
	}
	var all []patch
	words := ""
	if v.model != nil && layer >= 0 {
		all, words = weightPatches(v.model.Network, layer, v.shapes)
	}
	v.weights.show(all)
	v.ofWeights.Set(words)
	widget.Rearrange(v.content)
	v.showSeen()
}

// ask looks at the drawing in the background.
func (v *insideView) ask() {
	m, k, book := v.model, v.pad.Drawing(), v.win.Book
	if m == nil || len(k) == 0 || v.readsLines() {
		v.jobs.Next, v.seen = nil, nil
		v.showSeen()
		return
	}
	pen := k
	if v.pad.Traced() {
		pen = nil
	}
	v.jobs.Do(func() func() {
		seen, err := v.engine.look(m, k, pen)
		if err == nil && book != nil {
			best := seen.Candidates[:min(page.ShownCandidates, len(seen.Candidates))]
			labels := widget.Map(best, func(c recognizer.Candidate) string { return c.Label })
			seen.near, seen.inks = book.Memory.Nearest(seen.Image, k, labels...), map[int64]ink.Ink{}
			for _, n := range seen.near {
				if s, err := book.Samples().Get(n.ID); err == nil {
					seen.inks[n.ID] = s.Ink
				}
			}
		}
		return func() {
			switch {
			case err != nil:
				v.ofValues.SetColored(language.Said(err), theme.ColorNameError)
			case m == v.model && len(v.pad.Drawing()) > 0:
				v.seen = seen
				v.showSeen()
			}
		}
	})
}

func (v *insideView) showSeen() {
	blank := v.seen == nil
	v.nothing.Hidden, v.alone.Hidden = !blank, blank
	for i, r := range v.rows {
		if widget.Show(r, !blank && i < len(v.seen.Candidates)); r.Visible() {
			r.show(v.seen, v.seen.Candidates[i])
		}
	}
	if blank {
		v.values.show(nil)
		v.heat.show(nil)
		v.ofValues.Set("")
		v.ofHeat.Set("")
		return
	}
	if v.layer < 0 {
		v.values.show(inputPatches(v.model, v.seen.View))
		v.ofValues.SetColored(language.Tr("Input")+valueWords(v.model.Network.Inputs[0].Shape, v.seen.Input, nil), widget.ColorMuted)
	} else {
		s, x := v.shapes[len(v.model.Network.Inputs)+v.layer], v.seen.Layers[v.layer]
		var labels []string
		if v.layer == len(v.seen.Layers)-1 {
			labels = v.model.Labels
		}
		v.values.show(valuePatches(s, x))
		v.ofValues.SetColored(language.Tr("Result")+valueWords(s, x, labels), widget.ColorMuted)
	}
	v.ofHeat.Set(heatWords(v.seen.Candidates[0].Label, v.seen.heat))
	v.heat.over(v.seen.Image.Pix, []patch{{ink.Side, ink.Side, v.seen.heat}})
}

// valueWords say how many values are above zero, and where the largest is: at a unit, maybe with a label, or a place of a channel.
func valueWords(s nn.Shape, x []float32, labels []string) string {
	above, most := 0, slices.Index(x, slices.Max(x))
	for _, value := range x {
		if value > 0 {
			above++
		}
	}
	where := fmt.Sprint(most + 1)
	switch at := most / s.Channels; {
	case labels != nil:
		where = labels[most]
	case s.Positions() > 1:
		where = language.Tr("row {{.Row}}, column {{.Column}} of channel {{.Channel}}", map[string]any{
			"Row": at/s.Width + 1, "Column": at%s.Width + 1, "Channel": most%s.Channels + 1,
		})
	}
	return language.Tr(": {{.Above}} of {{.Count}} above zero, the largest {{.Value}} at {{.Where}}", map[string]any{
		"Above": above, "Count": len(x), "Value": language.Number("%.3g", x[most]), "Where": where,
	})
}

// heatWords say which pixels spoke most for a label, and which against it.
func heatWords(label string, heat []float32) string {
	most, least := slices.Index(heat, slices.Max(heat)), slices.Index(heat, slices.Min(heat))
	return language.Tr("Blue: for {{.Label}}, most at row {{.Row}}, column {{.Column}}. Orange: against, most at row {{.OtherRow}}, column {{.OtherColumn}}.", map[string]any{
		"Label": label, "Row": most/ink.Side + 1, "Column": most%ink.Side + 1, "OtherRow": least/ink.Side + 1, "OtherColumn": least%ink.Side + 1,
	})
}

// lookEngine makes one model after the other ready to be looked into, on the processor.
type lookEngine struct {
	inside *recognizer.Inside // nil for none
}

func (e *lookEngine) look(m *nn.Model, k, pen ink.Ink) (*look, error) {
	if e.inside == nil || e.inside.Model() != m {
		e.close()
		dev, err := glcompute.Open(glcompute.CPU)
		if err != nil {
			return nil, err
		}
		if e.inside, err = recognizer.NewInside(m, dev); err != nil {
			_ = dev.Close()
			return nil, err
		}
	}
	view, err := e.inside.Look(k, pen)
	if err != nil {
		return nil, err
	}
	return &look{View: view, heat: e.inside.OnImage(view.Spoke)}, nil
}

func (e *lookEngine) close() {
	if e.inside != nil {
		_ = errors.Join(e.inside.Close(), e.inside.Device().Close())
		e.inside = nil
	}
}

// put places the layers on top, paper and heat left, the chosen layer in the middle, the candidates right. Words that change with the
// drawing have all their lines kept free, so that nothing moves under the pen.
func (v *insideView) put(size fyne.Size) {
	gap := float32(16)
	if v.compact {
		gap = 10
	}
	a := widget.Whole(size)
	a.Top(layerHeight+14, gap/2).Put(v.scroll)
	right := a.Right(widget.Floor(max(size.Width*0.25, 160)), gap)
	below := a.Bottom(v.ofHeat.Most()+4, 0)
	below.Top(2, 0)
	below.Top(v.ofHeat.Most(), 0).Put(v.ofHeat)
	side := max(widget.Floor(min((a.Size.Height-gap)/2, size.Width*0.32)/ink.Side), 3) * ink.Side // whole pixels of the picture
	left := a.Left(side, gap)
	left.Top(side, gap).Put(v.pad)
	left.Top(side, 0).Put(v.heat)
	widget.Place(v.nothing, 0, v.heat.Position().Y, side, v.nothing.Most())

	weights, values := v.ofWeights.Height(a.Size.Width)+3, v.ofValues.Most()+3
	half := widget.Floor((a.Size.Height - gap - weights - values) / 2)
	widget.Place(v.ofWeights, a.Pos.X, a.Pos.Y, a.Size.Width, v.ofWeights.Most())
	a.Top(weights, 0)
	a.Top(half, gap).Put(v.weights)
	a.Top(v.ofValues.Most(), 3).Put(v.ofValues)
	a.Top(half, 0).Put(v.values)

	widget.Place(v.alone, right.Pos.X, right.Pos.Y, right.Size.Width, v.alone.Most())
	right.Top(v.alone.Height(right.Size.Width), 4)
	row := widget.Floor(min(right.Size.Height/page.ShownCandidates, 92))
	for _, r := range v.rows {
		right.Top(row, 0).Put(r)
	}
}
