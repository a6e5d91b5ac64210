package samples

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"golang.org/x/text/unicode/norm"

	"inkshade/app/state"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/mislabelled"
	"inkshade/recognizer/samples"
)

// mostShown bounds what the gallery holds in memory: where there are more, the newest so many of those that are asked for.
const mostShown = 20000

// kind chooses samples by what is known of them.
type kind int

const (
	anyKind kind = iota
	corrected
	heldOut
	suspicious
)

// query is what a person wants to see; its zero value is everything.
type query struct {
	label  string
	writer string
	text   string
	kind   kind
}

// gallery is the samples as they are shown, and which of them are chosen.
type gallery struct {
	all     []samples.Sample // newest first
	classes []samples.Class
	counts  []samples.Class // the classes as the list has them: of the chosen writer alone
	doubts  map[int64]mislabelled.Suspicion
	right   func(*samples.Sample) bool // tells whether a person has said that the label is right
	wholes  map[[2]string]float64      // how long drawings are that were written together
	alike   bool                       // similar ones stand side by side
	places  map[int64]int              // where they do, by id; the others follow
	query   query
	shown   []samples.Sample

	selected       map[int64]bool // by id
	anchor, cursor int            // the places in shown where choosing began, and where one is
}

func newGallery() *gallery {
	return &gallery{selected: map[int64]bool{}, right: func(*samples.Sample) bool { return false }}
}

// set takes what the store has now. A class that is gone is not asked for any more.
func (g *gallery) set(all []samples.Sample, classes []samples.Class) {
	g.all, g.classes = all, parted(all, classes)
	g.wholes = wholes(all)
	if g.query.label != "" && g.class(g.query.label) == nil {
		g.query.label = ""
	}
	if !slices.ContainsFunc(all, func(s samples.Sample) bool { return s.Writer == g.query.writer }) {
		g.query.writer = ""
	}
	g.apply()
}

// ofLines is the label of all lines together, which is none of a sample.
const ofLines = "\n"

// parted puts the lines among all into a class of their own, the last.
func parted(all []samples.Sample, classes []samples.Class) []samples.Class {
	of, count := map[string]int{}, 0
	for i := range all {
		if all[i].Line() {
			of[all[i].Label]++
			count++
		}
	}
	if count == 0 {
		return classes
	}
	var rest []samples.Class
	for _, c := range classes {
		if c.Samples -= of[c.Label]; c.Samples > 0 {
			rest = append(rest, c)
		}
	}
	return append(rest, samples.Class{Label: ofLines, Samples: count})
}

// together names what a sample was written with: of one writer and session sizes can be compared, as those of c and C.
func together(s *samples.Sample) [2]string { return [2]string{s.Writer, s.Session} }

// wholes gives, of the newest samples that were written together, the length that one in ten exceeds.
func wholes(all []samples.Sample) map[[2]string]float64 {
	const enough = 200
	lengths := map[[2]string][]float64{}
	for i := range all {
		if k := together(&all[i]); k[1] != "" && !all[i].Line() && len(lengths[k]) < enough {
			lengths[k] = append(lengths[k], widget.LongerSide(all[i].Ink))
		}
	}
	out := make(map[[2]string]float64, len(lengths))
	for k, l := range lengths {
		slices.Sort(l)
		out[k] = l[len(l)*9/10]
	}
	return out
}

// total is how many samples there are, of which the gallery may hold a part.
func total(classes []samples.Class) (n int) {
	for _, c := range classes {
		n += c.Samples
	}
	return n
}

func (g *gallery) class(label string) *samples.Class {
	i := slices.IndexFunc(g.classes, func(c samples.Class) bool { return c.Label == label })
	if i < 0 {
		return nil
	}
	return &g.classes[i]
}

// compared takes the samples whose neighbours contradict them, and the places of similar ones.
func (g *gallery) compared(found []mislabelled.Suspicion, places map[int64]int) {
	g.places = places
	g.doubts = make(map[int64]mislabelled.Suspicion, len(found))
	for _, s := range found {
		g.doubts[s.Sample.ID] = s
	}
	g.apply()
}

func (g *gallery) ask(q query) {
	g.query = q
	g.apply()
}

func (g *gallery) apply() {
	text := strings.ToLower(g.query.text) // once: a whole book may have been pasted
	g.shown = slices.DeleteFunc(slices.Clone(g.all), func(s samples.Sample) bool { return !g.wants(&s, text) })
	if g.alike {
		slices.SortStableFunc(g.shown, func(a, b samples.Sample) int { return g.place(a.ID) - g.place(b.ID) })
	}
	kept := map[int64]bool{}
	for _, s := range g.chosen() {
		kept[s.ID] = true
	}
	g.count()
	last := max(len(g.shown)-1, 0)
	g.selected, g.anchor, g.cursor = kept, min(g.anchor, last), min(g.cursor, last)
}

// count counts the samples of each class that the chosen writer drew: all of them where none is chosen, or not all are in memory.
func (g *gallery) count() {
	g.counts = g.classes
	if g.query.writer == "" || len(g.all) < total(g.classes) {
		return
	}
	of := map[string]int{}
	for i := range g.all {
		switch s := &g.all[i]; {
		case s.Writer != g.query.writer:
		case s.Line():
			of[ofLines]++
		default:
			of[s.Label]++
		}
	}
	g.counts = widget.Map(g.classes, func(c samples.Class) samples.Class { return samples.Class{Label: c.Label, Samples: of[c.Label]} })
}

