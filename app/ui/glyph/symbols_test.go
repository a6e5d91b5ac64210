package glyph

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"golang.org/x/image/font/sfnt"

	"inkshade/app/ui/widget"
	"inkshade/assets"
	"inkshade/models"
	"inkshade/recognizer"
)

func TestSymbolsAreShownAsSigns(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(widget.NewTheme(widget.Light))
	angle := string(rune(0x2220))
	for label, want := range map[string]string{`\alpha`: "α", `\angle (latex2e)`: angle, `\varoiint`: "\ue019", `\textrthook`: `\textrthook`, "国": "国", "/": "/"} {
		if text, style := Printed(label, fyne.TextStyle{}); text != want || style.Symbol != (text != label) {
			t.Errorf("%s is shown as %s, %+v", label, text, style)
		}
	}
}

func TestCommandsAreFound(t *testing.T) {
	all := []recognizer.Candidate{{Label: `\varepsilon`}, {Label: `\epsilon`}, {Label: `\eta`}, {Label: `\Gamma`}, {Label: "国"}}
	for typed, want := range map[string]string{"eps": `\epsilon \varepsilon`, `\e`: `\epsilon \eta \varepsilon`, "eta": `\eta`, "e": "", `\`: "", "gam": `\Gamma`} {
		var got []string
		for _, c := range commanded(typed, all) {
			got = append(got, c.Label)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q finds %q, not %q", typed, got, want)
		}
	}
}

// What is typed may be the name of a class that is no command.
func TestAClassOfTheTypedNameIsFoundFirst(t *testing.T) {
	all := []recognizer.Candidate{{Label: "孙"}, {Label: `\star`}, {Label: "star"}, {Label: "sun"}, {Label: `\bigstar`}}
	for typed, want := range map[string]string{"sun": "sun 孙", "star": `star \star \bigstar`, `\star`: `\star \bigstar`} {
		var got []string
		for _, c := range Found(typed, all) {
			got = append(got, c.Label)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q finds %q, not %q", typed, got, want)
		}
	}
}

// Signs come from the program's own font, but for five that the system may have: without them the command is shown.
func TestSignsOfSymbolsAreInTheirFont(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(widget.NewTheme(widget.Light))
	f, err := sfnt.Parse(assets.Symbols())
	if err != nil {
		t.Fatal(err)
	}
	left := []string{`\Bat`, `\Faxmachine`, `\Mobilefone`, `\Mundus`, `\textbaht`}
	for label, s := range models.Symbols() {
		own := true
		for _, sign := range s.Sign + s.Drawing {
			if glyph, err := f.GlyphIndex(nil, sign); err != nil || glyph == 0 {
				own = false
			}
		}
		shown, style := Printed(label, fyne.TextStyle{})
		switch {
		case own == slices.Contains(left, label):
			t.Errorf("%s: %q is in the font: %v", label, s.Sign, own)
		case own && SymbolOf(label) == s && s.Sign+s.Drawing != "" && shown != s.Sign+s.Drawing:
			t.Errorf("%s: %q is shown for %q", label, shown, s.Sign+s.Drawing)
		case shown != s.Sign && shown != s.Drawing && shown != s.Command, style.Symbol && widget.Lacking(shown, style):
			t.Errorf("%s is shown as %q, which no font has", label, shown)
		}
	}
}
