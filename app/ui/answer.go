package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/recognizer"
	"inkshade/recognizer/ink"
)

// answerView is the answer in large type, how sure it is, who gave it, and what the
// network saw.
type answerView struct {
	glyph, sure, by, caption *label
	invite                   *label // stands there while there is no answer
	seen                     *thumbnail
	content                  *fyne.Container
	picture                  float32 // the side of what the network saw
}

func newAnswerView() *answerView {
	v := &answerView{
		glyph:   newLabel("", 128, theme.ColorNamePrimary).bold().aligned(fyne.TextAlignCenter),
		sure:    newLabel("", 24, theme.ColorNameForeground).bold(),
		by:      newLabel("", 13, colorMuted).wrapped(3),
		invite:  newLabel(tr("The answer appears here while you draw."), 15, colorMuted).wrapped(2),
		caption: newLabel(tr("What the network saw"), 12, colorMuted).aligned(fyne.TextAlignCenter),
		seen:    newThumbnail(),
	}
	v.content = container.New(arranged{
		func() fyne.Size { return fyne.NewSize(300, 3*ink.Side+4+v.caption.lineHeight()) }, v.put,
	}, v.glyph, v.sure, v.by, v.invite, v.seen, v.caption)
	v.setPicture(3 * ink.Side)
	v.nothing()
	return v
}

func (v *answerView) nothing() {
	v.say("", theme.ColorNameDisabled, "", "")
}

func (v *answerView) fail(err error) {
	v.say("!", theme.ColorNameError, "", tr("No answer: {{.Reason}}", map[string]any{"Reason": said(err.Error())}))
	v.by.recolor(theme.ColorNameError)
}

func (v *answerView) show(r reply) {
	best := r.answer.Candidates[0]
	if r.answer.Unknown {
		v.say("?", colorMuted, tr("Not sure"), tr("I don't know this one. Tell me what it is."))
	} else {
		v.say(best.Label, theme.ColorNamePrimary, percent(best.Probability), tr("answered by the {{.Side}} in {{.Time}}", map[string]any{
			"Side": string(r.by), "Time": duration(r.answer.Timing.Total()),
		}))
	}
	v.seen.show(&r.answer.Seen, r.drawing)
}

// say shows words and no picture.
func (v *answerView) say(glyph string, c fyne.ThemeColorName, sure, by string) {
	v.glyph.show(glyph, c)
	v.fit()
	v.sure.set(sure)
	v.by.show(by, colorMuted)
	show(v.invite, glyph == "")
	v.seen.show(nil, 0)
}

// setPicture scales the view by the side of the picture, which is a multiple of the
// network's own, so that each of its pixels is a square of whole units.
func (v *answerView) setPicture(side float32) {
	v.picture = side
	v.fit()
	if side < 100 {
		v.sure.resize(21)
		v.by.resize(12)
	} else {
		v.sure.resize(26)
		v.by.resize(13)
	}
}

// fit gives the glyph the size of the picture, and a longer label what its width allows.
func (v *answerView) fit() {
	room := floor(v.content.Size().Width * glyphShare)
	v.glyph.resizeWithin(floor(v.picture*0.92), room-1)
	middle(v.glyph, 0, 0, room, v.content.Size().Height, v.glyph.lineHeight())
}

// glyphShare is the glyph's part of the width.
const glyphShare = 0.27

// largestPicture is the side of the largest picture that fits into a card's content.
func (v *answerView) largestPicture(content fyne.Size) float32 {
	room := min(content.Height-4-v.caption.lineHeight(), content.Width*0.42)
	return max(float32(int(room/ink.Side))*ink.Side, 3*ink.Side)
}

// put places the glyph left, the picture right, the words between.
func (v *answerView) put(size fyne.Size) {
	// A caption is wider than the small picture; both share one centred column.
	side, under := v.picture, v.caption.lineHeight()
	column := max(side, 136)
	right := size.Width - column
	top := floor((size.Height - side - 4 - under) / 2)
	place(v.seen, right+floor((column-side)/2), top, side, side)
	place(v.caption, right, top+side+4, column, under)
	v.fit()
	left := floor(size.Width*glyphShare) + 12
	sh, bh := v.sure.most(), v.by.most()
	y := floor((size.Height - sh - bh) / 2)
	place(v.sure, left, y, right-left-8, sh)
	place(v.by, left, y+sh, right-left-8, bh)
	place(v.invite, 0, floor((size.Height-v.invite.height(right-24))/2), right-24, v.invite.most())
}

const shownCandidates = 5

// candidateList is the best candidates as bars. All rows are always there, so that
// nothing moves when values change.
type candidateList struct {
	rows    []*candidateRow
	content *fyne.Container
}

