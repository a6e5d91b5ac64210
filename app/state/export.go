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
				if c, err = m.contents(); err == nil {
					err = m.export(ctx, zip.NewWriter(w), about{version, found, chosen}, &c, progress)
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
	if s.store == nil {
		return do(s)
	}
	return s.store.Snapshot(func(then *samples.Store) error { return do(Models{dir: s.dir, store: then}) })
}

// export writes everything, and puts right in c what stays out.
func (s Models) export(ctx context.Context, z *zip.Writer, a about, c *Contents, progress samples.Progress) error {
	done, all := 0, c.Samples+c.Imported+c.Trained // what the progress counts
	var err error                                  // after which nothing is added
	add := func(name string, counts int, content []byte, failed error) {
		var w io.Writer
		method := zip.Deflate
		if strings.HasSuffix(name, modelEnding) {
			method = zip.Store
		}
		if err = cmp.Or(err, failed); err == nil {
			w, err = z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		}
		if err != nil {
			return
		}
		_, err = w.Write(content)
		if done += counts; progress != nil && counts > 0 {
			progress(done, all)
		}
		err = cmp.Or(err, ctx.Err())
	}
	addJSON := func(name string, v any) {
		content, failed := json.Marshal(v)
		add(name, 0, content, failed)
	}
	addJSON(choicesName, a)
	names, failed := s.Imported()
	err = cmp.Or(err, failed)
	for _, name := range names {
		content, failed := os.ReadFile(s.imported(name))
		add("models/"+name+modelEnding, 1, content, failed)
	}
	var history []samples.Model
	if s.store != nil {
		for part := 0; err == nil; part++ {
			var lines bytes.Buffer
			n, failed := s.store.Copy(&lines, samples.Filter{Offset: part * partSamples, Limit: partSamples})
			if n == 0 && failed == nil {
				break
			}
			if part == mostParts {
				failed = message.Errorf("the collection has more than %d samples", partSamples*mostParts)
			}
			add(fmt.Sprintf("samples/%d.jsonl", part+1), n, lines.Bytes(), failed)
		}
		history, failed = s.store.Models("")
		err = cmp.Or(err, failed)
	}
	c.Trained = 0
	for _, trained := range history {
		if trained.Base = s.NameOf(trained.Base); err != nil || !plainName(trained.Base) {
			continue
		}
		c.Trained++
		name := fmt.Sprintf("history/%d", trained.ID)
		addJSON(name+".json", trained)
		whole, failed := s.store.Model(trained.ID)
		add(name+modelEnding, 1, whole.ONNX, failed)
	}
	return cmp.Or(err, z.Close())
}
