package samples

import (
	"cmp"
	"maps"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
)

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
	return slices.SortedFunc(maps.Values(by), func(a, b results) int { return cmp.Compare(a.writer, b.writer) })
}

func (r results) words() string {
	if r.asked == 0 {
		return language.Tr("{{.Writer}}: {{.Samples}} samples", map[string]any{"Writer": r.writer, "Samples": r.samples})
	}
	return language.Tr("{{.Writer}}: {{.Samples}} samples, {{.Wrong}} of {{.Asked}} answers wrong",
		map[string]any{"Writer": r.writer, "Samples": r.samples, "Wrong": r.wrong, "Asked": r.asked})
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

// showWriters names the writer whose samples are shown, where any has a name.
func (p *Page) showWriters() {
	p.writers.Hidden = len(p.gallery.writers()) == 0 && p.gallery.query.writer == ""
	p.writers.Rename(theme.MenuDropDownIcon(), cmp.Or(p.gallery.query.writer, language.Tr("All writers")))
}
