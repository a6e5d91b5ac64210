package train

import (
	"fmt"
	"math"
	"strings"
	"time"

	"inkshade/app/state"
	"inkshade/app/state/device"
	"inkshade/app/ui/language"
	"inkshade/glcompute"
	"inkshade/recognizer/personal"
)

func headTitle(p *Page) string {
	switch {
	case p.win.Book == nil && (p.failed != nil || !p.win.Keeps):
		return language.Tr("Your samples are not open")
	case p.win.Book == nil || !p.known:
		return language.Tr("Looking at your drawings…")
	case p.state.Samples == 0:
		return language.Tr("There is nothing to learn from yet")
	case p.state.Missing() > 0 && p.lines():
		n := p.state.Missing()
		return language.OneOrMany(n, language.Tr("1 more line is needed"), language.Tr("{{.Count}} more lines are needed", language.Counted(n)))
	case p.state.Missing() > 0:
		n := p.state.Missing()
		return language.OneOrMany(n, language.Tr("1 more drawing is needed"), language.Tr("{{.Count}} more drawings are needed", language.Counted(n)))
	case p.state.New == 0:
		return language.Tr("Everything is learned")
	case p.lines():
		return language.OneOrMany(p.state.New, language.Tr("1 new line to learn from"), language.Tr("{{.Count}} new lines to learn from", language.Counted(p.state.New)))
	case p.state.Active == 0:
		return language.Tr("{{.Drawings}} to learn from", map[string]any{"Drawings": language.DrawingCount(p.state.Samples - p.state.HeldOut)})
	}
	return language.OneOrMany(p.state.New, language.Tr("1 new drawing to learn from"), language.Tr("{{.Count}} new drawings to learn from", language.Counted(p.state.New)))
}

// headWords say which model learns, and from what.
func headWords(p *Page) string {
	s := p.state
	switch {
	case p.win.Book == nil || !p.known:
		return ""
	case p.lines() && s.Missing() > 0:
		return language.Tr("Write lines on Draw and confirm or correct them: {{.Count}} are a start, 20 are better.", language.Counted(state.EnoughSamples))
	case p.lines():
		text := lineCount(s.Samples)
		if s.HeldOut > 0 {
			text += language.Tr(", ") + language.Tr("{{.Count}} kept for testing", language.Counted(s.HeldOut))
		}
		return language.Sentences(language.About(p.base(), text+language.Tr(".")), language.Tr("It takes a minute or so."))
	case s.Samples == 0:
		return language.Tr("Draw characters and say what they are, or write samples: at least {{.Count}}, better five of each.", language.Counted(state.EnoughSamples))
	case s.Missing() > 0:
		return language.Tr("You have {{.Drawings}}. Draw and correct some more; five of each character are a good start.", map[string]any{"Drawings": language.DrawingCount(s.Samples)})
	}
	words := []string{language.OneOrMany(s.Classes, language.Tr("{{.Drawings}} of 1 character", map[string]any{"Drawings": language.DrawingCount(s.Samples)}),
		language.Tr("{{.Drawings}} of {{.Classes}} characters", map[string]any{"Drawings": language.DrawingCount(s.Samples), "Classes": s.Classes}))}
	if s.HeldOut > 0 {
		words = append(words, language.Tr("{{.Count}} kept for testing", language.Counted(s.HeldOut)))
	} else if len(s.Thin) < s.Classes {
		words = append(words, language.Tr("one in five will be kept for testing"))
	}
	text := language.About(p.model, strings.Join(words, language.Tr(", "))+language.Tr("."))
	if s.Cut > 0 {
		text = language.Sentences(text, language.OneOrMany(s.Cut, language.Tr("1 more was cut out of running text, and is left out."),
			language.Tr("{{.Count}} more were cut out of running text, and are left out.", language.Counted(s.Cut))))
	}
	switch {
	case len(s.Unknown) > 0:
		text = language.Sentences(text, language.Tr("New to the model: {{.Labels}}.", map[string]any{"Labels": language.Few(s.Unknown)}))
	case s.Undecided > 0 && s.HeldOut == 0 && len(s.Thin) == s.Classes:
		text = language.Sentences(text, language.Tr("With five of a character, one of them is kept for testing."))
	case len(s.Thin) > 0:
		text = language.Sentences(text, language.Tr("Fewer than five: {{.Labels}}.", map[string]any{"Labels": language.Few(s.Thin)}))
	}
	return text
}

func lineCount(n int) string {
	return language.OneOrMany(n, language.Tr("1 line"), language.Tr("{{.Count}} lines", language.Counted(n)))
}

func stageTitle(s personal.Stage) string {
	switch s {
	case personal.Learning:
		return language.Tr("Learning…")
	case personal.Measuring:
		return language.Tr("Measuring before and after…")
	}
	return language.Tr("Preparing…")
}

