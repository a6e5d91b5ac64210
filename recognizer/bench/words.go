package bench

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"inkshade/glcompute"
)

// Words put a report into sentences, for the window in its language and for commands in English.
type Words struct {
	// Say translates a text that has {{.Name}} where a value of that name stands; values are one
	// map or none.
	Say func(text string, values ...any) string
	// Join puts sentences behind each other and leaves out empty ones.
	Join func(sentences ...string) string
	// Mark is what a disturbed reading is marked by.
	Mark string
}

// English are the words of commands.
var English = Words{
	Say: func(text string, values ...any) string {
		for _, v := range values {
			for name, value := range v.(map[string]any) {
				text = strings.ReplaceAll(text, "{{."+name+"}}", fmt.Sprint(value))
			}
		}
		return text
	},
	Join: func(sentences ...string) string {
		return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), " ")
	},
	Mark: "*",
}

// Experiment is a short name.
func (w Words) Experiment(e Experiment) string { return w.Say(experiments[e].name) }

// Unit is what the sizes of an experiment count.
func (w Words) Unit(e Experiment) string { return w.Say(experiments[e].unit) }

// Device is what a person calls a contestant.
func (w Words) Device(name string) string {
	say := w.Say
	switch name {
	case string(glcompute.CPU):
		return say("CPU")
	case string(glcompute.Fragment):
		return say("fragment shaders")
	case string(glcompute.Compute):
		return say("compute shaders")
	case UnpackedName:
		return say("unpacked")
	case TexturesName:
		return say("from textures")
	case UnpackedTexturesName:
		return say("unpacked, from textures")
	case MixedName:
		return say("CPU and GPU together")
	case FragmentReductionName, ComputeReductionName:
		return say("by reduction")
	case FragmentTilesName, ComputeTilesName:
		return say("by tiles")
	case OneCoreName:
		return say("one core, plain loops")
	case OneCoreBLASName:
		return say("one core with BLAS")
	}
	return name
}

// Crossover says from where on the GPU is faster.
func (w Words) Crossover(c Crossover) string {
	say := w.Say
	values := map[string]any{
		"Count": c.From, "Unit": w.Unit(c.Experiment), "Device": w.Device(c.Device),
		"Lead": fmt.Sprintf("%.1f", c.Lead), "Best": c.Best, "Sizes": strings.Trim(strings.ReplaceAll(fmt.Sprint(c.Wins), " ", ", "), "[]"),
	}
	var s string
	switch {
	case c.CPUAlways():
		s = say("The CPU is faster at every size (than {{.Device}}).", values)
	case c.Never():
		s = say("At no size is the GPU clearly faster ({{.Device}}).", values)
	case c.Always():
		s = say("The GPU is faster at every size ({{.Device}}, {{.Lead}} times at {{.Best}}).", values)
	case c.From != 0:
		s = say("From {{.Count}} {{.Unit}} the GPU is faster ({{.Device}}, {{.Lead}} times at {{.Best}}).", values)
	default:
		s = say("The GPU is faster only at {{.Sizes}} {{.Unit}} ({{.Device}}, {{.Lead}} times at {{.Best}}).", values)
	}
	if c.Doubtful {
		s = w.Join(s, say("A reading there was disturbed."))
	}
	return s
}

// Chart says what the readings of an experiment mean.
func (w Words) Chart(r *Report, e Experiment) string {
	if e == SparseRows {
		return w.Sparse(r)
	}
	say := w.Say
	var all []string
	always, never := 0, 0
	for _, c := range r.Crossovers {
		if c.Experiment != e {
			continue
		}
		all = append(all, w.Crossover(c))
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
		return say("The CPU is faster at every size.")
	case never == len(all):
		return say("At no size is the GPU clearly faster.")
	}
	return w.Join(all...)
}

// Gain says how many times as fast as one core each device learns prototypes where it does best.
func (w Words) Gain(r *Report, e Experiment) string {
	say := w.Say
	best := map[string]Gain{}
	for _, g := range r.Gains() {
		if g.Experiment == e && g.Plain > best[g.Device].Plain {
			best[g.Device] = g
		}
	}
	var all []string
	for _, d := range r.Devices {
		if g, ok := best[d.Name]; ok {
			all = append(all, say("Prototypes, {{.Device}}: {{.Plain}} times one core in plain loops and {{.BLAS}} times one with BLAS, in mini-batches of {{.Count}}.",
				map[string]any{"Device": w.Device(d.Name), "Plain": fmt.Sprintf("%.1f", g.Plain), "BLAS": fmt.Sprintf("%.1f", g.BLAS), "Count": g.Size}))
		}
	}
	return w.Join(all...)
}

