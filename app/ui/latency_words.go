package ui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inkshade/glcompute/program"
	"inkshade/recognizer/bench"
	"inkshade/recognizer/nn"
)

// charted are the experiments that have a chart, in the order of the choice.
var charted = []bench.Experiment{bench.Recognition, bench.HiddenUnits, bench.TrainingSamples, bench.Product}

// experimentName is a short name for the choice of the chart.
func experimentName(e bench.Experiment) string {
	switch e {
	case bench.OneDrawing:
		return tr("One drawing")
	case bench.Recognition:
		return tr("Recognition")
	case bench.HiddenUnits:
		return tr("Hidden units")
	case bench.TrainingSamples:
		return tr("Training samples")
	case bench.TrainingStep:
		return tr("Training step")
	case bench.Packing:
		return tr("Packing")
	case bench.Product:
		return tr("Products")
	}
	return string(e)
}

// plotTitle says what the values are.
func plotTitle(e bench.Experiment) string {
	switch e {
	case bench.Recognition:
		return tr("Time of a recognition, 784-800-10")
	case bench.HiddenUnits:
		return tr("Time of a training step, 2-h-1, {{.Count}} samples", map[string]any{"Count": bench.FixedSamples})
	case bench.TrainingSamples:
		return tr("Time of a training step, 2-{{.Count}}-1", map[string]any{"Count": bench.FixedHidden})
	case bench.Product:
		return tr("Speed of a product in GFLOP/s")
	}
	return ""
}

// sizeUnit is what the sizes of an experiment count.
func sizeUnit(e bench.Experiment) string {
	switch e {
	case bench.Recognition:
		return tr("drawings at once")
	case bench.HiddenUnits:
		return tr("hidden units")
	case bench.TrainingSamples:
		return tr("samples a step")
	}
	return tr("rows of a square matrix")
}

// deviceWords is what a person calls a device of the measurements.
func deviceWords(name string) string {
	switch name {
	case string(program.CPU):
		return tr("CPU")
	case string(program.Fragment):
		return tr("fragment shaders")
	case string(program.Compute):
		return tr("compute shaders")
	case bench.UnpackedName:
		return tr("unpacked")
	case bench.TexturesName:
		return tr("from textures")
	case bench.UnpackedTexturesName:
		return tr("unpacked, from textures")
	case bench.MixedName:
		return tr("CPU and GPU together")
	}
	return name
}

// deviceColor tells the devices of a chart apart; all are readable on a card.
func deviceColor(i int) fyne.ThemeColorName {
	colors := []fyne.ThemeColorName{
		theme.ColorNameWarning, theme.ColorNameSuccess, theme.ColorNamePrimary, colorMuted, theme.ColorNameError,
	}
	return colors[i%len(colors)]
}

// crossoverWords says from where on the GPU is faster.
func crossoverWords(c bench.Crossover) string {
	values := map[string]any{
		"Count": c.From, "Unit": sizeUnit(c.Experiment), "Device": deviceWords(c.Device),
		"Lead": fmt.Sprintf("%.1f", c.Lead), "Best": c.Best,
	}
	var s string
	switch {
	case c.CPUAlways():
		s = tr("The CPU is faster at every size (than {{.Device}}).", values)
	case c.Never():
		s = tr("The GPU is clearly faster at no size ({{.Device}}).", values)
	case c.Always():
		s = tr("The GPU is faster at every size ({{.Device}}, {{.Lead}} times at {{.Best}}).", values)
	case c.From != 0:
		s = tr("From {{.Count}} {{.Unit}} the GPU is faster ({{.Device}}, {{.Lead}} times at {{.Best}}).", values)
	default:
		sizes := make([]string, len(c.Wins))
		for i, n := range c.Wins {
			sizes[i] = fmt.Sprint(n)
		}
		values["Sizes"] = strings.Join(sizes, ", ")
		s = tr("The GPU is faster only at {{.Sizes}} {{.Unit}} ({{.Device}}, {{.Lead}} times at {{.Best}}).", values)
	}
	if c.Doubtful {
		s = sentences(s, tr("A reading there was disturbed."))
	}
	return s
}

// chartWords say what a chart means.
func chartWords(r *bench.Report, e bench.Experiment) string {
	var all []string
	always, never := 0, 0
	for _, c := range r.Crossovers {
		if c.Experiment != e {
			continue
		}
		all = append(all, crossoverWords(c))
		if c.CPUAlways() {
			always++
		}
		if c.Never() {
			never++
		}
	}
	switch {
	case len(all) < 2:
	case always == len(all):
		all = []string{tr("The CPU is faster at every size.")}
	case never == len(all):
		all = []string{tr("The GPU is clearly faster at no size.")}
	}
	return sentences(all...)
}

