package draw

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"

	"inkshade/app/ui/glyph"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
)

// commands are what can be done with what is on the paper.
func (d *Page) commands() []*page.Command {
	l := d.line
	const step = 12
	all := []*page.Command{
		{ID: "picture", Name: language.Tr("Read a Picture…"), Keys: "Ctrl+R", Do: d.choosePicture},
		{ID: "copy", Name: language.Tr("Copy Answer"), Keys: "Ctrl+C", Do: d.copyAnswer},
		{ID: "paste", Name: language.Tr("Paste a Picture"), Keys: "Ctrl+V", Do: d.paste},
		{ID: "crop", Name: language.Tr("Crop the Picture"), Keys: "Ctrl+Shift+R", Do: d.startCrop},
		{ID: "turn", Name: language.Tr("Turn by a Quarter"), Do: d.turn},
		{ID: "erase", Name: language.Tr("Erase Strokes"), Keys: "Ctrl+D", Do: func() {
			on := !d.pad.Eraser
			d.pad.Eraser, d.line.pad.Eraser = on, on
			d.win.Menu()
			if on {
				d.win.Toast.Say(language.Tr("Touch a stroke, and it goes. The right button does so at any time."))
			}
		}, On: func() bool { return d.pad.Eraser }},
		{ID: "line", Name: language.Tr("Write a Line"), Keys: "Ctrl+T", Do: func() {
			d.win.OpenPage(0)
			d.setLine(!d.inLine)
		}, On: func() bool { return d.inLine }},
		l.splitting, l.joining,
		{ID: "space", Name: language.Tr("Space Behind the Character"), Keys: "Ctrl+H", Do: func() { l.space(l.current()) }, Here: d.onLine, Why: l.lacks(2)},
		{ID: "left", Name: language.Tr("Border to the Left"), Keys: "Alt+←", Do: func() { l.shift(-step) }, Here: d.onLine},
		{ID: "right", Name: language.Tr("Border to the Right"), Keys: "Alt+→", Do: func() { l.shift(step) }, Here: d.onLine},
	}
	for i, key := range []string{"X", "N", "W", "G"} {
		all = append(all, &page.Command{
			ID: fmt.Sprint("language", i), Name: l.language.Names[i].Text, Keys: "Ctrl+Shift+" + key, Do: func() { l.setLanguage(i) },
			Here: d.onLine, On: func() bool { return l.language.Selected == i },
		})
	}
	for n := range page.ShownCandidates {
		all = append(all, &page.Command{ID: fmt.Sprint("take", n+1), Keys: fmt.Sprint("Alt+", n+1), Do: func() { l.pickNth(n) }, Here: d.onLine})
	}
	return all
}

// onLine tells whether a line is written, and nothing lies over it.
func (d *Page) onLine() bool { return d.inLine && d.content.Visible() && d.win.Actions().Key != nil }

// copyAnswer puts the answer on the clipboard.
func (d *Page) copyAnswer() {
	if d.win.ForEntry(&fyne.ShortcutCopy{Clipboard: d.win.App.Clipboard()}) {
		return
	}
	switch c := d.candidates.rows[0].Candidate; {
	case d.inLine:
		d.line.copyText()
	case d.many.content.Visible() && d.many.text.Text != "":
		d.win.CopyText(d.many.text.Text)
	case c != nil:
		d.win.App.Clipboard().SetContent(strings.TrimSpace(glyph.Collected(c.Label)))
	}
}
