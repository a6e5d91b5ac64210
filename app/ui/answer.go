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
	v.content = container.New(&answerLayout{v}, v.glyph, v.sure, v.by, v.invite, v.seen, v.caption)
	v.setPicture(3 * ink.Side)
	v.nothing()
	return v
}

func (v *answerView) nothing() {
	v.glyph.show("", theme.ColorNameDisabled)
	v.sure.set("")
	v.by.set("")
	v.invite.set(tr("The answer appears here while you draw."))
	v.seen.show(nil, 0)
}

func (v *answerView) show(r reply) {
	v.invite.set("")
	best := r.answer.Candidates[0]
	if r.answer.Unknown {
		v.glyph.show("?", colorMuted)
		v.sure.set(tr("Not sure"))
		v.fit()
		v.by.show(tr("I don't know this one. Tell me what it is."), colorMuted)
		v.seen.show(&r.answer.Image, r.drawing)
		return
	}
	v.glyph.show(best.Label, theme.ColorNamePrimary)
	v.fit()
	v.sure.set(percent(best.Probability))
	v.by.show(tr("answered by the {{.Side}} in {{.Time}}", map[string]any{
		"Side": string(r.by), "Time": duration(r.answer.Timing.Total()),
	}), colorMuted)
	v.seen.show(&r.answer.Image, r.drawing)
}

func (v *answerView) fail(err error) {
	v.invite.set("")
	v.glyph.show("!", theme.ColorNameError)
	v.sure.set("")
	v.by.show(tr("No answer: {{.Reason}}", map[string]any{"Reason": said(err.Error())}), theme.ColorNameError)
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
	size := floor(v.picture * 0.92)
	room := floor(v.content.Size().Width * glyphShare)
	if w := fyne.MeasureText(v.glyph.text, size, v.glyph.style).Width; room > 0 && w > room {
		size = max(floor(size*room/w)-1, 12)
	}
	v.glyph.resize(size)
	h := v.glyph.MinSize().Height
	place(v.glyph, 0, floor((v.content.Size().Height-h)/2), room, h)
}

// glyphShare is the glyph's part of the width.
const glyphShare = 0.27

// largestPicture is the side of the largest picture that fits into a card's content.
func (v *answerView) largestPicture(content fyne.Size) float32 {
	room := min(content.Height-4-v.caption.MinSize().Height, content.Width*0.42)
	return max(float32(int(room/ink.Side))*ink.Side, 3*ink.Side)
}

// answerLayout: the glyph left, the picture right, the words between.
type answerLayout struct{ view *answerView }

func (l *answerLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(300, 3*ink.Side+4+l.view.caption.MinSize().Height)
}

func (l *answerLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	v, side := l.view, l.view.picture
	glyphWidth := floor(size.Width * glyphShare)
	// A caption is wider than the small picture; both share one centred column.
	column := max(side, 136)
	right := size.Width - column
	top := floor((size.Height - side - 4 - v.caption.MinSize().Height) / 2)
	place(v.seen, right+floor((column-side)/2), top, side, side)
	place(v.caption, right, top+side+4, column, v.caption.MinSize().Height)
	v.fit()
	middle := glyphWidth + 12
	sh, bh := v.sure.MinSize().Height, v.by.MinSize().Height
	y := floor((size.Height - sh - bh) / 2)
	place(v.sure, middle, y, right-middle-8, sh)
	place(v.by, middle, y+sh, right-middle-8, bh)
	ih := float32(len(v.invite.wrap(right-24))) * v.invite.lineHeight()
	place(v.invite, 0, floor((size.Height-ih)/2), right-24, v.invite.MinSize().Height)
}

func place(o fyne.CanvasObject, x, y, w, h float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(w, h))
}
