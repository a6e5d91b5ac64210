package draw

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/glyph"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/models"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
)

// answerView is the answer in large type, how sure it is, who gave it, and what the network saw.
type answerView struct {
	glyph, sure, by, caption *widget.Label
	invite                   *widget.Label // stands there while there is no answer
	seen                     *widget.Thumbnail
	content                  *fyne.Container
	picture                  float32 // the side of what the network saw
	large                    float32 // the size of how sure it is, where that has the room
}

func newAnswerView() *answerView {
	v := &answerView{
		glyph:   widget.NewLabel("", 128, theme.ColorNamePrimary).Bold().Aligned(fyne.TextAlignCenter).Wrapped(nameLines).Centred(),
		sure:    widget.NewLabel("", 24, theme.ColorNameForeground).Bold(),
		by:      widget.NewLabel("", 13, widget.ColorMuted).Wrapped(3),
		invite:  widget.NewLabel(language.Tr("The answer appears here while you draw."), 16, widget.ColorMuted).Wrapped(2),
		caption: widget.NewLabel(language.Tr("What the network saw"), 12, widget.ColorMuted).Aligned(fyne.TextAlignCenter),
		seen:    widget.NewThumbnail(),
	}
	v.content = container.New(widget.Arranged{
		Least: func() fyne.Size { return fyne.NewSize(300, 3*ink.Side+4+v.caption.LineHeight()) }, Put: v.put,
	}, v.glyph, v.sure, v.by, v.invite, v.seen, v.caption)
	v.nothing()
	return v
}

func (v *answerView) nothing() {
	v.say("", theme.ColorNameDisabled, "", "")
}

func failure(err error) string {
	return language.Tr("No answer: {{.Reason}}", map[string]any{"Reason": language.Said(err)})
}

func (v *answerView) show(r worker.Reply) {
	best := r.Answer.Candidates[0]
	if r.Answer.Unknown {
		v.say("?", widget.ColorMuted, language.Tr("Not sure"), language.Tr("I don't know this one. Tell me what it is."))
	} else {
		label, style := glyph.Printed(best.Label, fyne.TextStyle{Bold: true})
		v.glyph.Style = style
		v.say(label, theme.ColorNamePrimary, language.Percent(best.Probability), language.Tr("answered by the {{.Side}} in {{.Time}}", map[string]any{
			"Side": string(r.By), "Time": language.Duration(r.Answer.Timing.Total()),
		}))
	}
	v.seen.Set(&r.Answer.Seen, r.Drawing)
}

// say shows words and no picture.
func (v *answerView) say(glyph string, c fyne.ThemeColorName, sure, by string) {
	v.glyph.SetColored(glyph, c)
	v.sure.Set(sure)
	v.fit()
	v.by.SetColored(by, widget.ColorMuted)
	widget.Show(v.invite, glyph == "")
	v.seen.Set(nil, 0)
}

// fit gives the glyph the size of the picture, and a longer label what its width allows: a long name has lines, of whole words if it can.
// How sure the answer is stands in one line.
func (v *answerView) fit() {
	room := widget.Floor(v.content.Size().Width * glyphShare)
	v.glyph.SetSizeWithin(widget.Floor(v.picture*0.92), room-1)
	if v.glyph.TextSize < longName {
		v.glyph.SetSize(longName)
		for v.glyph.TextSize > leastName && (strings.Join(v.glyph.Wrap(room), " ") != v.glyph.Text || v.glyph.Height(room) > v.content.Size().Height) {
			v.glyph.SetSize(v.glyph.TextSize - 1)
		}
	}
	widget.Place(v.glyph, 0, 0, room, v.content.Size().Height)
	v.sure.SetSizeWithin(v.large, v.sure.Size().Width)
}

// glyphShare is the glyph's part of the width. A name that has no room in one line of size longName has up to nameLines, of leastName
// at the least.
const (
	glyphShare = 0.27
	longName   = 22
	leastName  = 14
	nameLines  = 5
)

