package samples

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"

	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/recognizer/embedding"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/mislabelled"
	"inkshade/recognizer/samples"
)

// mostCompared bounds how many samples are compared with each other, the newest, because the time grows with the square.
const mostCompared = 3000

// likeness is what comes of comparing samples.
type likeness struct {
	points map[int64][]float32 // where each lies in the embedding, by id
	doubts []mislabelled.Suspicion
	places map[int64]int // of each where similar ones stand side by side; nil where that was not asked
}

// likenessOf compares samples, of which some points are known.
func likenessOf(ctx context.Context, all []samples.Sample, known map[int64][]float32, arranged bool) (l likeness, err error) {
	var fresh []ink.Ink
	for _, s := range all {
		if known[s.ID] == nil {
			fresh = append(fresh, s.Ink)
		}
	}
	made, err := embedding.OfInks(ctx, fresh)
	if err != nil {
		return l, err
	}
	l.points = make(map[int64][]float32, len(all))
	points := make([][]float32, len(all))
	for i, s := range all {
		if points[i] = known[s.ID]; points[i] == nil {
			points[i], made = made[0], made[1:]
		}
		l.points[s.ID] = points[i]
	}
	if arranged {
		chain, err := embedding.Chain(ctx, points)
		if err != nil {
			return l, err
		}
		l.places = make(map[int64]int, len(all))
		for place, i := range chain {
			l.places[all[i].ID] = place
		}
	}
	l.doubts, err = mislabelled.Find(ctx, all, points)
	l.doubts = slices.DeleteFunc(l.doubts, func(s mislabelled.Suspicion) bool { return s.Sample.Line() })
	return l, err
}

// compare looks in the background for samples that their neighbours contradict, and for similar ones where that is chosen.
func (p *Page) compare() {
	if p.comparing != nil {
		p.comparing()
	}
	ctx, cancel := context.WithCancel(p.win.Background)
	p.comparing = cancel
	g, known := p.gallery, p.points
	all, alike := g.all[:min(len(g.all), mostCompared)], g.alike
	page.Away(p.win, func() (likeness, error) { return likenessOf(ctx, all, known, alike) }, func(l likeness, err error) {
		if err == nil && ctx.Err() == nil { // else cancelled, or ink that cannot be drawn
			p.points = l.points
			g.compared(l.doubts, l.places)
			p.show()
		}
	})
}

// arrangement is what the order of the gallery is called.
func arrangement(alike bool) string {
	if alike {
		return language.Tr("Similar side by side")
	}
	return language.Tr("Newest first")
}

// arrangements are the orders of the gallery, similar samples side by side or the newest first, as a menu has them.
func (p *Page) arrangements() (items []*fyne.MenuItem) {
	for _, alike := range []bool{false, true} {
		items = append(items, p.win.Item(&page.Command{Name: arrangement(alike), On: func() bool { return p.gallery.alike == alike }, Do: func() {
			p.gallery.alike = alike
			p.gallery.apply()
			p.show()
			p.grid.ScrollToTop()
			if alike {
				p.compare()
			}
		}}))
	}
	return items
}
