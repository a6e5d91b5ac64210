package draw

import (
	"strings"
	"time"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/glyph"
	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/recognizer"
)

// manyPanel is for a model of many classes: the grid of candidates, and a line of text that every confirmed character is appended to.
type manyPanel struct {
	grid       *glyph.Grid
	text       *widget.Entry
	copy, more *widget.Button
	unicode    *widget.Button // copies LaTeX symbols as signs
	drawing    uint64         // that the last character came from
	last       string         // what was appended for it
	shownAt    time.Time      // the last answer; while the pen is down, new characters every so often are enough
	content    *fyne.Container
}

const panelRow = 36 // height of the line of text

func newManyPanel(d *Page) *manyPanel {
	p := &manyPanel{text: widget.NewEntry(language.Tr("Confirmed characters"))}
	copies := func(text string) {
		if text != "" {
			d.win.CopyText(text)
		}
	}
	p.copy = widget.NewQuietButton(13, func() { copies(p.text.Text) }).Rename(nil, language.Tr("Copy"))
	p.unicode = widget.NewQuietButton(13, func() {
		signs := glyph.InUnicode(p.text.Text)
		if copies(signs); strings.Contains(signs, `\`) {
			d.win.Toast.Say(language.Tr("Copied: {{.Text}}. Unicode has no sign for what is still a command.", map[string]any{"Text": signs}))
		}
	}).Rename(nil, language.Tr("Unicode"))
	p.unicode.Hide()
	p.more = widget.NewQuietButton(13, func() { d.setMore(!p.grid.More) }).Rename(theme.MoreHorizontalIcon(), language.Tr("More"))
	p.grid = glyph.NewGrid(func(c recognizer.Candidate) {
		d.entry.SetText("")
		d.win.Win.Canvas().Unfocus()
		d.teach(c.Label)
		d.setMore(false)
	})
	d.entry.OnChanged = d.offerTyped
	p.text.Scroll, p.text.Most = fyne.ScrollNone, 4000 // of many drawings
	row := widget.Beside(4, widget.Rest(p.text), p.copy, p.unicode, p.more)
	p.content = container.NewBorder(nil, widget.Sized(0, panelRow, row), nil, nil, p.grid.Content)
	p.content.Hide()
	return p
}

// collect appends what a drawing is, in place of what was said of the same drawing before.
func (p *manyPanel) collect(label string, drawing uint64) {
	text := p.text.Text
	if drawing == p.drawing {
		text = strings.TrimSuffix(text, p.last)
	}
	p.drawing, p.last = drawing, glyph.Collected(label)
	p.write(text + p.last)
}

// drop takes what a lesson collected off the end of the line, which then has what was said before, if anything was.
func (p *manyPanel) drop(l *lesson) {
	if text, ends := strings.CutSuffix(p.text.Text, glyph.Collected(l.saved.Label)); ends {
		p.last = ""
		if l.before != nil {
			p.last = glyph.Collected(l.before.saved.Label)
		}
		p.write(text + p.last)
	}
}

func (p *manyPanel) takeBack() {
	p.drawing = 0
	if text, ends := strings.CutSuffix(p.text.Text, " "); ends {
		p.write(text[:strings.LastIndex(text, " ")+1])
	} else if text != "" {
		_, last := utf8.DecodeLastRuneInString(text)
		p.write(text[:len(text)-last])
	}
}

func (p *manyPanel) write(text string) {
	p.text.SetText(text)
	p.text.CursorColumn = len([]rune(text))
	p.text.Refresh()
}

// setMany shows the candidates as a model of many classes has them, or as bars.
func (d *Page) setMany(many bool) {
	d.isMany = many
	d.setMore(false)
	d.offer.Hide()
	d.line.pad.View.Hint.Set(map[bool]string{false: language.Tr("Write a number or a word here")}[many])
	widget.Show(d.many.content, many && !d.inLine)
	widget.Show(d.candidates.content, !many || d.inLine)
	widget.Rearrange(d.content)
}

// setMore shows as many candidates as have room in place of all that is beside the paper.
func (d *Page) setMore(on bool) {
	if on == d.many.grid.More || on && !d.many.content.Visible() {
		return
	}
	widget.Show(d.cards[0], !on && !d.inLine)
	widget.Show(d.cards[2], !on)
	d.many.grid.SetMore(on)
	d.many.more.Rename(nil, map[bool]string{false: language.Tr("More"), true: language.Tr("Fewer")}[on])
	widget.Rearrange(d.content)
}

// readable are the classes that can be read as what is typed, where the model has many: those of the answer first, that of the
// chosen character on a line.
func (d *Page) readable(typed string) []recognizer.Candidate {
	all := d.many.grid.Answer
	if d.inLine {
		i := d.line.index()
		if i < 0 {
			return nil
		}
		all = glyph.Listed(d.line.all[i])
	}
	if typed == "" || !d.isMany {
		return nil
	}
	in := map[string]bool{}
	for _, c := range all {
		in[c.Label] = true
	}
	for _, l := range d.known() {
		if !in[l] && (d.classes.Allows(l) || l == typed) {
			all = append(all, recognizer.Candidate{Label: l})
			in[l] = true
		}
	}
	return glyph.Found(typed, all)
}

// offerTyped shows what can be read as what is typed, or the answer again.
func (d *Page) offerTyped(typed string) {
	found := d.readable(typed)
	switch {
	case !d.inLine:
		d.many.grid.Offer(found, typed)
	case found != nil:
		d.candidates.show(found, false)
	default:
		d.line.show()
	}
}

// teachTyped teaches what was typed or, where that is no class but the pinyin of characters or a command, the first of these.
func (d *Page) teachTyped(typed string) {
	if d.inLine && d.line.teachText(typed) {
		return
	}
	if c := d.readable(typed); len(c) > 0 {
		typed = c[0].Label
	}
	d.teach(typed)
}

// manyKey does what a key does where the model has many classes, and tells whether it did anything.
func (d *Page) manyKey(k fyne.KeyName) bool {
	switch {
	case !d.many.content.Visible():
		return false
	case k == fyne.KeyPageDown:
		d.setMore(true)
	case k == fyne.KeyPageUp, k == fyne.KeyEscape && d.many.grid.More:
		d.setMore(false)
	case k == fyne.KeyReturn, k == fyne.KeyEnter:
		if d.last.Drawing == d.win.Worker.Sequence() && !d.last.Answer.Unknown {
			d.many.grid.PickNth(0)
		}
	case k == fyne.KeyBackspace && (len(d.pad.Drawing()) == 0 || d.pad.Done):
		d.many.takeBack()
	default:
		return false
	}
	return true
}
