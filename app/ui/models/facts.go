package models

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/state"
	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
)

// dataSets are the names of what models that ship were tested on, by file.
var dataSets = map[string]string{
	"train-images-idx3-ubyte.gz": "MNIST", "pendigits-train.gz": "Pendigits", "strokes.jsonl.gz": "Chars74K", "all.jsonl.gz": "UNIPEN",
	"digits.jsonl.gz": "UNIPEN", "upper.jsonl.gz": "UNIPEN", "lower.jsonl.gz": "UNIPEN", "symbols.jsonl.gz": "UNIPEN",
}

// testedOn names what a model was tested on, as far as that is known.
func (e *modelEntry) testedOn() string {
	if e.facts == nil {
		return ""
	}
	names := e.facts.TestedOn
	if e.Kind == state.Shipped {
		names = widget.Map(names, func(file string) string { return dataSets[file] })
		slices.Sort(names)
	}
	return strings.Join(slices.Compact(names), ", ")
}

// seesWords say what a model is given of a drawing.
func seesWords(preprocessing string) string {
	switch preprocessing {
	case nn.LineMaps:
		return language.Tr("sees the movement of the pen along a line")
	case nn.MNIST28:
		return language.Tr("sees a picture of 28x28")
	case "gradient512", feature.DirectionMaps:
		return language.Tr("sees the edges of the picture")
	case feature.GradientPen:
		return language.Tr("sees the edges of the picture and the movement of the pen")
	case feature.GradientPenMaps:
		return language.Tr("sees the picture, its edges and the movement of the pen")
	}
	return language.Tr("sees a {{.Picture}}", map[string]any{"Picture": preprocessing})
}

// showClasses shows what a model can answer, in rows: the toolkit takes minutes to wrap thousands.
func (p *Page) showClasses(e *modelEntry) {
	const width = 560
	words := func() *widget.Label { return widget.NewLabel("", 14, theme.ColorNameForeground) }
	rows, measured, end := []string{}, words(), float32(width)
	for _, label := range e.facts.Labels {
		label = widget.Readable(label) + "  "
		if end += measured.Width(label); end > width {
			rows, end = append(rows, ""), measured.Width(label)
		}
		rows[len(rows)-1] += label
	}
	list := toolkit.NewList(func() int { return len(rows) }, func() fyne.CanvasObject { return words() }, func(i int, o fyne.CanvasObject) { o.(*widget.Label).Set(rows[i]) })
	list.HideSeparators, list.OnSelected = true, list.Unselect
	p.win.Dialog(p.title(e), list, fyne.NewSize(width+60, 420))
}
