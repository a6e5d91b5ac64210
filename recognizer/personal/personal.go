// Package personal learns one person's handwriting. A Memory answers at once, from the
// person's own drawings, beside a network that it leaves as it is. Train folds the drawings
// into the network, without forgetting what the network knew, and shows what that changed.
package personal

import "inkshade/recognizer/ink"

// Sample is a drawing and what it stands for. The label may be one that no model knows.
type Sample struct {
	ID         int64 // the caller's; results name samples by it, and of two the larger came later
	Label      string
	Ink        ink.Ink
	Other      bool // drawn by somebody else: it is learned from and measured with, but is no part of the person's style
	Correction bool // the label corrects an answer, so it stands against what was drawn like it before
}
