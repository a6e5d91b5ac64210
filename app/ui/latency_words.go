package ui

import (
	"fmt"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inkshade/recognizer/bench"
)

// charted are the experiments that have a chart, in the order of the choice.
var charted = []bench.Experiment{bench.Recognition, bench.Convolution, bench.HiddenUnits, bench.TrainingSamples, bench.Product, bench.SparseRows, bench.PrototypeStep}

// benchWords put a report into the language of the window. What has no values may be a sentence
// of another room.
func benchWords() bench.Words {
	return bench.Words{Join: sentences, Mark: tr("hollow points"), Say: func(text string, values ...any) string {
		if len(values) == 0 {
			return said(text)
		}
		return tr(text, values...)
	}}
}

// plotTitle says what the values are.
func plotTitle(e bench.Experiment) string {
	switch e {
	case bench.Recognition:
		return tr("Time of a recognition, 784-800-10")
	case bench.Convolution:
		return tr("Time of a recognition, convolutional network")
	case bench.HiddenUnits:
		return tr("Time of a training step, 2-h-1, {{.Count}} samples", counted(bench.FixedSamples))
	case bench.TrainingSamples:
		return tr("Time of a training step, 2-{{.Count}}-1", counted(bench.FixedHidden))
	case bench.Product:
		return tr("Speed of a product in GFLOP/s")
	case bench.SparseRows:
		return tr("Time of the first layer, 784-800, and its gradient, {{.Count}} drawings", counted(bench.FixedDrawings))
	case bench.PrototypeStep:
		return tr("Time of a step of GLVQ, {{.Count}} classes", counted(bench.ChinesePrototypes.Classes))
	}
	return ""
}

// deviceColor tells the devices of a chart apart; all are readable on a card.
func deviceColor(i int) fyne.ThemeColorName {
	colors := []fyne.ThemeColorName{
		theme.ColorNameWarning, theme.ColorNameSuccess, theme.ColorNamePrimary, colorMuted, theme.ColorNameError,
	}
	return colors[i%len(colors)]
}

// notesOf is what is said beside the charts.
func notesOf(r *bench.Report) []string {
	words := benchWords()
	var notes []string
	for _, s := range []string{words.Training(r), words.Packing(r), words.Gain(r, bench.PrototypeStep)} {
		if s != "" {
			notes = append(notes, s)
		}
	}
	notes = append(append(notes, words.Cautions(r)...), words.NotMeasured(r)...)
	if len(r.Drawings) > 0 {
		notes = append(notes, passWords())
	}
	return notes
}

// runTime writes how long a run took.
func runTime(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }
