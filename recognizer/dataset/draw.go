package dataset

import (
	"context"
	"errors"
	"fmt"

	"inkshade/recognizer/ink"
)

// Draw gives an image to each sample that has none, in place. ErrEmpty, wrapped, says that one has no ink either; when
// the context ends, its cause is returned.
func Draw(ctx context.Context, samples []Sample) error {
	var without []*Sample
	for i := range samples {
		if samples[i].Image.Pix == nil {
			without = append(without, &samples[i])
		}
	}
	images := blankImages(len(without))
	return InParallel(ctx, len(without), func(_ context.Context, i int) error {
		s := without[i]
		if err := ink.RasterizeInto(images[i].Pix, s.Ink); err != nil {
			return fmt.Errorf("%s: a sample labelled %q: %w", ink.Shown(s.Source), s.Label, err)
		}
		s.Image = images[i]
		return nil
	})
}

// blankImages gives so many images, one behind the other.
func blankImages(n int) []ink.Image {
	const size = ink.Side * ink.Side
	pix, images := make([]float32, n*size), make([]ink.Image, n)
	for i := range images {
		images[i] = ink.Image{Width: ink.Side, Height: ink.Side, Pix: pix[i*size : (i+1)*size : (i+1)*size]}
	}
	return images
}

// draft is a sample whose picture was not looked at.
type draft struct {
	sample  Sample
	number  int                                             // within its file, from 1
	picture func(dst []float32) (detail []uint8, err error) // the image, and its Detail; nil of a drawing
}

// finish gives the drafts that are pictures their images, and leaves out those without ink, of which blank tells.
func finish(ctx context.Context, drafts []draft) (samples []Sample, blank []error, err error) {
	samples = make([]Sample, len(drafts))
	without := make([]error, len(drafts))
	pictures := 0
	for _, d := range drafts {
		if d.picture != nil {
			pictures++
		}
	}
	images := blankImages(pictures)
	for i, d := range drafts {
		if samples[i] = d.sample; d.picture != nil {
			samples[i].Image, images = images[0], images[1:]
		}
	}
	err = InParallel(ctx, len(drafts), func(_ context.Context, i int) (err error) {
		d, s := drafts[i], &samples[i]
		if d.picture != nil {
			s.Image.Detail, err = d.picture(s.Image.Pix)
		} else if _, _, _, _, ok := s.Ink.Bounds(); !ok {
			err = ink.ErrEmpty
		}
		if err == nil {
			return nil
		}
		err = fmt.Errorf("%s: sample %d, labelled %q: %w", ink.Shown(d.sample.Source), d.number, d.sample.Label, err)
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
