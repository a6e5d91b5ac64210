package state

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"inkshade/glcompute/message"
	"inkshade/recognizer/files"
	"inkshade/recognizer/samples"
)

// Ending is that of the file of a collection, a ZIP archive:
//
//	collection.json      what it is, see about
//	samples/1.jsonl …    the samples with their ids, see samples.Store.Copy
//	models/NAME.onnx     the imported models, as they are
//	history/ID.json      a trained model (samples.Model), whose base is the name of a shipped or an imported one
//	history/ID.onnx      its file, as it is
const Ending = ".inkshade"

// about is collection.json.
type about struct {
	Version int               `json:"inkshade_collection"`
	Name    string            `json:"name"`
	Chosen  map[string]string `json:"chosen"`
}

// version is the newest kind of file that is known.
const version = 1

// Limits of a file. Of samples those of package ink hold for each part, of a model onnx.MaxBytes. Models are not compressed
// and no two entries share bytes, so models take no more room than the file.
const (
	mostParts    = 50      // of samples
	mostText     = 8 << 20 // bytes of a JSON file
	mostEntries  = 1 << 20 // bytes of the list of entries
	trailerBytes = 22      // of the end of a ZIP archive without a comment
)

var partSamples = 20_000 // of a part; tests have fewer

// Export writes a collection to a file, which takes its place when it is whole. Models that were trained from a file outside the
// collection stay out. When ctx ends, its error is returned, and what was there before stays.
func (f Folder) Export(ctx context.Context, name, path string, progress samples.Progress) (c Contents, err error) {
	if !strings.HasSuffix(strings.ToLower(path), Ending) {
		return c, message.Errorf("cannot export to %s: end its name in %s", files.Shown(path), Ending)
	}
	err = f.With(name, func(found string, m Models) error {
		chosen, err := choices(m.dir)
		if err != nil {
			return err
		}
		err = files.WriteWhole(path, func(w io.Writer) error {
			return m.snapshot(func(m Models) (err error) {
				x := export{ctx: ctx, z: zip.NewWriter(w), progress: progress}
				if c, err = m.contents(); err == nil {
					err = x.write(m, about{version, found, chosen}, &c)
				}
				return err
			})
		})
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		}
		return message.Errorf("cannot export to %s: %w", files.Shown(path), files.Cause(err))
	})
	return c, err
}

// snapshot lets do read the models and samples as they are now, though they are changed meanwhile.
func (s Models) snapshot(do func(Models) error) error {
	if s.Store == nil {
		return do(s)
	}
	return s.Store.Snapshot(func(then *samples.Store) error { return do(Models{dir: s.dir, Store: then}) })
}

// export is a file that is being written.
type export struct {
	ctx      context.Context
	z        *zip.Writer
	progress samples.Progress
}

// write writes everything, and puts right in c what stays out.
func (x *export) write(m Models, a about, c *Contents) error {
	if err := x.json(choicesName, a); err != nil {
		return err
	}
	names, err := m.Imported()
	if err != nil {
		return err
	}
	all := c.Samples + c.Imported + c.Trained // what the progress counts
	done := 0
	step := func(n int) error {
		if done += n; x.progress != nil {
			x.progress(done, all)
		}
		return x.ctx.Err()
	}
	for _, name := range names {
		data, err := os.ReadFile(m.imported(name))
		if err == nil {
			err = x.entry("models/"+name+".onnx", zip.Store, data)
		}
		if err = cmp.Or(err, step(1)); err != nil {
			return err
		}
	}
	if m.Store == nil {
		return x.z.Close()
	}
	for part := 0; ; part++ {
		var lines bytes.Buffer
		n, err := m.Store.Copy(&lines, samples.Filter{Offset: part * partSamples, Limit: partSamples})
		if n == 0 && err == nil {
			break
		}
		if part == mostParts {
			return message.Errorf("the collection has more than %d samples", partSamples*mostParts)
		}
		if err == nil {
			err = x.entry(fmt.Sprintf("samples/%d.jsonl", part+1), zip.Deflate, lines.Bytes())
		}
		if err = cmp.Or(err, step(n)); err != nil {
			return err
		}
	}
	history, err := m.Store.Models("")
	if err != nil {
		return err
	}
	c.Trained = 0
	for _, trained := range history {
		if trained.Base = m.NameOf(trained.Base); !plainName(trained.Base) {
			continue
		}
		c.Trained++
		file := "history/" + strconv.FormatInt(trained.ID, 10)
		whole, err := m.Store.Model(trained.ID)
		if err == nil {
			err = x.json(file+".json", trained)
		}
		if err == nil {
			err = x.entry(file+".onnx", zip.Store, whole.ONNX)
		}
		if err = cmp.Or(err, step(1)); err != nil {
			return err
		}
	}
	return x.z.Close()
}

func (x *export) json(name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return x.entry(name, zip.Deflate, data)
}

func (x *export) entry(name string, method uint16, data []byte) error {
	w, err := x.z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}
