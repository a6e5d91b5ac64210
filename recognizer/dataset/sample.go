// Package dataset holds labelled samples of handwriting: it loads them from ink files,
// folders of pictures and IDX files, splits them by writer, and distorts their images.
package dataset

import (
	"os"
	"path/filepath"

	"inkshade/recognizer/ink"
)

// Sample is a labelled image and, where it is known, the ink it was drawn from.
type Sample struct {
	Label, Writer string
	Source        string    // the file it came from; of a picture, the folder of its class
	Context       bool      // cut out of running text
	Style         string    // such as PRINTED or CURSIVE; "" when unknown
	Ink           ink.Ink   // nil when the sample is a picture
	Image         ink.Image // 28x28; set by Load
}

// Dir is the folder of the data sets for training and testing: $INKSHADE_DATA if that is
// set, else shared/data beside the working directory or above it; "" when there is none.
func Dir() string {
	if dir, ok := os.LookupEnv("INKSHADE_DATA"); ok {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return above(dir, func(data string) bool {
		info, err := os.Stat(data)
		return err == nil && info.IsDir()
	})
}

// above is the nearest shared/data that exists, in dir or in a folder above it; "" for none.
func above(dir string, exists func(data string) bool) string {
	for {
		data := filepath.Join(dir, "shared", "data")
		if exists(data) {
			return data
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
