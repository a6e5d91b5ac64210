package ui

import "fyne.io/fyne/v2"

// density is how much air a page has: roomy, or compact for windows down to 900 x 600.
type density struct {
	compact bool
	margin  float32 // around the page
	gap     float32 // between cards
	inner   float32 // within a card
}

// densityOf is the density of a page of the given size.
func densityOf(page fyne.Size) density {
	if page.Width < 1100 || page.Height < 660 {
		return density{compact: true, margin: 12, gap: 8, inner: 11}
	}
	return density{margin: 20, gap: 16, inner: 18}
}

// of gives the value for this density.
func (d density) of(roomy, compact float32) float32 {
	if d.compact {
		return compact
	}
	return roomy
}
