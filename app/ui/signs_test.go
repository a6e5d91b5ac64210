package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"testing"
	"unicode"

	"fyne.io/fyne/v2/theme"
	"golang.org/x/image/font/sfnt"
)

// Signs that the fonts of the window lack are boxes wherever no other font is installed.
// Chinese, with its punctuation, is looked for among the system's fonts.
func TestSignsAreInTheFontsOfTheWindow(t *testing.T) {
	var fonts []*sfnt.Font
	for _, data := range [][]byte{theme.DefaultTextFont().Content(), theme.DefaultSymbolFont().Content()} {
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
		return unicode.Is(unicode.Han, sign) || unicode.In(sign, chinesePunctuation)
	}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 10 {
		t.Fatalf("found %d files: %v", len(files), err)
	}
	for _, name := range files {
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
			for _, sign := range text {
				if unicode.IsGraphic(sign) && !known(sign) {
					t.Errorf("%s: %q is not in the fonts of the window; draw it, or say it in words", name, sign)
				}
			}
			return true
		})
	}
}

// chinesePunctuation are the blocks "CJK Symbols and Punctuation" and "Halfwidth and Fullwidth Forms".
var chinesePunctuation = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x3000, Hi: 0x303F, Stride: 1}, {Lo: 0xFF00, Hi: 0xFFEF, Stride: 1}}}
