package ui

import (
	"fmt"
	"math"
	"strings"
	"time"

	"inkshade/app/trainer"
	"inkshade/glcompute"
	"inkshade/recognizer/personal"
)

// oneOrMany names a number of things; one is the text for exactly one of them.
func oneOrMany(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func counted(n int) map[string]any { return map[string]any{"Count": n} }

func drawingCount(n int) string {
	return oneOrMany(n, tr("1 drawing"), tr("{{.Count}} drawings", counted(n)))
}

// headTitle is the state of the page in one line.
func headTitle(p *trainPage) string {
	switch {
	case p.trainer == nil && (p.failed != nil || p.win.opts.Open == nil):
		return tr("Your samples are not open")
	case p.trainer == nil || !p.known:
		return tr("Looking at your drawings…")
	case p.state.Samples == 0:
		return tr("There is nothing to learn from yet")
	case p.state.Missing() > 0:
		n := p.state.Missing()
		return oneOrMany(n, tr("1 more drawing is needed"), tr("{{.Count}} more drawings are needed", counted(n)))
	case p.state.New == 0:
		return tr("Everything is learned")
	case p.state.InForce == 0:
		return tr("{{.Drawings}} to learn from", map[string]any{"Drawings": drawingCount(p.state.Samples)})
	}
	return oneOrMany(p.state.New, tr("1 new drawing to learn from"), tr("{{.Count}} new drawings to learn from", counted(p.state.New)))
}

// headWords say what a training would work with.
func headWords(p *trainPage) string {
	s := p.state
	switch {
	case p.trainer == nil || !p.known:
		return ""
	case s.Samples == 0:
		return tr("Draw characters and say what they are, or write samples: at least {{.Count}}, better five of each.", counted(trainer.Enough))
	case s.Missing() > 0:
		return tr("You have {{.Drawings}}. Draw and correct some more; five of each character are a good start.", map[string]any{"Drawings": drawingCount(s.Samples)})
	}
	words := []string{oneOrMany(s.Classes, tr("{{.Drawings}} of 1 character", map[string]any{"Drawings": drawingCount(s.Samples)}),
		tr("{{.Drawings}} of {{.Classes}} characters", map[string]any{"Drawings": drawingCount(s.Samples), "Classes": s.Classes}))}
	if s.HeldOut > 0 {
		words = append(words, tr("{{.Count}} kept for testing", counted(s.HeldOut)))
	} else if len(s.Thin) < s.Classes {
		words = append(words, tr("one in five will be kept for testing"))
	}
	text := strings.Join(words, tr(", ")) + tr(".")
	switch {
	case len(s.Unknown) > 0:
		text = sentences(text, tr("New to the model: {{.Labels}}.", map[string]any{"Labels": few(s.Unknown)}))
	case s.Undecided > 0 && s.HeldOut == 0 && len(s.Thin) == s.Classes:
		text = sentences(text, tr("With five of a character, one of them is kept for testing."))
	case len(s.Thin) > 0:
		text = sentences(text, tr("Fewer than five: {{.Labels}}.", map[string]any{"Labels": few(s.Thin)}))
	}
	return text
}

// few lists labels, the first of many.
func few(labels []string) string {
	const most = 12
	if len(labels) <= most {
		return strings.Join(labels, " ")
	}
	return tr("{{.Labels}} and {{.Count}} more", map[string]any{"Labels": strings.Join(labels[:most], " "), "Count": len(labels) - most})
}

func stageTitle(s personal.Stage) string {
	switch s {
	case personal.Learning:
		return tr("Learning…")
	case personal.Measuring:
		return tr("Measuring before and after…")
	}
	return tr("Preparing…")
}

func progressWords(g personal.Progress) string {
	if g.Prepared > 0 {
		return tr("{{.Share}} done", map[string]any{"Share": fmt.Sprintf("%.0f %%", 100*g.Prepared)})
	}
	if g.Stage != personal.Learning || g.Step == 0 {
		return ""
	}
	text := tr("Step {{.Step}} of {{.Steps}}", map[string]any{"Step": g.Step, "Steps": g.Steps})
	if g.StepsPerSecond > 0 {
		text += " · " + tr("{{.Rate}} steps a second", map[string]any{"Rate": fmt.Sprintf("%.0f", g.StepsPerSecond)})
	}
	if g.Remaining > 0 {
		text += " · " + tr("{{.Time}} left", map[string]any{"Time": seconds(g.Remaining)})
	}
	return text
}

// seconds writes a time for waiting people.
func seconds(d time.Duration) string {
	s := int(math.Ceil(d.Seconds()))
	if s < 60 {
		return fmt.Sprintf("%d s", s)
	}
	return fmt.Sprintf("%d:%02d min", s/60, s%60)
}

// fewHeldOut drawings are too few to judge a model by.
const fewHeldOut = 10

// verdict says in words what a training did.
func verdict(r trainer.Report) string {
	var text string
	if c := r.HeldOut; c.Samples == 0 {
		text = tr("No drawing was kept for testing, so whether it helped could not be measured.")
	} else {
		text = tr("Wrong among your {{.Samples}} drawings kept for testing: {{.Before}} before, {{.After}} now.",
			map[string]any{"Samples": c.Samples, "Before": c.Before, "After": c.After})
	}
	if c := r.HeldOut; c.Samples > 0 && c.Samples < fewHeldOut {
		text = sentences(text, tr("So few drawings say little; draw more of each character."))
	}
	if c := r.Replay; c.Samples > 0 {
		d := 100 * (c.ErrorAfter() - c.ErrorBefore())
		points := map[string]any{"Points": fmt.Sprintf("%.2f", math.Abs(d))}
		switch {
		case math.Abs(d) < 0.005:
			text = sentences(text, tr("Errors on known characters stayed as they were."))
		case d > 0:
			text = sentences(text, tr("Errors on known characters rose by {{.Points}} points.", points))
		default:
			text = sentences(text, tr("Errors on known characters fell by {{.Points}} points.", points))
		}
	}
	return text
}

// decision says why a model was put in use or not when it was trained.
func decision(e *trainer.Entry) string {
	r := e.Report
	switch {
	case r.Overtaken:
		return tr("Another model was put in use meanwhile, so that one stayed.")
	case r.Keep && e.InForce && r.Reason == personal.AsGood:
		return tr("It is in use: it knows more characters.")
	case r.Keep && e.InForce:
		return tr("It was put in use at once.")
	case r.Keep:
		return tr("It was put in use at once; another model is in use now.")
	case e.InForce:
		return tr("It was not measurably better; you put it in use.")
	}
	switch r.Reason {
	case personal.Worse:
		return tr("It was not put in use, because it answers your drawings kept for testing worse.")
	case personal.WorseAlone:
		return tr("It was not put in use, because without the memory of your drawings it answers worse.")
	case personal.Forgets:
		return tr("It was not put in use, because it answers characters that were known worse.")
	}
	return tr("It was not measurably better, so the model before stayed in use.")
}

// alone says how the networks answer without the memory of a person's drawings.
func alone(r trainer.Report) string {
	if r.Network.Samples == 0 {
		return ""
	}
	return tr("Without the memory of your drawings: {{.Before}} wrong before, {{.After}} now.",
		map[string]any{"Before": r.Network.Before, "After": r.Network.After})
}

// standIn says why the processor did the work of the device that was asked for.
func standIn(r trainer.Report) string {
	if r.Fallback == "" {
		return ""
	}
	return tr("The CPU took over: {{.Reason}}.", map[string]any{"Reason": said(r.Fallback)})
}

// shared says how the CPU and the GPU shared the steps of a training that was to try that, with
// the gain, or why they did not. Older reports know only what did the steps.
func shared(e *trainer.Entry) string {
	c := e.Report.Choice
	if e.Options.Device != glcompute.Mixed || e.Report.Fallback != "" || c != nil && !c.Decided {
		return ""
	}
	values := map[string]any{"Device": deviceName(e.Report.Device)}
	together := e.Report.Device == string(glcompute.Mixed)
	switch {
	case c != nil && c.Lost != "":
		return tr("The GPU failed, and the CPU went on alone: {{.Reason}}.", map[string]any{"Reason": said(c.Lost)})
	case together && c != nil:
		values["Shares"], values["Gain"] = shares(c), fmt.Sprintf("%.1f", c.Win())
		return tr("CPU and GPU shared every step, {{.Shares}}: {{.Gain}} times as fast as the faster of them alone.", values)
	case together:
		return tr("CPU and GPU shared every step: together they were faster than either alone.")
	case c != nil && c.Together > 0:
		values["Alone"], values["Together"] = duration(c.Alone[c.Device()]), duration(c.Together)
		return tr("CPU and GPU together are slower here, so they are not combined: {{.Device}}, {{.Alone}} a step against {{.Together}} together.", values)
	}
	return tr("CPU and GPU together are slower here, so they are not combined: {{.Device}}.", values)
}

// shares lists what each device has of every step.
func shares(c *glcompute.Choice) string {
	var all []string
	for i, share := range c.Shares {
		side := GPU
		if c.Devices[i].Kind == glcompute.CPU {
			side = CPU
		}
		all = append(all, fmt.Sprintf("%.0f %% %s", 100*share, side))
	}
	return strings.Join(all, tr(", "))
}

// cellWords describe a cell of the confusion matrix.
func cellWords(c personal.Cell) string {
	values := map[string]any{"Want": c.Want, "Got": c.Got, "Drawings": drawingCount(len(c.Samples))}
	if c.Want == c.Got {
		return tr("{{.Want}}, answered right: {{.Drawings}}", values)
	}
	return tr("You meant {{.Want}}, it answered {{.Got}}: {{.Drawings}}", values)
}

func day(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// errorRate writes wrong answers of all and their share.
func errorRate(wrong, samples int) string {
	return fmt.Sprintf("%d / %d  (%.1f %%)", wrong, samples, 100*float64(wrong)/float64(samples))
}