// put places the glyph left, the words, and right the picture, as large as it can be with pixels that are squares of whole units.
func (v *answerView) put(size fyne.Size) {
	under := v.caption.LineHeight()
	v.picture = max(widget.Floor(min(size.Height-4-under, size.Width*0.42)/ink.Side), 3) * ink.Side
	v.large = 26
	v.by.SetSize(13)
	if v.picture < 100 {
		v.large = 21
		v.by.SetSize(12)
	}
	v.sure.SetSize(v.large)
	words := widget.Whole(size)
	column := words.Right(max(v.picture, 136), 8) // a caption is wider than the small picture
	words.Left(widget.Floor(size.Width*glyphShare), 12)
	column.Top(widget.Floor((size.Height-v.picture-4-under)/2), 0)
	widget.Place(v.seen, column.Pos.X+widget.Floor((column.Size.Width-v.picture)/2), column.Pos.Y, v.picture, v.picture)
	column.Top(v.picture, 4)
	column.Top(under, 0).Put(v.caption)
	sure, by := v.sure.Most(), v.by.Most()
	words.Top(widget.Floor((size.Height-sure-by)/2), 0)
	words.Top(sure, 0).Put(v.sure)
	words.Top(by, 0).Put(v.by)
	v.fit()
	width := size.Width - column.Size.Width - 24
	widget.Place(v.invite, 0, widget.Floor((size.Height-v.invite.Height(width))/2), width, v.invite.Most())
}

// candidateList is the best candidates as bars. All rows are always there, so that nothing moves when values change.
type candidateList struct {
	hint    *widget.Label // in place of candidates
	rows    []*candidateRow
	content *fyne.Container
}

// candidateRow is one label, its bar and its probability.
type candidateRow struct {
	glyph.Pickable
	widget.BarRow
	strong     bool    // it is the answer
	labelWidth float32 // the same for all rows
}

// Labels of one character have one width; longer ones get room up to a limit.
const (
	candidateText = 18
	candidateHigh = 21
	shortLabel    = 24
	longLabel     = 96
)

func newCandidateList() *candidateList {
	l := &candidateList{hint: widget.NewLabel("", 14, widget.ColorMuted).Aligned(fyne.TextAlignCenter).Wrapped(2)}
	l.content = container.New(widget.Arranged{Least: widget.AtLeast(200, page.ShownCandidates*candidateHigh), Put: l.put})
	for range page.ShownCandidates {
		c := &candidateRow{labelWidth: shortLabel, BarRow: widget.BarRow{
			Name: widget.NewLabel("", candidateText, theme.ColorNameForeground).Bold(), Value: widget.NewLabel("", 14, widget.ColorMuted).Aligned(fyne.TextAlignTrailing), Bar: widget.NewBar(),
		}}
		c.Veiled(6)
		c.Compose(c, container.New(widget.Arranged{Least: widget.AtLeast(200, candidateHigh), Put: func(size fyne.Size) {
			c.Veil.Resize(size)
			c.Put(0, size.Width, size.Height, c.labelWidth+10, 76, 10)
		}}, append(append([]fyne.CanvasObject{c.Veil}, c.Objects()...), c.Tip.Content)...))
		c.Cut = func() bool { return !c.Name.Whole(c.Name.Size().Width) }
		l.rows = append(l.rows, c)
		l.content.Add(c)
	}
	l.content.Add(l.hint)
	return l
}

// put gives every row the same share of the height; the last ones go where there is no room for all.
func (l *candidateList) put(size fyne.Size) {
	fit := min(max(int((size.Height+0.5)/candidateHigh), 1), page.ShownCandidates)
	h := size.Height / float32(fit)
	for i, row := range l.rows {
		widget.Show(row, i < fit)
		widget.Place(row, 0, widget.Floor(float32(i)*h), size.Width, widget.Floor(h))
	}
	widget.Middle(l.hint, 0, 0, size.Width, size.Height, l.hint.Height(size.Width))
}

