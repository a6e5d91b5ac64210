package state

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"inkshade/glcompute/message"
	"inkshade/recognizer/budget"
	"inkshade/recognizer/files"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/samples"
)

// errNone is the error of a file that is something else.
var errNone = message.Errorf("it is no collection, or was not copied whole; choose a file that an export of a collection has written")

// Import makes a collection of a file, under a name or, where that is empty, under the one that the file states, with a
// number behind it where there is one of that name. whose says who wrote the samples. Where the file cannot be read as a whole,
// and when ctx ends, nothing is left of it.
func (f Folder) Import(ctx context.Context, path, name string, whose samples.Whose, progress samples.Progress) (as string, c Contents, err error) {
	err = inFile(ctx, path, progress, func(file *file, a about) error {
		as, c, err = f.take(ctx, file, a, name, whose)
		return err
	})
	return as, c, err
}

// CheckFile tells why a file cannot be a collection, from its first bytes: what is damaged further on Import finds.
func CheckFile(ctx context.Context, path string) error {
	return inFile(ctx, path, nil, func(*file, about) error { return nil })
}

func inFile(ctx context.Context, path string, progress samples.Progress, do func(*file, about) error) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errNone
	}
	var from *os.File
	if err == nil {
		from, err = os.Open(path)
	}
	if err == nil {
		defer from.Close()
		f := &file{ctx: ctx, from: from, size: info.Size(), progress: progress, entries: map[string]*zip.File{}, budget: budget.New(ctx)}
		var a about
		switch err = f.list(); {
		case err != nil:
		case f.json(choicesName, &a) != nil || a.Version == 0:
			err = errNone
		case a.Version > version:
			err = samples.ErrNewer
		default:
			err = do(f, a)
		}
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return message.Errorf("cannot import %s: %w", files.Shown(path), files.Cause(err))
}

// take makes the collection in a folder beside its place and moves it there.
func (f Folder) take(ctx context.Context, file *file, a about, name string, whose samples.Whose) (as string, c Contents, err error) {
	var dir string
	if as, dir, err = f.place(a.Name, name); err != nil {
		return "", c, err
	}
	if err := samples.MakeDir(f.others()); err != nil {
		return "", c, err
	}
	scratch, err := os.MkdirTemp(f.others(), importing)
	if err != nil {
		return "", c, err
	}
	defer os.RemoveAll(scratch)
	m := Models{dir: scratch}
	if m.store, err = samples.Open(scratch); err != nil {
		return "", c, err
	}
	if err = file.fill(ctx, m, Models{dir: dir}, whose, as); err == nil {
		c, err = m.contents()
	}
	if err = errors.Join(err, m.store.Close()); err == nil {
		err = choose(scratch, a.Chosen)
	}
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return as, c, err
	}
	release, err := f.hold(true)
	if err != nil {
		return as, c, err
	}
	defer release()
	was := dir
	if as, dir, err = f.place(a.Name, name); err != nil { // which another import may have taken meanwhile
		return as, c, err
	}
	if err = os.Rename(scratch, dir); err == nil && dir != was {
		err = f.rebase(was, dir)
	}
	return as, c, err
}

// place gives a name, or, where that is empty, a free one like the one that is wanted, and the folder of it.
func (f Folder) place(wanted, name string) (as, dir string, err error) {
	if name == "" {
		as, dir = f.numbered(wanted)
		return as, dir, nil
	}
	dir, err = f.free(name, "")
	return name, dir, err
}

// numbered gives a free name like the one that is wanted.
func (f Folder) numbered(wanted string) (name, dir string) {
	const otherwise = "Collection"
	if !plainName(wanted) {
		wanted = otherwise
	}
	name = wanted
	for n := 2; ; n++ {
		if dir, err := f.free(name, ""); err == nil {
			return name, dir
		}
		if name = fmt.Sprintf("%s %d", wanted, n); !plainName(name) { // too long
			wanted = otherwise
		}
	}
}

// file is a file of a collection that is being read. It ends with ctx and tells how far it is.
type file struct {
	ctx      context.Context
	from     *os.File
	size     int64
	read     int64
	progress samples.Progress
	entries  map[string]*zip.File
	budget   *budget.Budget // of all its models
}

