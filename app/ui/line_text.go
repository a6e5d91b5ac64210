package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/recognizer/line"
)

// lineText is the text of a line, how sure it is, who read it, and what else it may be.
type lineText struct {
	text, sure, by, others, invite *label
	content                        *fyne.Container
}

func newLineText() *lineText {
	v := &lineText{
		text:   newLabel("", 34, theme.ColorNamePrimary).bold().wrapped(2),
		sure:   newLabel("", 20, theme.ColorNameForeground).bold(),
		by:     newLabel("", 13, colorMuted).wrapped(2),
		others: newLabel("", 13, colorMuted).wrapped(2),
		invite: newLabel("", 14, colorMuted).wrapped(5),
	}
	v.content = container.New(arranged{atLeast(220, 150), func(size fyne.Size) {
		y := max(size.Height-v.sure.lineHeight()-v.by.most()-v.others.most()-4, 0)
		place(v.text, 0, 0, size.Width, y)
		v.fit()
		place(v.sure, 0, y, size.Width, v.sure.lineHeight())
		y += v.sure.lineHeight()
		place(v.by, 0, y, size.Width, v.by.most())
		place(v.others, 0, y+v.by.most()+4, size.Width, v.others.most())
		place(v.invite, 0, 0, size.Width, v.invite.most())
	}}, v.text, v.sure, v.by, v.others, v.invite)
	v.nothing()
	return v
}

// fit makes a text smaller that does not fit into its one or two lines.
func (v *lineText) fit() {
	room := v.text.Size()
	for _, size := range []float32{46, 34, 26, 20} {
		v.text.resize(size)
		share := float32(1)
		if room.Height >= v.text.most() {
			share = 1.8 // words do not fill their lines
		}
		if v.text.width(v.text.text) < share*room.Width {
			break
		}
	}
}

func (v *lineText) nothing() {
	v.say("", theme.ColorNameDisabled, "", "", "")
	v.invite.set(tr("The text appears here while you write. It is for numbers, postcodes and words printed letter by letter; joined writing is not read."))
}

func (v *lineText) fail(err error) {
	v.say("!", theme.ColorNameError, "", tr("No answer: {{.Reason}}", map[string]any{"Reason": said(err.Error())}), "")
	v.by.recolor(theme.ColorNameError)
}

func (v *lineText) say(text string, c fyne.ThemeColorName, sure, by, others string) {
	v.text.show(text, c)
	v.fit()
	v.sure.set(sure)
	v.by.show(by, colorMuted)
	v.others.set(others)
	v.invite.set("")
}

func (v *lineText) show(r reply) {
	var others []string
	for _, a := range r.line.Alternatives[1:] {
		if a.Confidence >= speaks {
			others = append(others, strings.ReplaceAll(a.Text, "\n", " ")+" ("+percent(a.Confidence)+")")
		}
	}
	also := ""
	if len(others) > 0 {
		also = tr("Or: {{.Texts}}", map[string]any{"Texts": strings.Join(others, tr(", "))})
	}
	c, sure := theme.ColorNamePrimary, percent(r.line.Confidence)
	if slices.ContainsFunc(r.line.Characters, func(c line.Character) bool { return c.Unknown && !c.Fixed }) {
		c, sure = theme.ColorNameWarning, tr("Not sure")
	} else if r.line.Confidence < 0.5 {
		c = theme.ColorNameWarning
	}
	v.say(strings.ReplaceAll(textOf(r.line), "\n", " "), c, sure, tr("answered by the {{.Side}} in {{.Time}}", map[string]any{
		"Side": string(r.by), "Time": duration(r.took),
	}), also)
}

// textOf is the text as it is shown and copied.
func textOf(r *line.Result) string {
	var b strings.Builder
	for i, c := range r.Characters {
		switch {
		case i > 0 && c.Line != r.Characters[i-1].Line:
			b.WriteByte('\n')
		case c.Space:
			b.WriteByte(' ')
		}
		b.WriteString(glyphOf(c))
	}
	return b.String()
}
