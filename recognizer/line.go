package recognizer

import (
	"context"
	"slices"

	"inkshade/glcompute/clock"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
)

// LineBatch is how many of the hypotheses of a line the network answers for at once; a few are faster one by one.
func LineBatch(hypotheses int) int {
	if hypotheses < nn.SmallBatch/4 {
		return 1
	}
	return nn.BatchClass(hypotheses)
}

// AskLine answers for the shapes of a line, a batch at a time so that the context can end it: it is what line.Read asks.
func (r *Recognizer) AskLine(ctx context.Context, shapes []line.Shape) ([]line.Answer, error) {
	return r.askLine(ctx, shapes, &Timing{})
}

// askLine adds what the network takes to the timing.
func (r *Recognizer) askLine(ctx context.Context, shapes []line.Shape, t *Timing) ([]line.Answer, error) {
	out := make([]line.Answer, 0, len(shapes))
	for part := range slices.Chunk(shapes, nn.LargeBatch) {
		for batch := range slices.Chunk(part, LineBatch(len(part))) {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			begin := clock.Now()
			images, inks := make([]ink.Image, len(batch)), make([]ink.Ink, len(batch))
			for i, s := range batch {
				var err error
				if inks[i] = s.Ink; s.Ink == nil {
					images[i], err = ink.Normalize(s.Image)
				} else {
					images[i], err = ink.Rasterize(s.Ink)
				}
				if err != nil {
					return nil, err
				}
			}
			answers, err := r.recognize(images, inks, inks, clock.Since(begin))
			if err != nil {
				return nil, err
			}
			for _, a := range answers {
				t.Compute += a.Timing.Compute
				out = append(out, line.Answer{Candidates: a.Candidates, Unknown: a.Unknown, OutOfDistribution: a.OutOfDistribution})
			}
		}
	}
	return out, nil
}

// MeasureLine reads a line once, anew: Compute is the network with its transfers, Preprocess is all else, the search too.
func (r *Recognizer) MeasureLine(ctx context.Context, k ink.Ink, o line.Options) (Timing, error) {
	var t Timing
	o.Cache = nil
	begin := clock.Now()
	if r.ReadsLines() {
		_, err := r.ReadLines(ctx, []ink.Ink{k}, o)
		return Timing{Compute: clock.Since(begin)}, err
	}
	_, err := line.Read(ctx, k, o, func(ctx context.Context, shapes []line.Shape) ([]line.Answer, error) {
		return r.askLine(ctx, shapes, &t)
	})
	t.Preprocess = clock.Since(begin) - t.Compute
	return t, err
}
