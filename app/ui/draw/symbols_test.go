package draw

import (
	"testing"

	"inkshade/app/ui/glyph"
	"inkshade/app/ui/uitest"
)

func TestSymbolsAreCollectedAsCommands(t *testing.T) {
	p := newManyPanel(open(t, &uitest.Engine{}).draw)
	for i, label := range []string{`\alpha`, `\angle (latex2e)`, `\varoiint`} {
		p.collect(label, uint64(i+1))
	}
	if p.text.Text != `\alpha \angle \varoiint ` {
		t.Errorf("collected %q", p.text.Text)
	}
	if got := glyph.InUnicode(p.text.Text); got != "α "+string(rune(0x2220))+` \varoiint` {
		t.Errorf("in Unicode %q", got)
	}
	p.collect(`\beta`, 3) // said again of the same drawing
	p.takeBack()
	if p.text.Text != `\alpha \angle ` {
		t.Errorf("%q is left", p.text.Text)
	}
}
