// Package dataset holds labelled samples of handwriting: it loads them from ink files,
// folders of pictures and IDX files, splits them by writer, and distorts their images.
package dataset

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
)

// Sample is a labelled image and, where it is known, the ink it was drawn from.
type Sample struct {
	Label, Writer string
	Source        string    // the file it came from; of a picture, the folder of its class
	Context       bool      // cut out of running text
	Style         string    // such as PRINTED or CURSIVE; "" when unknown
	Ink           ink.Ink   // nil when the sample is a picture
	Image         ink.Image // 28x28; of a drawing that Draw gave none, nothing
}

// Draw gives an image to each sample that has none, in place. ErrEmpty, wrapped, says that one has no ink either; when
// the context ends, its cause is returned.
func Draw(ctx context.Context, samples []Sample) error {
	return InParallel(ctx, len(samples), func(_ context.Context, i int) (err error) {
		if s := &samples[i]; s.Image.Pix == nil {
			if s.Image, err = ink.Rasterize(s.Ink); err != nil {
				err = fmt.Errorf("%s: a sample labelled %.80q: %w", files.Shown(s.Source), s.Label, err)
			}
		}
		return err
	})
}

// draft is a sample whose picture was not looked at.
type draft struct {
	sample  Sample
	number  int                       // within its file, from 1
	picture func() (ink.Image, error) // the image; nil of a drawing
}

// Found are samples whose pictures were not looked at.
type Found []draft

// Each gives the pictures their images, so many samples at a time, and hands them over, which are then no more kept here, with
// an error for each of those that are left out because they hold no ink; see Read.
func (f Found) Each(ctx context.Context, most int, take func(samples []Sample, blank []error) error) error {
	kept, first := 0, error(nil)
	for part := range slices.Chunk(f, most) {
		samples, blank, err := finish(ctx, part)
		if err == nil {
			err = take(samples, blank)
		}
		if err != nil {
			return err
		}
		if kept += len(samples); first == nil && len(blank) > 0 {
			first = blank[0]
		}
	}
	if kept == 0 {
		return first
	}
	return nil
}

// finish gives the drafts that are pictures their images, and leaves out those without ink, of which blank tells.
func finish(ctx context.Context, drafts []draft) (samples []Sample, blank []error, err error) {
	samples = make([]Sample, len(drafts))
	without := make([]error, len(drafts))
	err = InParallel(ctx, len(drafts), func(_ context.Context, i int) (err error) {
		d, s := drafts[i], &samples[i]
		if *s = d.sample; d.picture != nil {
			s.Image, err = d.picture()
		} else if _, _, _, _, ok := s.Ink.Bounds(); !ok {
			err = ink.ErrEmpty
		}
		if err == nil {
			return nil
		}
		err = fmt.Errorf("%s: sample %d, labelled %.80q: %w", files.Shown(s.Source), d.number, s.Label, err)
		if errors.Is(err, ink.ErrEmpty) {
			without[i], err = err, nil
		}
		return err
	})
	kept := samples[:0]
	for i, s := range samples {
		if without[i] == nil {
			kept = append(kept, s)
		}
	}
	return kept, slices.DeleteFunc(without, func(err error) bool { return err == nil }), err
}

// InParallel calls do for 0 to n-1 on all cores. When one fails, or ctx ends, it leaves out the rest and returns that error,
// or the cause of the end; the context that do is given ends then too.
func InParallel(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	work, running := errgroup.WithContext(ctx)
	var taken atomic.Int64
	for range min(n, runtime.GOMAXPROCS(0)) {
		work.Go(func() error {
			for i := int(taken.Add(1)) - 1; i < n && ctx.Err() == nil && running.Err() == nil; i = int(taken.Add(1)) - 1 {
				if err := do(running, i); err != nil {
					return err
				}
			}
			return context.Cause(ctx)
		})
	}
	return work.Wait()
}

// lookAlikes are characters that a single one, without a line to compare with, does not tell
// apart: they differ in size or place, or not at all.
var lookAlikes = []string{"0Oo", "1Il|", "Cc", "Kk", "Pp", "Ss", "Uu", "Vv", "Ww", "Xx", "Zz", "',`", "-_"}

// LookAlike tells whether two characters are not told apart when each stands alone.
func LookAlike(a, b string) bool {
	return a != "" && b != "" && slices.ContainsFunc(lookAlikes, func(s string) bool { return strings.Contains(s, a) && strings.Contains(s, b) })
}
