// Package dataset holds labelled samples of handwriting: it loads them from ink files,
// folders of pictures and IDX files, splits them by writer, and distorts their images.
package dataset

import "inkshade/recognizer/ink"

// Sample is a labelled image and, where it is known, the ink it was drawn from.
type Sample struct {
	Label, Writer string
	Source        string    // the file it came from; of a picture, the folder of its class
	Context       bool      // cut out of running text
	Style         string    // such as PRINTED or CURSIVE; "" when unknown
	Ink           ink.Ink   // nil when the sample is a picture
	Image         ink.Image // 28x28; of a drawing that Draw gave none, nothing
}
