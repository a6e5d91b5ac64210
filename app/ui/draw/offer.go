package draw

import (
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/models"
)

// showOffer says that a drawing is rather a line, or one for another model, and offers that.
func (d *Page) showOffer(o worker.Offer) {
	if o.Drawing != d.win.Worker.Sequence() || d.inLine || d.isMany || d.lesson != nil || d.last.Drawing != o.Drawing {
		return
	}
	icon, words, name := theme.ListIcon(), language.Tr("This looks like {{.Count}} characters.", map[string]any{"Count": o.Characters}), language.Tr("Read as a line")
	d.offer.OnTap = d.readAsLine
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
		d.line.result = nil
		d.line.show()
		d.line.text.say("…", widget.ColorMuted, "", words)
	} else {
		d.answer.say("…", widget.ColorMuted, "", words)
	}
}
