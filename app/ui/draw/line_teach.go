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
		t.lesson.before = l.page.lastSaid(t.lesson.ink)
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
		l.tell(textOf(l.all), "", nil)
	}
}

// teachText takes a typed text for that of the whole line where no character is chosen or it is near to all that was read, for that of a word
// where it is near to the one around the chosen character, and tells whether it is either. Else it is that character's.
func (l *lineMode) teachText(typed string) bool {
	i := l.index()
	if len(l.all) == 0 || i >= 0 && (utf8.RuneCountInString(typed) < 2 || slices.Contains(l.page.known(), typed)) {
		return false
	}
	if i < 0 || near(typed, l.all) {
		l.tell(typed, typed, nil)
		return true
	}
	begins := func(i int) bool { return i == 0 || l.all[i].Space || l.all[i].Line != l.all[i-1].Line }
	from, to := i, i+1
	for !begins(from) {
		from--
	}
	for to < len(l.all) && !begins(to) {
		to++
	}
	if !near(typed, l.all[from:to]) {
		return false
	}
	l.tell(strings.Join([]string{textOf(l.all[:from]), typed, textOf(l.all[to:])}, " "), typed, partsOf(l.all[from:to]))
	return true
}

// near tells whether at most half of the characters of a text differ from those that were read.
func near(text string, read []line.Character) bool {
	want, wrong := []rune(text), 0
	for _, d := range line.Differences(want, []rune(strings.TrimSpace(textOf(read)))) {
		wrong += d.Errors()
	}
	return 2*wrong <= len(want)
}

// fewRead is how many characters may be read in what is one.
const fewRead = 3

// tell has a text given to the ink of the whole line, of which only that of a word is learned where there is one. typed is
// what the entry had, or nothing.
func (l *lineMode) tell(whole, typed string, word []line.Part) {
	text, err := samples.CleanLine(strings.Join(strings.Fields(whole), " "))
	if err != nil {
		l.page.refuse(typed, err)
		return
	}
	if n := len(l.all); n > fewRead && utf8.RuneCountInString(text) == 1 && slices.Contains(l.win.Status.Labels, text) {
		l.win.Toast.Say(language.Tr("“{{.Label}}” is one character, and {{.Count}} were read: click the one that it is for.", map[string]any{"Label": text, "Count": n}))
		return
	}
	l.pad.End()
	l.win.Worker.Submit(worker.Task{Ink: l.pad.Drawing(), Line: &line.Options{Language: l.writtenIn(), Text: text}}, false)
	l.telling, l.toldOf, l.typed = l.win.Worker.Sequence(), word, typed
}

// told keeps each line with its text, once it was found where that stands.
func (l *lineMode) told(r worker.Reply) {
	l.telling = 0
	if r.Err != nil {
		l.page.refuse(l.typed, r.Err)
		l.ask(false)
		return
	}
	all, said := r.Line.Characters, r.Line.Said()
	if l.toldOf != nil {
		all = slices.DeleteFunc(slices.Clone(all), func(c line.Character) bool { return !overlap(c.Parts, l.toldOf) })
		said = slices.DeleteFunc(said, func(f line.Fixed) bool { return !about(f, l.toldOf) })
	}
	if l.win.Refuse() {
		l.pad.Fix(said)
		return
	}
	var lines []teaching
	for len(all) > 0 {
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
	text, parts := strings.TrimSpace(textOf(of)), partsOf(of)
	read := slices.DeleteFunc(slices.Clone(l.all), func(c line.Character) bool { return !overlap(c.Parts, parts) })
	was := samples.Answer{Label: strings.TrimSpace(textOf(read)), Probability: 1}
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
