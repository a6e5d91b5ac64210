// Package assets holds what ships inside the program beside the models: the icon and
// sample ink. The ink was drawn for Inkshade; it is in no training set.
package assets

import _ "embed"

//go:embed icon.png
var icon []byte

//go:embed digits.jsonl
var digits []byte

//go:embed characters.jsonl
var characters []byte

// Icon is the program's icon, a PNG of 512 x 512 pixels.
func Icon() []byte { return icon }

// SampleInk is one drawing of each digit as JSON Lines: label, writer and strokes of
// [x, y, milliseconds] with y growing downward.
func SampleInk() []byte { return digits }

// SampleCharacters is one more drawing of each digit, and one of each letter and of some signs,
// in the same form.
func SampleCharacters() []byte { return characters }
