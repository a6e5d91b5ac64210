package glyph

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"golang.org/x/image/font/sfnt"

	"inkshade/assets"
	"inkshade/models"
	"inkshade/recognizer"
)

func TestSymbolsAreShownAsSigns(t *testing.T) {
	angle := string(rune(0x2220))
	for label, want := range map[string]string{`\alpha`: "α", `\angle (latex2e)`: angle, `\varoiint`: `\varoiint`, "国": "国", "/": "/"} {
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

// Signs come from the program's own font, but for five that the system may have.
func TestSignsOfSymbolsAreInTheirFont(t *testing.T) {
	f, err := sfnt.Parse(assets.Symbols())
	if err != nil {
		t.Fatal(err)
	}
	left := []rune{0x0e3f, 0x1f310, 0x1f4e0, 0x1f4f1, 0x1f987}
	for label, s := range models.Symbols() {
		for _, sign := range s.Sign {
			if glyph, err := f.GlyphIndex(nil, sign); (err != nil || glyph == 0) && !slices.Contains(left, sign) {
				t.Errorf("%s: the font lacks %q", label, sign)
			}
		}
	}
}
