package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
)

// Sentences are words of a report in English.
func Sentences(all []*message.Message) string {
	var words []string
	for _, one := range all {
		words = append(words, one.String())
	}
	return strings.Join(words, " ")
}

// Name is what a person calls an experiment.
func (e Experiment) Name() *message.Message { return experiments[e].name }

// Title says in one line what was measured.
func (e Experiment) Title() string { return experiments[e].title }

// Unit is what the sizes of an experiment count; nil where it has one size without a unit.
func (e Experiment) Unit() *message.Message { return experiments[e].unit }

// names are what people call contestants.
var names = map[string]*message.Message{
	string(glcompute.CPU):      message.Text("CPU"),
	string(glcompute.Fragment): message.Text("fragment shaders"),
	string(glcompute.Compute):  message.Text("compute shaders"),
	UnpackedName:               message.Text("unpacked"),
	TexturesName:               message.Text("from textures"),
	UnpackedTexturesName:       message.Text("unpacked, from textures"),
	MixedName:                  message.Text("CPU and GPU together"),
	FragmentReductionName:      message.Text("by reduction"),
	ComputeReductionName:       message.Text("by reduction"),
	FragmentTilesName:          message.Text("by tiles"),
	ComputeTilesName:           message.Text("by tiles"),
	OneCoreName:                message.Text("one core, plain loops"),
	OneCoreBLASName:            message.Text("one core with BLAS"),
}

// NameOf is what a person calls a contestant.
func NameOf(name string) *message.Message { return cmp.Or(names[name], message.Text("%s", name)) }

// Words say from where on the GPU is faster.
func (c Crossover) Words() []*message.Message {
	device, unit, lead := NameOf(c.Device), c.Experiment.Unit(), fmt.Sprintf("%.1f", c.Lead)
	var words *message.Message
	switch {
	case c.CPUAlways():
		words = message.Text("The CPU is faster at every size measured (than %s).", device)
	case c.Never():
		words = message.Text("At no size measured is the GPU clearly faster (%s).", device)
	case c.Always():
		words = message.Text("The GPU is faster at every size measured (%s, %s times at %d).", device, lead, c.Best)
	case c.From != 0:
		words = message.Text("From %d %s the GPU is faster (%s, %s times at %d).", c.From, unit, device, lead, c.Best)
	default:
		sizes := strings.Trim(strings.ReplaceAll(fmt.Sprint(c.Wins), " ", ", "), "[]")
		words = message.Text("The GPU is faster only at %s %s (%s, %s times at %d).", sizes, unit, device, lead, c.Best)
	}
	if c.Doubtful {
		return []*message.Message{words, message.Text("A reading there was disturbed.")}
	}
	return []*message.Message{words}
}

// Chart says in sentences what the readings of an experiment mean.
func (r *Report) Chart(e Experiment) (all []*message.Message) {
	if e == SparseRows {
		return r.sparse()
	}
	count, always, never := 0, 0, 0
	for _, c := range r.Crossovers {
		if c.Experiment != e {
			continue
		}
		count++
		all = append(all, c.Words()...)
		if c.CPUAlways() {
			always++
		}
		if c.Never() {
			never++
		}
	}
	switch {
	case count < 2:
	case always == count:
		return []*message.Message{message.Text("The CPU is faster at every size measured.")}
	case never == count:
		return []*message.Message{message.Text("At no size measured is the GPU clearly faster.")}
	}
	return all
}

// sparse says for all devices up to which share of ink sparse rows win; empty where nothing was
// measured.
func (r *Report) sparse() []*message.Message {
	var all *message.Message
	for _, d := range r.Devices {
		switch percent, ok := r.SparseLimit(d.Name); {
		case !ok:
		case percent == 0:
			all = listed(all, message.Text("%s: at no share", NameOf(d.Name)))
		default:
			all = listed(all, message.Text("%s: up to %d %% ink", NameOf(d.Name), percent))
		}
	}
	if all == nil {
		return nil
	}
	return []*message.Message{message.Text("Reading only the pixels with ink is faster than reading whole rows (%s).", all)}
}

