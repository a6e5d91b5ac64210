package dataset

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
)

// Load is Read and then Draw.
func Load(ctx context.Context, paths ...string) (samples []Sample, blank []error, err error) {
	if samples, blank, err = Read(ctx, paths...); err != nil {
		return nil, nil, err
	}
	if err = Draw(ctx, samples); err != nil {
		return nil, nil, err
	}
	return samples, blank, nil
}

// Read reads samples; those that are drawings have no images before Draw gives them to those that are wanted. A path is an ink file with labels (see ink.Read), a folder of
// such files, a folder that has a folder of PNG, JPEG, GIF or WebP pictures for each class, or
// an IDX file of images, followed by the path of its labels: an IDX file, or text with a label a
// line. The order of the samples is
// that of the paths and, within, of the files; the same paths give the same samples. An
// error names the path, the sample and what to do. Samples without ink are left out, and
// blank has an error for each, in order; err is for samples none of which has ink, too. When the
// context ends, its cause is returned.
func Read(ctx context.Context, paths ...string) (samples []Sample, blank []error, err error) {
	jobs, err := plan(paths)
	if err != nil {
		return nil, nil, err
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
	if err != nil {
		return nil, nil, err
	}
	return finish(ctx, slices.Concat(drafts...))
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
		path := paths[i]
		name := files.Shown(path)
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s: there is no such file or folder; check the name", name)
		case err != nil:
			return nil, fmt.Errorf("%s cannot be opened: %w", name, errors.Unwrap(err))
		}
		if info.IsDir() {
			inside, err := planFolder(path)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			jobs = append(jobs, inside...)
			continue
		}
		kind := kindInk
		if info.Mode().IsRegular() { // a pipe can be read only once
			if kind, err = kindOf(path); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		switch kind {
		case kindIDXImages:
			if i+1 == len(paths) {
				return nil, fmt.Errorf("%s holds IDX images; name the file of their labels after it", name)
			}
			labels := paths[i+1]
			i++
			jobs = append(jobs, job{path, func(ctx context.Context) ([]draft, error) { return readIDXPair(ctx, path, labels) }})
		case kindIDXLabels:
			return nil, fmt.Errorf("%s holds IDX labels; name the file of the images before it", name)
		case kindOtherIDX:
			return nil, fmt.Errorf("%s is an IDX file of another type or number of dimensions; images are bytes with three, labels bytes with one", name)
		case kindPicture:
			return nil, fmt.Errorf("%s is a single picture without a label; put it in a folder named after its class and give the folder above", name)
		default:
			jobs = append(jobs, job{path, func(ctx context.Context) ([]draft, error) { return readInk(ctx, path, os.Open) }})
		}
	}
	return jobs, nil
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
	most := ink.MaxMemory
	if info, err := f.Stat(); err == nil {
		most = max(most, unzipping*int(info.Size()))
	}
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
			sample:  Sample{Label: label, Source: images},
			number:  i + 1,
			picture: func() (ink.Image, error) { return imageOf(pix[i*size:][:size], of.width, of.height) },
		}
	}
	return drafts, nil
}

func imageOf(pix []byte, width, height int) (ink.Image, error) {
	img := ink.Image{Width: width, Height: height, Pix: make([]float32, len(pix))}
	for i, v := range pix {
		img.Pix[i] = float32(v) / 255
	}
	return ink.Normalize(img)
}