// show takes candidates, best first; nil empties the rows. Where the answer is unknown the first of them is not stressed, and
// none has a probability, which is that of being one of those that are known.
func (l *candidateList) show(c []recognizer.Candidate, unknown bool) {
	l.suggest("")
	width := float32(shortLabel)
	for _, x := range c[:min(len(c), len(l.rows))] {
		width = max(width, min(fyne.MeasureText(x.Label, candidateText, fyne.TextStyle{Bold: true}).Width+2, longLabel))
	}
	for i, row := range l.rows {
		row.labelWidth, row.strong, row.Candidate = width, i == 0 && !unknown, nil
		if i < len(c) {
			row.Candidate = &c[i]
		}
		row.fill(unknown)
	}
}

// suggest says in place of candidates what can be done.
func (l *candidateList) suggest(text string) {
	if l.hint.Text != text {
		l.hint.Set(text)
		widget.Rearrange(l.content)
	}
}

func (c *candidateRow) fill(unknown bool) {
	name, share, tone, words, spans := "", "", widget.ColorAccentSoft, widget.ColorMuted, []widget.Span(nil)
	if c.strong {
		tone, words = theme.ColorNamePrimary, theme.ColorNameForeground
	}
	if x := c.Candidate; x != nil {
		name, share, spans = x.Label, language.Percent(x.Probability), []widget.Span{{From: 0, To: x.Probability, Color: tone}}
	}
	if unknown {
		share, spans = "", nil
	}
	c.Name.Set(name)
	c.Value.SetColored(share, words)
	c.Bar.Set(spans...)
	widget.Show(c.Bar, spans != nil)
	widget.Rearrange(c.Content)
	c.Ground()
}

// showOffer says that a drawing is rather a line, or one for another model, and offers that.
func (d *Page) showOffer(o worker.Offer) {
	if o.Drawing != d.win.Worker.Sequence() || d.inLine || d.isMany || d.lesson != nil || d.last.Drawing != o.Drawing {
		return
	}
	icon, words, name := theme.ListIcon(), language.Tr("This looks like {{.Count}} characters.", map[string]any{"Count": o.Characters}), language.Tr("Read as a line")
	d.offer.OnTap = d.readAsLine
	if o.Text != "" {
		words = language.Tr("As a line: {{.Text}}", map[string]any{"Text": o.Text})
	}
	if o.Model != "" {
		icon, words, name = theme.ConfirmIcon(), language.Tr("This looks like a letter or a sign."), language.Tr("Use {{.Model}}", map[string]any{"Model": language.ModelName(o.Model)})
		if o.Model == models.Named("chinese") {
			words = language.Tr("This looks like a Chinese character.")
		}
		d.offer.OnTap = func() { d.choose(o.Model) }
	}
	d.answer.by.Set(words)
	d.offer.Rename(icon, name)
	d.offer.Show()
	widget.Rearrange(d.content)
}

// readAsLine takes the drawing over to the wide paper, and what it was read from.
func (d *Page) readAsLine() {
	k, from := d.pad.Drawing(), scanOf(d.pad)
	if d.setLine(true); from != nil {
		d.read(*from) // finer
	} else {
		d.line.pad.SetInk(k)
	}
}

// awaiting takes away what another model has answered; the one that is being made ready answers anew.
func (d *Page) awaiting(model string) {
	if len(d.paper().Drawing()) == 0 {
		return
	}
	d.showNothing()
	words := language.Tr("{{.Model}} is being made ready…", map[string]any{"Model": language.ModelName(model)})
	if d.inLine {
		d.line.all = nil
		d.line.show()
		d.line.text.say("…", widget.ColorMuted, "", words)
	} else {
		d.answer.say("…", widget.ColorMuted, "", words)
	}
}
