package dataset

import (
	"context"
	"errors"
	"fmt"

	"inkshade/recognizer/ink"
)

// drawAll gives the drafts their images, but for those without ink, of which blank tells.
func drawAll(ctx context.Context, drafts []draft) (samples []Sample, blank []error, err error) {
	const size = ink.Side * ink.Side
	samples = make([]Sample, len(drafts))
	without := make([]error, len(drafts))
	pix := make([]float32, len(drafts)*size)
	err = InParallel(ctx, len(drafts), func(_ context.Context, i int) error {
		d := drafts[i]
		dst := pix[i*size : (i+1)*size : (i+1)*size]
		detail, err := d.draw(dst)
		if err == nil {
			samples[i] = d.sample
			samples[i].Image = ink.Image{Width: ink.Side, Height: ink.Side, Pix: dst, Detail: detail}
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
