package draw

import (
	"slices"
	"strings"
	"unicode/utf8"

	"inkshade/app/state"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/worker"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/samples"
)

func (l *lineMode) teach(label string) {
	typed := label
	label, err := samples.CleanLabel(typed)
	i := l.current()
	switch {
	case err != nil:
		l.page.refuse(typed, err)
		return
	case i < 0:
		l.win.Toast.Say(language.Tr("Choose a character first: click it, or press ←."))
		return
	}
	c := l.all[i]
	now := line.Fixed{Parts: c.Parts, Label: label}
	for _, f := range l.saidOf(c.Parts) {
		now.Space = max(now.Space, f.Space)
	}
	if l.win.Refuse() {
		l.pad.Fix(l.restate(c.Parts, now))
		return
	}
	l.learn(teaching{of: []line.Character{c}, now: []line.Fixed{now}, lesson: &lesson{
		ink: c.Ink, saved: state.NewSampleOf(c, label, l.pad.Scale(), l.pad.Started.UTC()),
	}})
}

// teaching is a lesson about some characters, and what is said of them while it holds.
type teaching struct {
	of          []line.Character
	now, before []line.Fixed
	lesson      *lesson
}

// learn keeps lessons in one step.
func (l *lineMode) learn(all ...teaching) {
	var lessons []*lesson
	for i, t := range all {
		all[i].before = l.saidOf(partsOf(t.of))
		t.lesson.before = l.page.lessonAbout(t.lesson.ink)
		lessons = append(lessons, t.lesson)
	}
	l.page.learn(func(done bool) {
		for _, t := range all {
			if done {
				l.win.Trace.Write(page.Event{Event: "saved", Label: t.lesson.saved.Label})
				l.put(t.of, t.now)
				continue
			}
			l.put(t.of, t.before)
			for _, f := range t.now {
				l.forget(f)
			}
		}
		if l.page.inLine {
			l.ask(false)
		}
	}, lessons...)
}

// confirm says that all that was read is right.
func (l *lineMode) confirm() {
	switch {
	case len(l.all) == 0 || l.drawing != l.win.Worker.Sequence():
	case slices.ContainsFunc(l.all, unknown):
		l.win.Toast.Say(language.Tr("I don't know this one. Tell me what it is."))
	default:
		l.tell(textOf(l.all))
	}
}

// ofAll tells whether a text of the whole line is typed: no character is chosen, or it is far nearer to all that was read.
func (l *lineMode) ofAll(typed string) bool {
	want, wrong := []rune(typed), 0
	for _, d := range line.Differences(want, []rune(textOf(l.all))) {
		wrong += d.Errors()
	}
	return len(l.all) > 0 && (l.index() < 0 || len(want) > 1 && 2*wrong <= len(want) && !slices.Contains(l.win.Status.Labels, typed))
}

// fewRead is how many characters may be read in what is one.
const fewRead = 3

// tell has a text given to the ink of the whole line.
func (l *lineMode) tell(typed string) {
	text, err := samples.CleanLine(strings.Join(strings.Fields(typed), " "))
	if err != nil {
		l.page.refuse(typed, err)
		return
	}
	if n := len(l.all); n > fewRead && utf8.RuneCountInString(text) == 1 && slices.Contains(l.win.Status.Labels, text) {
		l.win.Toast.Say(language.Tr("{{.Label}} is one character, and {{.Count}} were read: click the one that it is for.", map[string]any{"Label": text, "Count": n}))
		return
	}
	l.pad.End()
	l.win.Worker.Submit(worker.Task{Ink: l.pad.Drawing(), Line: &line.Options{Language: l.writtenIn(), Text: text}}, false)
	l.telling = l.win.Worker.Sequence()
}

// told keeps each line with its text, once it was found where that stands.
func (l *lineMode) told(r worker.Reply) {
	l.telling = 0
	if r.Err != nil {
		l.win.Tell(r.Err)
		l.ask(false)
		return
	}
	said := r.Line.Said()
	if l.win.Refuse() {
		l.pad.Fix(said)
		return
	}
	var lines []teaching
	for all := r.Line.Characters; len(all) > 0; {
		n := 1
		for n < len(all) && all[n].Line == all[0].Line {
			n++
		}
		lines = append(lines, l.lineOf(all[:n], said[:n]))
		all, said = all[n:], said[n:]
	}
	again := func(t teaching) bool {
		was := l.page.lessonAbout(t.lesson.ink)
		return was != nil && was.saved.Label == t.lesson.saved.Label
	}
	if slices.ContainsFunc(lines, func(t teaching) bool { return !again(t) }) {
		lines = slices.DeleteFunc(lines, again)
	}
	l.learn(lines...)
}

// lineOf is the lesson about a line whose characters are known: one sample with its text, or that of a single character.
func (l *lineMode) lineOf(of []line.Character, said []line.Fixed) teaching {
	text, parts := textOf(of), partsOf(of)
	read := slices.DeleteFunc(slices.Clone(l.all), func(c line.Character) bool { return c.Line != of[0].Line })
	was := samples.Answer{Label: textOf(read), Probability: 1}
	for _, c := range read {
		was.Probability = min(was.Probability, c.Confidence)
	}
	var k ink.Ink // the strokes that they have ink of, in the order in which they were written
	for i, stroke := range l.pad.Drawing() {
		if slices.ContainsFunc(parts, func(p line.Part) bool { return p.Stroke == i }) {
			k = append(k, stroke)
		}
	}
	s := state.NewSample(text, k, l.pad.Scale(), l.pad.Started.UTC(), nil)
	s.Answered, s.Context = was, utf8.RuneCountInString(text) > 1
	s.Correction = !s.Context && was.Label != text
	return teaching{of: of, now: said, lesson: &lesson{ink: s.Ink, saved: s}}
}

func partsOf(of []line.Character) (parts []line.Part) {
	for _, c := range of {
		parts = append(parts, c.Parts...)
	}
	return parts
}

func (l *lineMode) saidOf(ink []line.Part) []line.Fixed {
	return slices.DeleteFunc(slices.Clone(l.pad.History.Fixed), func(f line.Fixed) bool { return !about(f, ink) })
}

// put says something of characters in place of what was said of them before, where their ink is still on the paper.
func (l *lineMode) put(of []line.Character, now []line.Fixed) {
	k := l.pad.Drawing()
	for _, c := range of {
		for i, p := range c.Parts {
			if p.Stroke >= len(k) || p.Last >= len(k[p.Stroke]) || !slices.Equal(k[p.Stroke][p.First:p.Last+1], c.Ink[i]) {
				return
			}
		}
	}
	l.pad.History.Fixed = l.restate(partsOf(of), now...)
}

// forget takes what was said out of the states that undo goes back to.
func (l *lineMode) forget(f line.Fixed) {
	for i, s := range l.pad.History.Past {
		l.pad.History.Past[i].Fixed = slices.DeleteFunc(slices.Clone(s.Fixed), func(g line.Fixed) bool {
			return g.Label == f.Label && slices.Equal(g.Parts, f.Parts)
		})
	}
}
