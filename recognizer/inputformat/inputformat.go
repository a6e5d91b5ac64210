// Package inputformat finds the input format of a model from elsewhere: its labels, the range of its
// pixels, which way round its pictures are. What neither a person nor a file states is inferred from
// its answers to sample characters that ship with the program.
package inputformat

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"inkshade/glcompute/message"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/files"
	"inkshade/recognizer/nn"
)

// Format is what is stated of a model's input format. Zero values state nothing.
type Format struct {
	Labels     []string
	Scale      feature.Scale
	Inverted   bool // paper and ink of the scale are exchanged
	Transposed bool
	Layout     string // of the input's four dimensions: one of Layouts
}

// Layouts say where the channels of an input are: [N,C,H,W] or [N,H,W,C].
var Layouts = []string{"nchw", "nhwc"}

// over is f, with what it does not state from g.
func (f Format) over(g Format) Format {
	if f.Labels == nil {
		f.Labels = g.Labels
	}
	f.Scale = cmp.Or(f.Scale, g.Scale)
	f.Inverted, f.Transposed = f.Inverted || g.Inverted, f.Transposed || g.Transposed
	f.Layout = cmp.Or(f.Layout, g.Layout)
	return f
}

// largestFile bounds a file that states an input format, in bytes.
const largestFile = 1 << 20

// keys are those of a file that states an input format; labels are a list, or a text of which each character is one.
var keys = []string{"labels", "scale", "inverted", "transposed", "layout"}

// Beside completes f by a file beside the model whose name ends in .json instead of .onnx. One with no key that is, or
// is like, one of keys is another program's, or a report of ours.
func (f Format) Beside(model string) (Format, error) {
	path := strings.TrimSuffix(model, filepath.Ext(model)) + ".json"
	file, err := files.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, largestFile+1))
	if err != nil {
		return f, err
	}
	var given map[string]json.RawMessage
	var stated struct {
		Labels               json.RawMessage
		Scale, Layout        string
		Inverted, Transposed bool
	}
	if len(data) > largestFile {
		err = message.Errorf("it is larger than %d KB", largestFile>>10)
	} else if json.Unmarshal(data, &given) != nil || json.Unmarshal(data, &stated) != nil {
		err = message.Errorf(`it is not like {"labels": ["a", "b"], "scale": "0..255", "inverted": true, "transposed": true, "layout": "nhwc"}`)
	}
	if err == nil && slices.ContainsFunc(slices.Collect(maps.Keys(given)), likeKey) {
		for _, key := range slices.Sorted(maps.Keys(given)) {
			if err == nil && !slices.Contains(keys, strings.ToLower(key)) {
				err = message.Errorf("its key %.40q is none of %s", key, strings.Join(keys, ", "))
			}
		}
	}
	g := Format{Inverted: stated.Inverted, Transposed: stated.Transposed, Layout: stated.Layout}
	if err == nil && stated.Scale != "" {
		g.Scale, err = feature.ParseScale(stated.Scale)
	}
	if err == nil && stated.Labels != nil {
		var characters string
		if json.Unmarshal(stated.Labels, &characters) == nil {
			g.Labels = strings.Split(characters, "")
		} else if json.Unmarshal(stated.Labels, &g.Labels) != nil {
			err = message.Errorf("its labels are neither a list of texts nor one text")
		}
	}
	if err == nil && g.Layout != "" && g.Layout != Layouts[0] && g.Layout != Layouts[1] {
		err = message.Errorf("the layout %.40q is neither %s nor %s", g.Layout, Layouts[0], Layouts[1])
	}
	if err != nil {
		return f, message.Errorf("%s, which says how the model is fed, is not understood: %w; correct or remove it", filepath.Base(path), err)
	}
	return f.over(g), nil
}

// likeKey tells whether a name is one of keys but for two letters beside each other, in whatever case.
func likeKey(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(keys, func(key string) bool {
		i := 0
		for i < min(len(name), len(key)) && name[i] == key[i] {
			i++
		}
		rest, wanted := name[i:], key[i:]
		for rest != "" && wanted != "" && rest[len(rest)-1] == wanted[len(wanted)-1] {
			rest, wanted = rest[:len(rest)-1], wanted[:len(wanted)-1]
		}
		return max(len(rest), len(wanted)) <= 2
	})
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