// Gain says how many times as fast as one core each device learns prototypes where it does best.
func (r *Report) Gain(e Experiment) (all []*message.Message) {
	best := map[string]Gain{}
	for _, g := range r.Gains() {
		if g.Experiment == e && g.Plain > best[g.Device].Plain {
			best[g.Device] = g
		}
	}
	for _, d := range r.Devices {
		if g, ok := best[d.Name]; ok {
			all = append(all, message.Text("Prototypes, %s: %.1f times one core in plain loops and %.1f times one with BLAS, in mini-batches of %d.", NameOf(d.Name), g.Plain, g.BLAS, g.Size))
		}
	}
	return all
}

// PackingWords say how many times as fast fragment shaders are with four values in a texel, as far as
// it was measured.
func (r *Report) PackingWords() []*message.Message {
	own, textures := r.Packings()
	switch {
	case own > 0 && textures > 0:
		return []*message.Message{message.Text("2-%d-1, %d samples: four values in a texel are %.2f times as fast as one; read from textures, as on GPUs, %.2f times.", FixedHidden, FixedSamples, own, textures)}
	case own > 0:
		return []*message.Message{message.Text("2-%d-1, %d samples: four values in a texel are %.2f times as fast as one.", FixedHidden, FixedSamples, own)}
	case textures > 0:
		return []*message.Message{message.Text("2-%d-1, %d samples: four values in a texel, read from textures as on GPUs, are %.2f times as fast as one.", FixedHidden, FixedSamples, textures)}
	}
	return nil
}

// Training tells how many of Inkshade's own training steps each device makes in a second, and
// whether sharing them would be used.
func (r *Report) Training() []*message.Message {
	var rates *message.Message
	var alone []time.Duration
	var best string // device, alone
	var together time.Duration
	size := 0
	for _, x := range r.Readings {
		if x.Experiment != TrainingStep || x.Missing != nil || x.Median <= 0 {
			continue
		}
		size = x.Size
		second, form := 1/x.Median.Seconds(), "%.0f"
		if second < 10 {
			form = "%.1f"
		}
		rates = listed(rates, message.Text("%s\u00a0%s", NameOf(x.Device), fmt.Sprintf(form, second))) // the number in one line with what it is of
		if x.Device == MixedName {
			together = x.Median
			continue
		}
		if len(alone) == 0 || x.Median < slices.Min(alone) {
			best = x.Device
		}
		alone = append(alone, x.Median)
	}
	if rates == nil {
		return nil
	}
	all := []*message.Message{message.Text("Training steps a second, %d drawings each: %s.", size, rates)}
	if together == 0 || len(alone) == 0 {
		return all
	}
	gain := (&glcompute.Choice{Alone: alone, Together: together}).Win()
	if gain >= glcompute.SharingWins {
		return append(all, message.Text("Together they would be used: %.2f times as fast as the fastest alone (%s).", gain, NameOf(best)))
	}
	return append(all, message.Text("Together they would not be used: %.2f times as fast as the fastest alone (%s), where sharing must gain %.0f %%.",
		gain, NameOf(best), 100*(glcompute.SharingWins-1)))
}

// listed puts one more behind a list; nil is an empty one.
func listed(list, one *message.Message) *message.Message {
	if list == nil {
		return one
	}
	return message.Text("%s, %s", list, one)
}

// Cautions are what a reader of the times must know: software and disturbances, which mark tells; nil leaves these out.
func (r *Report) Cautions(mark *message.Message) (all []*message.Message) {
	if r.Software() {
		all = append(all, message.Text("The GPU is a software renderer: the processor draws, so this compares software with software."))
	}
	if disturbed, n := r.Disturbed(); mark != nil && disturbed > 0 {
		all = append(all, message.Text("%d of %d readings were disturbed by other work (%s).", disturbed, n, mark))
	}
	if r.Machine.Busy() {
		all = append(all, message.Text("The machine was busy before the start; all readings may be slow."))
	}
	return all
}

// NotMeasured says what was not measured and why, each reason once.
func (r *Report) NotMeasured() (all []*message.Message) {
	for _, d := range r.Listed() {
		if d.Missing != nil {
			all = append(all, d.Why())
		}
	}
	told := map[string]bool{}
	for _, x := range r.Readings {
		if x.Missing != nil && !told[string(x.Experiment)+x.Device] {
			told[string(x.Experiment)+x.Device] = true
			all = append(all, message.Text("%s, %s %d: %s", x.Experiment.Name(), NameOf(x.Device), x.Size, x.Missing))
		}
	}
	return all
}

// Why says why a device takes no part.
func (d Device) Why() *message.Message {
	return message.Text("Not measured: %s: %s", NameOf(d.Name), d.Missing)
}
