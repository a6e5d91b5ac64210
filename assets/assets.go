// Package assets holds what ships inside the program beside the models: the icon, sample ink
// and fonts of Chinese and of LaTeX symbols (fonts/README.md). The ink was drawn for Inkshade; it is in no training set.
package assets

import _ "embed"

//go:embed icon.png
var icon []byte

//go:embed digits.jsonl
var digits []byte

//go:embed fonts/chinese-regular.otf
var chineseRegular []byte

//go:embed fonts/chinese-bold.otf
var chineseBold []byte

//go:embed fonts/japanese-regular.otf
var japaneseRegular []byte

//go:embed fonts/japanese-bold.otf
var japaneseBold []byte

//go:embed fonts/symbols.otf
var symbols []byte

// Symbols is a font of the signs of models/symbols.tsv.
func Symbols() []byte { return symbols }

// Chinese is a font of Chinese characters and marks alone; letters and digits are not in it.
func Chinese(bold bool) []byte {
	if bold {
		return chineseBold
	}
	return chineseRegular
}

// Japanese is the same font with the characters as they are written in Japan, and what the window says in Japanese.
func Japanese(bold bool) []byte {
	if bold {
		return japaneseBold
	}
	return japaneseRegular
}

// Icon is the program's icon, a PNG of 512 x 512 pixels.
func Icon() []byte { return icon }

// SampleInk is one drawing of each digit as JSON Lines: label, writer and strokes of
// [x, y, milliseconds] with y growing downward.
func SampleInk() []byte { return digits }
