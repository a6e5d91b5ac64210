package dataset

import (
	"context"
	"errors"
	"fmt"

	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
)

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
	if err != nil {
		return nil, nil, err
	}
	kept := samples[:0]
	for i, s := range samples {
		if without[i] != nil {
			blank = append(blank, without[i])
		} else {
			kept = append(kept, s)
		}
	}
	if len(kept) == 0 && len(blank) > 0 {
		return nil, nil, blank[0]
	}
	return kept, blank, nil
}