func newCandidateList() *candidateList {
	l := &candidateList{}
	l.content = container.New(arranged{
		func() fyne.Size {
			return fyne.NewSize(l.rows[0].MinSize().Width, shownCandidates*l.rows[0].MinSize().Height)
		}, l.put,
	})
	for range shownCandidates {
		row := newCandidateRow()
		l.rows = append(l.rows, row)
		l.content.Add(row)
	}
	return l
}

// put gives every row the same share of the height; the last ones go where there is no room for
// all.
func (l *candidateList) put(size fyne.Size) {
	fit := len(l.rows)
	for fit > 1 && float32(fit)*l.rows[0].MinSize().Height > size.Height+0.5 {
		fit--
	}
	h := size.Height / float32(fit)
	for i, row := range l.rows {
		show(row, i < fit)
		place(row, 0, floor(float32(i)*h), size.Width, floor(h))
	}
}

// speaks is the least probability of a candidate for which something speaks.
const speaks = 0.0005

// show takes candidates, best first; nil empties the rows. Those for which nothing speaks are left
// out, and where the answer is unknown the first of them is none to be stressed.
func (l *candidateList) show(c []recognizer.Candidate, unknown bool) {
	if i := slices.IndexFunc(c, func(x recognizer.Candidate) bool { return x.Probability < speaks }); i > 0 {
		c = c[:i]
	}
	width := float32(shortLabel)
	for _, x := range c[:min(len(c), len(l.rows))] {
		width = max(width, min(fyne.MeasureText(x.Label, candidateText, fyne.TextStyle{Bold: true}).Width+2, longLabel))
	}
	for i, row := range l.rows {
		row.labelWidth, row.strong, row.candidate = width, i == 0 && !unknown, nil
		if i < len(c) {
			row.candidate = &c[i]
		}
	}
	if l.content.Visible() {
		l.fill()
	}
}

func (l *candidateList) fill() {
	for _, row := range l.rows {
		row.fill()
	}
}

// candidateRow is one label, its bar and its probability.
type candidateRow struct {
	pickable
	barRow
	strong     bool    // it is the answer
	labelWidth float32 // the same for all rows
}

// Labels of one character have one width; longer ones get room up to a limit.
const (
	candidateText = 18
	shortLabel    = 24
	longLabel     = 96
)

func newCandidateRow() *candidateRow {
	c := &candidateRow{labelWidth: shortLabel, barRow: barRow{
		newLabel("", candidateText, theme.ColorNameForeground).bold(), newLabel("", 14, colorMuted).aligned(fyne.TextAlignTrailing), newBar(),
	}}
	c.veiled(6)
	c.compose(c, container.New(arranged{atLeast(200, 21), func(size fyne.Size) {
		c.veil.Resize(size)
		c.put(0, size.Width, size.Height, c.labelWidth+10, 76, 10)
	}}, append([]fyne.CanvasObject{c.veil}, c.objects()...)...))
	return c
}

func (c *candidateRow) fill() {
	name, share, tone, words, spans := "", "", colorAccentSoft, colorMuted, []span(nil)
	if c.strong {
		tone, words = theme.ColorNamePrimary, theme.ColorNameForeground
	}
	if x := c.candidate; x != nil {
		name, share, spans = x.Label, percent(x.Probability), []span{{0, x.Probability, tone}}
	}
	c.name.set(name)
	c.value.show(share, words)
	c.bar.show(spans...)
	c.ground()
	rearrange(c.content)
}

// pickable is the base of what shows a candidate that a tap, or Enter, says it was.
type pickable struct {
	pressable
	candidate *recognizer.Candidate // nil for none
	veil      *fill                 // shows where the pointer and the focus are
	onTap     func(recognizer.Candidate)
}

var _ fyne.Disableable = (*pickable)(nil)

// veiled gives it a veil of that radius, and makes it pickable.
func (p *pickable) veiled(radius float32) {
	p.veil, p.turned = newFill("", radius), p.ground
	p.usable = func() bool { return p.onTap != nil && p.candidate != nil }
	p.press = func() { p.onTap(*p.candidate) }
	p.pressedBy(fyne.KeyReturn, fyne.KeyEnter)
}

// ground shows whether the row can be pressed, by the pointer or by a key.
func (p *pickable) ground() {
	color, edge, width := fyne.ThemeColorName(""), fyne.ThemeColorName(""), float32(0)
	if p.hovered && p.usable() {
		color = theme.ColorNameHover
	}
	if p.focused {
		edge, width = theme.ColorNamePrimary, 2
	}
	p.veil.edged(edge, width).recolor(color)
}

// The focus passes over one without a candidate.
func (p *pickable) Enable()        {}
func (p *pickable) Disable()       {}
func (p *pickable) Disabled() bool { return !p.usable() }