func progressWords(g personal.Progress) string {
	if g.Prepared > 0 {
		return language.Tr("{{.Share}} done", map[string]any{"Share": language.Number("%.0f %%", 100*g.Prepared)})
	}
	if g.Stage != personal.Learning || g.Step == 0 {
		return ""
	}
	text := language.Tr("Step {{.Step}} of {{.Steps}}", map[string]any{"Step": g.Step, "Steps": g.Steps})
	switch rate := g.StepsPerSecond; {
	case rate >= 2:
		text += " · " + language.Tr("{{.Rate}} steps a second", map[string]any{"Rate": language.Number("%.0f", rate)})
	case rate > 0:
		text += " · " + language.Tr("{{.Time}} a step", map[string]any{"Time": language.Number("%.1f s", 1/rate)})
	}
	if g.Remaining > 0 {
		text += " · " + language.Tr("{{.Time}} left", map[string]any{"Time": seconds(g.Remaining)})
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

// fewHeldOut drawings, or characters of lines, are too few to judge a model by.
const fewHeldOut = 10

// verdict says in words what a training did, of characters or lines.
func verdict(r state.Report, lines bool) string {
	c := r.HeldOut
	values := map[string]any{"Samples": c.Samples, "Before": c.Before, "After": c.After}
	var text, few, known string
	switch {
	case c.Samples == 0 && lines:
		text = language.Tr("No line was kept for testing, so whether it helped could not be measured.")
	case c.Samples == 0:
		text = language.Tr("No drawing was kept for testing, so whether it helped could not be measured.")
	case lines:
		text = language.Tr("Wrong among the {{.Samples}} characters of your lines kept for testing: {{.Before}} before, {{.After}} now.", values)
		few = language.Tr("So few characters say little; write more lines.")
	default:
		text = language.OneOrMany(c.Samples, language.Tr("Wrong of the 1 drawing kept for testing: {{.Before}} before, {{.After}} now.", values),
			language.Tr("Wrong among the {{.Samples}} drawings kept for testing: {{.Before}} before, {{.After}} now.", values))
		few = language.Tr("So few drawings say little; draw more of each character.")
	}
	if c.Samples >= fewHeldOut {
		few = ""
	}
	if c := r.Replay; c.Samples > 0 {
		d := 100 * (c.ErrorAfter() - c.ErrorBefore())
		points := map[string]any{"Points": language.Number("%.2f", math.Abs(d))}
		switch {
		case math.Abs(d) < 0.005:
			known = language.Tr("Errors on known characters stayed as they were.")
		case d > 0:
			known = language.Tr("Errors on known characters rose by {{.Points}} points.", points)
		default:
			known = language.Tr("Errors on known characters fell by {{.Points}} points.", points)
		}
	}
	return language.Sentences(text, few, known)
}

// decision says why a model was put in use or not when it was trained.
func decision(e *state.Training) string {
	r := e.Report
	switch {
	case r.Overtaken:
		return language.Tr("Another model was put in use meanwhile, so that one stayed.")
	case r.Keep && e.Active && r.Reason == personal.AsGood:
		return language.Tr("It is in use: it knows more characters.")
	case r.Keep && e.Active:
		return language.Tr("It was put in use at once.")
	case r.Keep:
		return language.Tr("It was put in use at once; another model is in use now.")
	case e.Active:
		return language.Tr("It was not measurably better; you put it in use.")
	}
	switch r.Reason {
	case personal.Worse:
		return language.Tr("It was not put in use, because it answers the drawings kept for testing worse.")
	case personal.WorseAlone:
		return language.Tr("It was not put in use, because without the memory of your drawings it answers worse.")
	case personal.Forgets:
		return language.Tr("It was not put in use, because it answers characters that were known worse.")
	}
	return language.Tr("It was not measurably better, so the model before stayed in use.")
}

// alone says how the networks answer without the memory of a person's drawings.
func alone(r state.Report) string {
	if r.Network.Samples == 0 {
		return ""
	}
	return language.Tr("Without the memory of your drawings: {{.Before}} wrong before, {{.After}} now.",
		map[string]any{"Before": r.Network.Before, "After": r.Network.After})
}

// standIn says why the processor did the work of the device that was asked for.
func standIn(r state.Report) string {
	if r.Fallback.String() == "" {
		return ""
	}
	return language.Tr("The CPU took over: {{.Reason}}.", map[string]any{"Reason": language.Said(r.Fallback)})
}

// shared says how the CPU and the GPU shared the steps of a training, with the gain, or why not. Older reports know only what did them.
func shared(e *state.Training) string {
	c := e.Report.Choice
	if e.Options.Device != glcompute.Mixed || e.Report.Fallback.String() != "" || c != nil && !c.Decided {
		return ""
	}
	values := map[string]any{"Device": deviceName(e.Report.Device)}
	together := e.Report.Device == string(glcompute.Mixed)
	switch {
	case c != nil && c.Lost.String() != "":
		return language.Tr("The GPU failed, and the CPU went on alone: {{.Reason}}.", map[string]any{"Reason": language.Said(c.Lost)})
	case together && c != nil:
		values["Shares"], values["Gain"] = shares(c), language.Number("%.1f", c.Win())
		return language.Tr("CPU and GPU shared every step, {{.Shares}}: {{.Gain}} times as fast as the faster of them alone.", values)
	case together:
		return language.Tr("CPU and GPU shared every step: together they were faster than either alone.")
	case c != nil && c.Together > 0:
		values["Alone"], values["Together"] = language.Duration(c.Alone[c.Device()]), language.Duration(c.Together)
		return language.Tr("CPU and GPU together are slower here, so they are not combined: {{.Device}}, {{.Alone}} a step against {{.Together}} together.", values)
	}
	return language.Tr("CPU and GPU together are slower here, so they are not combined: {{.Device}}.", values)
}

// shares lists what each device has of every step.
func shares(c *glcompute.Choice) string {
	var all []string
	for i, share := range c.Shares {
		side := device.GPU
		if c.Devices[i].Kind == glcompute.CPU {
			side = device.CPU
		}
		all = append(all, language.Number("%.0f %% %s", 100*share, side))
	}
	return strings.Join(all, language.Tr(", "))
}

func cellWords(c personal.Cell) string {
	values := map[string]any{"Want": c.Want, "Got": c.Got, "Drawings": language.DrawingCount(len(c.Samples))}
	if c.Want == c.Got {
		return language.Tr("{{.Want}}, answered right: {{.Drawings}}", values)
	}
	return language.Tr("You meant {{.Want}}, it answered {{.Got}}: {{.Drawings}}", values)
}
