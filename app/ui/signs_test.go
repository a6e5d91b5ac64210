package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"
	"unicode"

	"fyne.io/fyne/v2/theme"
	"golang.org/x/image/font/sfnt"

	"inkshade/app/ui/language"
	"inkshade/assets"
)

// Signs that the fonts of the window lack are boxes wherever no other font is installed.
func TestSignsAreInTheFontsOfTheWindow(t *testing.T) {
	var fonts []*sfnt.Font
	for _, data := range [][]byte{theme.DefaultTextFont().Content(), theme.DefaultSymbolFont().Content(), assets.Chinese(false), assets.Japanese(false)} {
		f, err := sfnt.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		fonts = append(fonts, f)
	}
	known := func(sign rune) bool {
		for _, f := range fonts {
			if glyph, err := f.GlyphIndex(nil, sign); err == nil && glyph != 0 {
				return true
			}
		}
		return false
	}
	check := func(where, text string) {
		for _, sign := range text {
			if unicode.IsGraphic(sign) && !known(sign) {
				t.Errorf("%s: %q is not in the fonts of the window; draw it, say it in words, or make the fonts anew (assets/fonts)", where, sign)
			}
		}
	}
	dir, err := language.Translations.ReadDir("translations")
	if err != nil || len(dir) == 0 {
		t.Fatalf("found %d translations: %v", len(dir), err)
	}
	for _, f := range dir {
		text, err := language.Translations.ReadFile("translations/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		check(f.Name(), string(text))
	}
	for _, name := range sources(t) {
		tree, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			check(name, text)
			return true
		})
	}
}
