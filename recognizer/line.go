package recognizer

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// RecognizeLine reads many characters at once: numbers, words, several lines. Ink without a point is ink.ErrEmpty;
// when the context ends, its cause is the error.
func (r *Recognizer) RecognizeLine(ctx context.Context, k ink.Ink, o line.Options) (*line.Result, error) {
	return line.Read(ctx, k, o, r.AskLine)
}

// RecognizeLines reads many inks, each by itself; see RecognizeLine. Together they are faster.
func (r *Recognizer) RecognizeLines(ctx context.Context, inks []ink.Ink, o line.Options) ([]*line.Result, error) {
	return line.ReadMany(ctx, inks, o, r.AskLine)
}

// AskLine answers for the shapes of a line, a part at a time so that the context can end it.
func (r *Recognizer) AskLine(ctx context.Context, shapes []line.Shape) ([]line.Answer, error) {
	const atOnce = 256
	out := make([]line.Answer, 0, len(shapes))
	for part := range slices.Chunk(shapes, atOnce) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		begin := time.Now()
		images, inks := make([]ink.Image, len(part)), make([]ink.Ink, len(part))
		problems := make([]error, len(part))
		var all sync.WaitGroup
		workers := min(runtime.GOMAXPROCS(0), len(part))
		for w := range workers {
			all.Go(func() {
				for i := w; i < len(part); i += workers {
					inks[i] = part[i].Ink
					if inks[i] == nil {
						images[i], problems[i] = ink.Normalize(part[i].Image)
					} else {
						images[i], problems[i] = ink.Rasterize(inks[i])
					}
				}
			})
		}
		all.Wait()
		for _, err := range problems {
			if err != nil {
				return nil, err
			}
		}
		answers, err := r.recognize(images, inks, time.Since(begin))
		if err != nil {
			return nil, err
		}
		for _, a := range answers {
			out = append(out, line.Answer{Candidates: a.Candidates, Unknown: a.Unknown, Novelty: a.Novelty})
		}
	}
	return out, nil
}