// list reads the list of entries, whose length it checks first, and that they share no bytes and no name.
func (f *file) list() error {
	var end [trailerBytes]byte
	at := f.size - trailerBytes
	if _, err := f.from.ReadAt(end[:], max(at, 0)); err != nil || !bytes.HasPrefix(end[:], []byte("PK\x05\x06")) {
		return errNone
	}
	length, offset := int64(binary.LittleEndian.Uint32(end[12:])), int64(binary.LittleEndian.Uint32(end[16:]))
	if length > mostEntries || offset+length != at {
		return errNone
	}
	z, err := zip.NewReader(f, f.size)
	if err != nil {
		return cmp.Or(f.ctx.Err(), errNone)
	}
	left := uint64(f.size)
	for _, e := range z.File {
		if e.CompressedSize64 > left || f.entries[e.Name] != nil {
			return errNone
		}
		left -= e.CompressedSize64
		f.entries[e.Name] = e
	}
	return nil
}

func (f *file) ReadAt(p []byte, offset int64) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := f.from.ReadAt(p, offset)
	if f.read = min(f.read+int64(n), f.size); f.progress != nil {
		f.progress(int(f.read), int(f.size))
	}
	return n, err
}

// errDamaged is the error of an entry that cannot be read.
var errDamaged = message.Errorf("it is damaged; copy it again from where it came from")

// entry is an entry that is read, or why it cannot be.
type entry struct {
	io.Reader
	err  error
	file *file
}

// Read says in words that the entry is damaged.
func (e *entry) Read(p []byte) (n int, err error) {
	if e.err == nil {
		n, e.err = e.Reader.Read(p)
	}
	if e.err != nil && e.err != io.EOF {
		e.err = cmp.Or(e.file.ctx.Err(), errDamaged)
	}
	return n, e.err
}

func (f *file) open(name string) *entry {
	e := f.entries[name]
	if e == nil {
		return &entry{err: errDamaged, file: f}
	}
	r, err := e.Open()
	return &entry{r, err, f}
}

func (f *file) bytes(name string, most int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(f.open(name), int64(most)+1))
	if err == nil && len(data) > most {
		err = errDamaged
	}
	return data, err
}

func (f *file) json(name string, v any) error {
	data, err := f.bytes(name, mostText)
	if err == nil && json.Unmarshal(data, v) != nil {
		err = errDamaged
	}
	return err
}

func (f *file) model(name string) ([]byte, error) {
	if e := f.entries[name]; e == nil || e.Method != zip.Store {
		return nil, errDamaged
	}
	data, err := f.bytes(name, onnx.MaxBytes)
	if err == nil {
		if _, err = onnx.ReadWithin(f.budget, bytes.NewReader(data)); err != nil {
			err = message.Errorf("%s: %w", name, err)
		}
	}
	return data, err
}

// within lists the names of the entries in a folder with an ending, without both.
func (f *file) within(folder, ending string) []string {
	var names []string
	for _, e := range slices.Sorted(maps.Keys(f.entries)) {
		if rest, ok := strings.CutPrefix(e, folder); ok && strings.HasSuffix(rest, ending) {
			names = append(names, strings.TrimSuffix(rest, ending))
		}
	}
	return names
}

// fill puts everything into a collection that will be at another place; name is what samples that name no writer are called
// after, where they are by others.
func (f *file) fill(ctx context.Context, m, place Models, whose samples.Whose, name string) error {
	for _, name := range f.within("models/", modelEnding) {
		data, err := f.model("models/" + name + modelEnding)
		if err == nil {
			err = m.add(name, data).Do()
		}
		if err != nil {
			return err
		}
	}
	for i := range f.within("samples/", ".jsonl") {
		if i == mostParts {
			return errDamaged
		}
		if err := m.store.Fill(ctx, f.open(fmt.Sprintf("samples/%d.jsonl", i+1)), whose, name); err != nil {
			return err
		}
	}
	var ids []int64
	for _, text := range f.within("history/", ".json") {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return errDamaged
		}
		ids = append(ids, id)
	}
	slices.Sort(ids) // parents come first
	for _, id := range ids {
		var trained samples.Model
		name := fmt.Sprintf("history/%d", id)
		err := f.json(name+".json", &trained)
		if err == nil {
			trained.ONNX, err = f.model(name + modelEnding)
		}
		if err != nil {
			return err
		}
		if trained.ID = id; !plainName(trained.Base) {
			return errDamaged
		}
		if _, ok, _ := m.Path(trained.Base); ok {
			trained.Base = place.imported(trained.Base)
		}
		if err := m.store.FillModel(trained); err != nil {
			return err
		}
	}
	_, err := m.History("") // can be read
	return err
}
