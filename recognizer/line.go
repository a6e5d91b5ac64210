package recognizer

import (
	"context"
	"slices"
	"time"

	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
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

// RecognizeLineImage reads a picture of many characters, as ink.LineFromPicture gives it.
func (r *Recognizer) RecognizeLineImage(ctx context.Context, img ink.Image, o line.Options) (*line.Result, error) {
	return line.ReadImage(ctx, img, o, r.AskLine)
}

// AskLine answers for the shapes of a line, a batch at a time so that the context can end it. A batch takes as long
// when it is not full, so a few shapes are faster one by one.
func (r *Recognizer) AskLine(ctx context.Context, shapes []line.Shape) ([]line.Answer, error) {
	out := make([]line.Answer, 0, len(shapes))
	for part := range slices.Chunk(shapes, nn.LargeBatch) {
		atOnce := nn.LargeBatch
		if len(part) < nn.SmallBatch/4 {
			atOnce = 1
		}
		for batch := range slices.Chunk(part, atOnce) {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			begin := time.Now()
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
			answers, err := r.recognize(images, inks, time.Since(begin))
			if err != nil {
				return nil, err
			}
			for _, a := range answers {
				out = append(out, line.Answer{Candidates: a.Candidates, Unknown: a.Unknown, Novelty: a.Novelty})
			}
		}
	}
	return out, nil
}