// Packing says how many times as fast fragment shaders are with four values in a texel, as far as
// it was measured.
func (w Words) Packing(r *Report) string {
	say := w.Say
	own, textures := r.Packings()
	values := map[string]any{
		"Hidden": FixedHidden, "Samples": FixedSamples,
		"Times": fmt.Sprintf("%.2f", own), "Textures": fmt.Sprintf("%.2f", textures),
	}
	switch {
	case own > 0 && textures > 0:
		return say("2-{{.Hidden}}-1, {{.Samples}} samples: four values in a texel are {{.Times}} times as fast as one; read from textures, as on GPUs, {{.Textures}} times.", values)
	case own > 0:
		return say("2-{{.Hidden}}-1, {{.Samples}} samples: four values in a texel are {{.Times}} times as fast as one.", values)
	case textures > 0:
		return say("2-{{.Hidden}}-1, {{.Samples}} samples: four values in a texel, read from textures as on GPUs, are {{.Textures}} times as fast as one.", values)
	}
	return ""
}

// Training tells how many of Inkshade's own training steps each device makes in a second, and
// whether sharing them would be used.
func (w Words) Training(r *Report) string {
	say := w.Say
	var all []string
	var alone []time.Duration
	var best string // device, alone
	var together time.Duration
	size := 0
	for _, x := range r.Readings {
		if x.Experiment != TrainingStep || x.Missing != "" || x.Median <= 0 {
			continue
		}
		size = x.Size
		all = append(all, w.Device(x.Device)+"\u00a0"+perSecond(x.Median)) // the number in one line with what it is of
		if x.Device == MixedName {
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
	text := say("Training steps a second, {{.Count}} drawings each: {{.Rates}}.", map[string]any{"Count": size, "Rates": strings.Join(all, say(", "))})
	if together == 0 || len(alone) == 0 {
		return text
	}
	gain := (&glcompute.Choice{Alone: alone, Together: together}).Win()
	values := map[string]any{
		"Device": w.Device(best), "Least": fmt.Sprintf("%.0f", 100*(glcompute.SharingWins-1)), "Gain": fmt.Sprintf("%.2f", gain),
	}
	if gain >= glcompute.SharingWins {
		return w.Join(text, say("Together they would be used: {{.Gain}} times as fast as the fastest alone ({{.Device}}).", values))
	}
	return w.Join(text, say("Together they would not be used: {{.Gain}} times as fast as the fastest alone ({{.Device}}), where sharing must gain {{.Least}} %.", values))
}

// perSecond is how many things of this time there are in a second.
func perSecond(d time.Duration) string {
	n := 1 / d.Seconds()
	if n < 10 {
		return fmt.Sprintf("%.1f", n)
	}
	return fmt.Sprintf("%.0f", n)
}

// Cautions are what a reader of the times must know: software and disturbances.
func (w Words) Cautions(r *Report) []string {
	say := w.Say
	var all []string
	if r.Software() {
		all = append(all, say("The GPU is a software renderer: the processor draws, so this compares software with software."))
	}
	if disturbed, n := r.Disturbed(); disturbed > 0 {
		all = append(all, say("{{.Count}} of {{.All}} readings were disturbed by other work ({{.Mark}}).",
			map[string]any{"Count": disturbed, "All": n, "Mark": w.Mark}))
	}
	if r.Machine.Busy() {
		all = append(all, say("The machine was busy before the start; all readings may be slow."))
	}
	return all
}

// NotMeasured says what was not measured and why, each reason once.
func (w Words) NotMeasured(r *Report) []string {
	say := w.Say
	var all []string
	for _, d := range r.Listed() {
		if d.Missing != "" {
			all = append(all, say("Not measured: {{.Device}}: {{.Reason}}", map[string]any{"Device": w.Device(d.Name), "Reason": say(d.Missing)}))
		}
	}
	told := map[string]bool{}
	for _, x := range r.Readings {
		if x.Missing != "" && !told[string(x.Experiment)+x.Device] {
			told[string(x.Experiment)+x.Device] = true
			all = append(all, say("{{.Experiment}}, {{.Device}} {{.Size}}: {{.Reason}}", map[string]any{
				"Experiment": w.Experiment(x.Experiment), "Device": w.Device(x.Device), "Size": x.Size, "Reason": say(x.Missing),
			}))
		}
	}
	return all
}