// place is where a sample stands among similar ones, behind all where that is not known.
func (g *gallery) place(id int64) int {
	if at, ok := g.places[id]; ok {
		return at
	}
	return len(g.places)
}

// wants tells whether a sample is asked for, with a text in small letters.
func (g *gallery) wants(s *samples.Sample, text string) bool {
	fits := g.query.label == "" || s.Label == g.query.label && !s.Line() || s.Line() && g.query.label == ofLines
	fits = fits && (g.query.writer == "" || s.Writer == g.query.writer)
	switch g.query.kind {
	case corrected:
		fits = fits && s.Correction
	case heldOut:
		fits = fits && s.HoldOut
	case suspicious:
		fits = fits && g.likely(s) != ""
	}
	return fits && slices.ContainsFunc([]string{s.Label, s.Answered.Label, s.Writer, s.Session}, func(where string) bool {
		return strings.Contains(strings.ToLower(where), text)
	})
}

// likely is the label of the drawings most like a sample, where that is another than its own, which nobody has confirmed; else empty.
func (g *gallery) likely(s *samples.Sample) string {
	if d := g.doubts[s.ID]; d.Sample.Label == s.Label && !g.right(s) {
		return d.Likely
	}
	return ""
}

// filter is the query for the store, which knows no suspicion.
func (g *gallery) filter() (f samples.Filter, whole bool) {
	f = samples.Filter{Label: g.query.label, Writer: g.query.writer, Text: g.query.text, Corrections: g.query.kind == corrected}
	if g.query.kind == heldOut {
		f.Part = samples.HeldOut
	}
	if f.Label == ofLines {
		f.Label = ""
		return f, false
	}
	return f, g.query.kind != suspicious
}

// chosen gives the selected samples in the order shown.
func (g *gallery) chosen() (chosen []samples.Sample) {
	for _, s := range g.shown {
		if g.selected[s.ID] {
			chosen = append(chosen, s)
		}
	}
	return chosen
}

func (g *gallery) labels(fits func(samples.Class) bool) (labels []string) {
	for _, c := range g.classes {
		if c.Label != ofLines && fits(c) {
			labels = append(labels, c.Label)
		}
	}
	return labels
}

func (g *gallery) thinClasses() []string { return g.labels(isThin) }

func isThin(c samples.Class) bool { return c.Samples < state.Fewest && c.Label != ofLines }

// click chooses the sample at i alone; with add it joins or leaves the others, with extend all from the last click are chosen.
func (g *gallery) click(i int, add, extend bool) {
	if i < 0 || i >= len(g.shown) {
		return
	}
	if g.cursor = i; !extend {
		g.anchor = i
	}
	id := g.shown[i].ID
	leaves := add && !extend && g.selected[id]
	if !add {
		g.selected = map[int64]bool{}
	}
	for _, s := range g.shown[min(g.anchor, i) : max(g.anchor, i)+1] {
		g.selected[s.ID] = true
	}
	if leaves {
		delete(g.selected, id)
	}
}

// move goes by so many places and chooses what is there, or all on the way. The first key shows where one stands.
func (g *gallery) move(by int, extend bool) {
	if len(g.selected) == 0 {
		by = 0
	}
	g.click(min(max(g.cursor+by, 0), len(g.shown)-1), false, extend)
}

func (g *gallery) selectAll() {
	for _, s := range g.shown {
		g.selected[s.ID] = true
	}
}

func (g *gallery) selectNone() { g.selected = map[int64]bool{} }

// results are what is known of a writer's samples: how many there are, of how many an answer was asked, and how often it was wrong.
type results struct {
	writer                string
	samples, asked, wrong int
}

// writers are the results of each writer who has a name, by name.
func (g *gallery) writers() []results {
	by := map[string]results{}
	for _, s := range g.all {
		if s.Writer == "" {
			continue
		}
		r := by[s.Writer]
		r.writer = s.Writer
		r.samples++
		if s.Answered.Label != "" {
			r.asked++
			if s.Correction {
				r.wrong++
			}
		}
		by[s.Writer] = r
	}
	return slices.SortedFunc(maps.Values(by), func(a, b results) int {
		return cmp.Or(cmp.Compare(plain(a.writer), plain(b.writer)), cmp.Compare(a.writer, b.writer))
	})
}

// plain is a name in small letters without accents.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(name))
}

func (r results) words() string {
	values := map[string]any{"Writer": r.writer, "Samples": r.samples, "Wrong": r.wrong, "Asked": r.asked}
	if r.asked == 0 {
		return language.OneOrMany(r.samples, language.Tr("{{.Writer}}: 1 sample", values), language.Tr("{{.Writer}}: {{.Samples}} samples", values))
	}
	return language.OneOrMany(r.samples, language.Tr("{{.Writer}}: 1 sample, {{.Wrong}} of {{.Asked}} answers wrong", values),
		language.Tr("{{.Writer}}: {{.Samples}} samples, {{.Wrong}} of {{.Asked}} answers wrong", values))
}

// writerItems let the samples of one writer be shown, or those of all, as a menu has them.
func (p *Page) writerItems() (items []*fyne.MenuItem) {
	item := func(name, writer string) {
		items = append(items, p.win.Item(&page.Command{
			Name: name, Do: func() { p.ask(func(q *query) { q.writer = writer }) }, On: func() bool { return p.gallery.query.writer == writer },
		}))
	}
	item(language.Tr("All writers"), "")
	for _, r := range p.gallery.writers() {
		item(r.words(), r.writer)
	}
	return items
}
