package draw

import (
	"testing"

	"inkshade/app/ui/uitest"
)

func TestSymbolsAreCollectedAsCommands(t *testing.T) {
	s := open(t, &uitest.Engine{})
	p := newManyPanel(s.draw)
	for i, label := range []string{`\alpha`, `\angle (latex2e)`, `\varoiint`} {
		p.collect(label, uint64(i+1))
	}
	if p.text.Text != `\alpha \angle \varoiint ` {
		t.Errorf("collected %q", p.text.Text)
	}
	p.unicode.OnTap()
	got, said := s.App.Clipboard().Content(), s.Toast.Words.Text
	s.CopyText(got)
	if got != "α "+string(rune(0x2220))+` \varoiint` || said == s.Toast.Words.Text {
		t.Errorf("in Unicode %q, said %q", got, said)
	}
	p.collect(`\beta`, 3) // said again of the same drawing
	p.takeBack()
	if p.text.Text != `\alpha \angle ` {
		t.Errorf("%q is left", p.text.Text)
	}
}
