package dataset

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"inkshade/recognizer/ink"
)

func workers() int { return runtime.GOMAXPROCS(0) }

// forEach calls do for runs of chunk of 0..n-1 on all cores and returns the error of the first
// run that failed.
func forEach(ctx context.Context, n, chunk int, do func(from, to int) error) error {
	group, running := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range workers() {
		group.Go(func() error {
			for {
				from := int(next.Add(int64(chunk))) - chunk
				if from >= n {
					return nil
				}
				if err := running.Err(); err != nil {
					return err
				}
				if err := do(from, min(from+chunk, n)); err != nil {
					return err
				}
			}
		})
	}
	return group.Wait()
}

// drawAll gives the drafts their images, but for those without ink, of which blank tells.
func drawAll(ctx context.Context, drafts []draft, progress func(done, total int)) (samples []Sample, blank []error, err error) {
	const size = ink.Side * ink.Side
	samples = make([]Sample, len(drafts))
	without := make([]error, len(drafts))
	pix := make([]float32, len(drafts)*size)
	var done atomic.Int64
	err = forEach(ctx, len(drafts), 256, func(from, to int) error {
		for i := from; i < to; i++ {
			if ctx.Err() != nil { // pictures may be large
				return context.Cause(ctx)
			}
			d := drafts[i]
			dst := pix[i*size : (i+1)*size : (i+1)*size]
			detail, err := d.draw(dst)
			if err != nil {
				err = fmt.Errorf("%s: sample %d, labelled %q: %w", ink.Shown(d.sample.Source), d.number, d.sample.Label, err)
				if !errors.Is(err, ink.ErrEmpty) {
					return err
				}
				without[i] = err
				continue
			}
			samples[i] = d.sample
			samples[i].Image = ink.Image{Width: ink.Side, Height: ink.Side, Pix: dst, Detail: detail}
		}
		if now := done.Add(int64(to - from)); progress != nil {
			progress(int(now), len(drafts))
		}
		return nil
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
