// Package foreign finds out how a model from elsewhere is fed: its labels, the range of its pixels,
// which way round its pictures are. What neither a person nor a file says is tried on sample
// characters that ship with the program.
package foreign

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
)

// Feeding is what is said about how a model is fed. Zero values say nothing.
type Feeding struct {
	Labels     []string
	Scale      feature.Scale
	Inverted   bool // paper and ink of the scale are exchanged
	Transposed bool
	Layout     string // of the input's four dimensions: one of Layouts
}

// Layouts say where the channels of an input are: [N,C,H,W] or [N,H,W,C].
var Layouts = []string{"nchw", "nhwc"}

// over is f, with what it does not say from g.
func (f Feeding) over(g Feeding) Feeding {
	if f.Labels == nil {
		f.Labels = g.Labels
	}
	f.Scale = cmp.Or(f.Scale, g.Scale)
	f.Inverted, f.Transposed = f.Inverted || g.Inverted, f.Transposed || g.Transposed
	f.Layout = cmp.Or(f.Layout, g.Layout)
	return f
}

// largestFeeding bounds a file that says how a model is fed, in bytes.
const largestFeeding = 1 << 20

// Beside completes f by a file beside the model whose name ends in .json instead of .onnx. It may
// have the keys labels (a list, or a text of which each character is one), scale, inverted,
// transposed and layout; others are not read.
func (f Feeding) Beside(model string) (Feeding, error) {
	path := strings.TrimSuffix(model, filepath.Ext(model)) + ".json"
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, largestFeeding+1))
	if err != nil {
		return f, err
	}
	var said struct {
		Labels               json.RawMessage
		Scale, Layout        string
		Inverted, Transposed bool
	}
	if len(data) > largestFeeding {
		err = fmt.Errorf("it is larger than %d KB", largestFeeding>>10)
	} else if json.Unmarshal(data, &said) != nil {
		err = errors.New(`it is not like {"labels": ["a", "b"], "scale": "0..255", "inverted": true, "transposed": true, "layout": "nhwc"}`)
	}
	g := Feeding{Inverted: said.Inverted, Transposed: said.Transposed, Layout: said.Layout}
	if err == nil && said.Scale != "" {
		g.Scale, err = feature.ParseScale(said.Scale)
	}
	if err == nil && said.Labels != nil {
		var characters string
		if json.Unmarshal(said.Labels, &characters) == nil {
			g.Labels = strings.Split(characters, "")
		} else if json.Unmarshal(said.Labels, &g.Labels) != nil {
			err = errors.New("its labels are neither a list of texts nor one text")
		}
	}
	if err == nil && g.Layout != "" && g.Layout != Layouts[0] && g.Layout != Layouts[1] {
		err = fmt.Errorf("the layout %.40q is neither %s nor %s", g.Layout, Layouts[0], Layouts[1])
	}
	if err != nil {
		return f, fmt.Errorf("%s, which says how the model is fed, is not understood: %w; correct or remove it", filepath.Base(path), err)
	}
	return f.over(g), nil
}

// Metadata that ONNX has for models of pictures (docs/MetadataProps.md of its repository).
const (
	keyRange  = "Image.NominalPixelRange"
	keyFormat = "Image.BitmapPixelFormat"
)

// ranges are the values of Image.NominalPixelRange. Without one, pixels are from 0 to 255.
var ranges = map[string]feature.Scale{
	"":                    {Paper: 0, Ink: 255},
	"NominalRange_0_255":  {Paper: 0, Ink: 255},
	"Normalized_0_1":      {Paper: 0, Ink: 1},
	"Normalized_1_1":      {Paper: -1, Ink: 1},
	"NominalRange_16_235": {Paper: 16, Ink: 235},
}

// scaleOf is the scale that the metadata of a model say; the zero Scale where they say none. Of
// three channels nothing has to be known: they are the same.
func scaleOf(m *nn.Model) feature.Scale {
	if m.Metadata[keyRange] == "" && m.Metadata[keyFormat] == "" {
		return feature.Scale{}
	}
	return ranges[m.Metadata[keyRange]]
}