// packingWords say how many times as fast fragment shaders are with four values in a texel,
// as far as it was measured.
func packingWords(r *bench.Report) string {
	own, textures := r.Packings()
	values := map[string]any{
		"Hidden": bench.FixedHidden, "Samples": bench.FixedSamples,
		"Times": fmt.Sprintf("%.2f", own), "Textures": fmt.Sprintf("%.2f", textures),
	}
	switch {
	case own > 0 && textures > 0:
		return tr("2-{{.Hidden}}-1, {{.Samples}} samples: four values in a texel are {{.Times}} times as fast as one; read from textures, as on GPUs, {{.Textures}} times.", values)
	case own > 0:
		return tr("2-{{.Hidden}}-1, {{.Samples}} samples: four values in a texel are {{.Times}} times as fast as one.", values)
	case textures > 0:
		return tr("2-{{.Hidden}}-1, {{.Samples}} samples: four values in a texel, read from textures as on GPUs, are {{.Textures}} times as fast as one.", values)
	}
	return ""
}

// trainingWords tell how many of Inkshade's own training steps each device makes in a second,
// and whether sharing them would be used.
func trainingWords(r *bench.Report) string {
	var all []string
	var alone []time.Duration
	var best string // device, alone
	var together time.Duration
	size := 0
	for _, x := range r.Readings {
		if x.Experiment != bench.TrainingStep || x.Missing != "" || x.Median <= 0 {
			continue
		}
		size = x.Size
		all = append(all, deviceWords(x.Device)+"\u00a0"+perSecond(x.Median)) // the number in one line with what it is of
		if x.Device == bench.MixedName {
			together = x.Median
			continue
		}
		if len(alone) == 0 || x.Median < slices.Min(alone) {
			best = x.Device
		}
		alone = append(alone, x.Median)
	}
	if len(all) == 0 {
		return ""
	}
	text := tr("Training steps a second, {{.Count}} drawings each: {{.Rates}}.", map[string]any{"Count": size, "Rates": strings.Join(all, tr(", "))})
	if together == 0 || len(alone) == 0 {
		return text
	}
	values := map[string]any{
		"Device": deviceWords(best), "Least": fmt.Sprintf("%.0f", 100*(nn.SharingWins-1)),
		"Gain": fmt.Sprintf("%.2f", slices.Min(alone).Seconds()/together.Seconds()),
	}
	if (nn.Sharing{Alone: alone, Together: together}).Win() >= nn.SharingWins {
		return sentences(text, tr("Together they would be used: {{.Gain}} times as fast as the fastest alone ({{.Device}}).", values))
	}
	return sentences(text, tr("Together they would not be used: {{.Gain}} times as fast as the fastest alone ({{.Device}}); it takes a gain of {{.Least}} %.", values))
}

// perSecond is how many things of this time there are in a second.
func perSecond(d time.Duration) string {
	n := 1 / d.Seconds()
	if n < 10 {
		return fmt.Sprintf("%.1f", n)
	}
	return fmt.Sprintf("%.0f", n)
}

// cautions are what a reader of the charts must know: software, disturbances, what is
// missing.
func cautions(r *bench.Report) []string {
	var all []string
	if r.Software() {
		all = append(all, tr("The GPU is a software renderer: the processor draws, so this compares software with software."))
	}
	if disturbed, n := r.Disturbed(); disturbed > 0 {
		all = append(all, tr("{{.Count}} of {{.All}} readings were disturbed by other work (hollow points).",
			map[string]any{"Count": disturbed, "All": n}))
	}
	if r.Machine.Busy() {
		all = append(all, tr("The machine was busy before the start; all readings may be slow."))
	}
	for _, d := range r.Listed() {
		if d.Missing != "" {
			all = append(all, tr("Not measured: {{.Device}}: {{.Reason}}", map[string]any{"Device": deviceWords(d.Name), "Reason": said(d.Missing)}))
		}
	}
	told := map[string]bool{}
	for _, x := range r.Readings {
		if x.Missing != "" && !told[string(x.Experiment)+x.Device] {
			told[string(x.Experiment)+x.Device] = true
			all = append(all, tr("{{.Experiment}}, {{.Device}} {{.Size}}: {{.Reason}}", map[string]any{
				"Experiment": experimentName(x.Experiment), "Device": deviceWords(x.Device), "Size": x.Size, "Reason": said(x.Missing),
			}))
		}
	}
	return all
}

// notesOf is what is said beside the charts.
func notesOf(r *bench.Report) []string {
	var notes []string
	for _, s := range []string{trainingWords(r), packingWords(r)} {
		if s != "" {
			notes = append(notes, s)
		}
	}
	notes = append(notes, cautions(r)...)
	if len(r.Drawings) > 0 {
		notes = append(notes, passWords())
	}
	return notes
}

// runTime writes how long a run took.
func runTime(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }
