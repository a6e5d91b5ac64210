package dataset

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
)

// Read reads samples; those that are drawings have no images before Draw gives them to those that are wanted. A path is an ink file with labels (see ink.Read), a folder of
// such files, a folder that has a folder of PNG, JPEG, GIF or WebP pictures for each class, or
// an IDX file of images, followed by the path of its labels: an IDX file, or text with a label a
// line. The order of the samples is
// that of the paths and, within, of the files; the same paths give the same samples. An
// error names the path, the sample and what to do. Samples without ink are left out, and
// blank has an error for each, in order; err is for samples none of which has ink, too. When the
// context ends, its cause is returned.
func Read(ctx context.Context, paths ...string) (samples []Sample, blank []error, err error) {
	found, err := Find(ctx, paths...)
	if err == nil {
		err = found.Each(ctx, max(len(found), 1), func(all []Sample, without []error) error {
			samples, blank = all, without
			return nil
		})
	}
	if err != nil {
		return nil, nil, err
	}
	return samples, blank, nil
}

// Find is the first half of Read, after which the pictures of folders are still files: Each is the other one.
func Find(ctx context.Context, paths ...string) (Found, error) {
	jobs, err := plan(paths)
	if err != nil {
		return nil, err
	}
	drafts := make([][]draft, len(jobs))
	err = InParallel(ctx, len(jobs), func(ctx context.Context, i int) (err error) {
		if drafts[i], err = jobs[i].read(ctx); err != nil {
			err = fmt.Errorf("%s: %w", files.Shown(jobs[i].path), err)
		}
		return err
	})
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return slices.Concat(drafts...), err
}

// job is one path, or a pair of them, to read.
type job struct {
	path string
	read func(context.Context) ([]draft, error)
}

func plan(paths []string) ([]job, error) {
	if len(paths) == 0 {
		return nil, errors.New("no data given; name an ink file, a folder of pictures by class, or IDX images and labels")
	}
	var jobs []job
	for i := 0; i < len(paths); i++ {
		path, name := paths[i], files.Shown(paths[i])
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s: there is no such file or folder; check the name", name)
		case err != nil:
			return nil, fmt.Errorf("%s cannot be opened: %w", name, errors.Unwrap(err))
		}
		var inside []job
		var head string
		if info.IsDir() {
			inside, err = planFolder(path)
		} else if info.Mode().IsRegular() { // a pipe can be read only once
			head, err = beginning(path)
		}
		read := func(ctx context.Context) ([]draft, error) { return readInk(ctx, path, os.Open) } // who says what is wrong with any other file
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, files.Cause(err))
		case strings.HasPrefix(head, "\x00\x00\x08\x03"):
			if i++; i == len(paths) {
				return nil, fmt.Errorf("%s holds IDX images; name the file of their labels after it", name)
			}
			labels := paths[i]
			read = func(ctx context.Context) ([]draft, error) { return readIDXPair(ctx, path, labels) }
		case strings.HasPrefix(head, "\x00\x00\x08\x01"):
			return nil, fmt.Errorf("%s holds IDX labels; name the file of the images before it", name)
		case IsPicture([]byte(head)):
			return nil, fmt.Errorf("%s is a single picture without a label; put it in a folder named after its class and give the folder above", name)
		case len(head) > 4 && head[:2] == "\x00\x00" && head[2] >= 8 && head[2] <= 14:
			return nil, fmt.Errorf("%s is an IDX file of another type or number of dimensions; images are bytes with three, labels bytes with one", name)
		}
		if inside == nil {
			inside = []job{{path, read}}
		}
		jobs = append(jobs, inside...)
	}
	return jobs, nil
}

// beginning is what a file begins with when it is unzipped.
func beginning(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := files.Unzip(f)
	if err != nil {
		return "", err
	}
	head, err := b.Peek(magicSize)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return string(head), err
}

func readInk(ctx context.Context, path string, open func(string) (*os.File, error)) ([]draft, error) {
	f, err := open(path)
	if err != nil {
		return nil, files.Cause(err)
	}
	defer f.Close()
	samples, err := ink.Read(files.Reader(ctx, f, nil))
	if err != nil {
		return nil, err
	}
	drafts := make([]draft, len(samples))
	for i, s := range samples {
		drafts[i] = draft{
			sample: Sample{Label: s.Label, Writer: s.Writer, Source: path, Context: s.Context, Style: s.Attributes["style"], Ink: s.Ink},
			number: i + 1,
		}
	}
	return drafts, nil
}

func readIDXPair(ctx context.Context, images, labels string) ([]draft, error) {
	f, err := os.Open(images)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	g, err := os.Open(labels)
	if err != nil {
		return nil, fmt.Errorf("its labels, %s: %w", files.Shown(labels), files.Cause(err))
	}
	defer g.Close()
	most := ink.Memory(f)
	of, err := openIDX(files.Reader(ctx, f, nil), idxImages, most)
	if err != nil {
		return nil, err
	}
	those, err := readLabels(files.Reader(ctx, g, nil), most)
	if err != nil {
		return nil, fmt.Errorf("its labels, %s: %w", files.Shown(labels), err)
	}
	if of.count != len(those) {
		return nil, fmt.Errorf("has %d images and %s has %d labels; name the labels that belong to these images", of.count, files.Shown(labels), len(those))
	}
	pix, err := of.values()
	if err != nil {
		return nil, err
	}
	size := of.width * of.height
	drafts := make([]draft, len(those))
	for i, label := range those {
		drafts[i] = draft{
			sample: Sample{Label: label, Source: images},
			number: i + 1,
			picture: func() (ink.Image, error) {
				img := ink.Image{Width: of.width, Height: of.height, Pix: make([]float32, size)}
				for k, v := range pix[i*size:][:size] {
					img.Pix[k] = float32(v) / 255
				}
				return ink.Normalize(img)
			},
		}
	}
	return drafts, nil
}

// IDX is the format of MNIST (LeCun et al.): a magic number of two zeros, the type of the
// values (8, unsigned bytes) and the number of dimensions, then each dimension, then the
// values; all numbers 32 bits, big-endian.
const (
	idxLabels = 0x00000801
	idxImages = 0x00000803
)

const maxSide = 1 << 10 // of an image, in pixels

// readLabels reads the labels of images: an IDX file, whose bytes are numbers, or UTF-8 text with a
// label a line; plain or gzip'ed. The labels must not take more memory than most bytes.
func readLabels(r io.Reader, most int) ([]string, error) {
	b, err := files.Unzip(r)
	if err != nil {
		return nil, err
	}
	var labels []string
	if zeros, err := b.Peek(2); err != nil || string(zeros) == "\x00\x00" {
		f, err := openIDX(b, idxLabels, most)
		if err != nil {
			return nil, err
		}
		bytes, err := f.values()
		for _, v := range bytes {
			labels = append(labels, strconv.Itoa(int(v)))
		}
		return labels, err
	}
	lines := bufio.NewScanner(b)
	for lines.Scan() {
		label := strings.TrimSpace(lines.Text())
		switch most -= len(label) + 32; {
		case label == "" || !utf8.ValidString(label):
			return nil, fmt.Errorf("line %d holds no label; a file of labels is an IDX file, or UTF-8 text with a label a line", len(labels)+1)
		case most < 0:
			return nil, fmt.Errorf("the file holds more than %d labels, which is too many; split it", len(labels))
		}
		labels = append(labels, label)
	}
	return labels, lines.Err()
}

// idxFile is an IDX file whose header has been read; a label is one byte.
type idxFile struct {
	from                 *bufio.Reader
	count, width, height int
}

// openIDX reads the header of a file of that magic number, whose samples must not take more
// memory than most bytes.
func openIDX(r io.Reader, magic uint32, most int) (*idxFile, error) {
	b, err := files.Unzip(r)
	if err != nil {
		return nil, err
	}
	var got uint32
	if err := binary.Read(b, binary.BigEndian, &got); err != nil {
		return nil, ended(err, "early")
	}
	if got != magic {
		what := map[uint32]string{idxImages: "images", idxLabels: "labels"}[magic]
		return nil, fmt.Errorf("the file is no IDX file of %s: it begins with %#08x, not %#08x", what, got, magic)
	}
	header := [3]uint32{1: 1, 2: 1} // count, rows, columns
	if err := binary.Read(b, binary.BigEndian, header[:magic&0xff]); err != nil {
		return nil, ended(err, "early")
	}
	count, rows, columns := header[0], header[1], header[2]
	if rows == 0 || columns == 0 || rows > maxSide || columns > maxSide {
		return nil, fmt.Errorf("the IDX file says its images have %dx%d pixels; 1x1 to %dx%d can be read", columns, rows, maxSide, maxSide)
	}
	each := uint64(rows) * uint64(columns)
	if magic == idxImages {
		each += ink.SampleMemory
		if max(rows, columns) > ink.Side {
			each += ink.DetailSide * ink.DetailSide
		}
	}
	if memory := uint64(count) * each; memory > uint64(most) {
		return nil, fmt.Errorf("the IDX file says it holds %d samples, which take %d MB, more than %d; split it", count, memory>>20, most>>20)
	}
	return &idxFile{b, int(count), int(columns), int(rows)}, nil
}

func (f *idxFile) values() ([]byte, error) {
	values := make([]byte, f.count*f.width*f.height)
	if n, err := io.ReadFull(f.from, values); err != nil {
		return nil, ended(err, fmt.Sprintf("after %d of %d bytes", n, len(values)))
	}
	return values, nil
}

// ended says of a file that could not be read on where it ends.
func ended(err error, where string) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the IDX file ends %s; get it again", where)
	}
	return fmt.Errorf("the IDX file cannot be read: %w", files.Cause(err))
}
