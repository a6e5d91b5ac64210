package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

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
		invite:  newLabel("", 15, colorMuted).wrapped(2),
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
	v.say("", theme.ColorNameDisabled, "", "", tr("The answer appears here while you draw."))
}

func (v *answerView) fail(err error) {
	v.say("!", theme.ColorNameError, "", tr("No answer: {{.Reason}}", map[string]any{"Reason": said(err.Error())}), "")
	v.by.recolor(theme.ColorNameError)
}

func (v *answerView) show(r reply) {
	best := r.answer.Candidates[0]
	if r.answer.Unknown {
		v.say("?", colorMuted, tr("Not sure"), tr("I don't know this one. Tell me what it is."), "")
	} else {
		v.say(best.Label, theme.ColorNamePrimary, percent(best.Probability), tr("answered by the {{.Side}} in {{.Time}}", map[string]any{
			"Side": string(r.by), "Time": duration(r.answer.Timing.Total()),
		}), "")
	}
	v.seen.show(&r.answer.Image, r.drawing)
}

// say shows words and no picture.
func (v *answerView) say(glyph string, c fyne.ThemeColorName, sure, by, invite string) {
	v.glyph.show(glyph, c)
	v.fit()
	v.sure.set(sure)
	v.by.show(by, colorMuted)
	v.invite.set(invite)
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
