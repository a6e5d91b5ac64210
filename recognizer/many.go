package recognizer

import (
	"fmt"

	"inkshade/glcompute/clock"
	"inkshade/recognizer/ink"
)

// RecognizeMany answers for many drawings at once; see Recognize. An error names the
// drawing by number.
func (r *Recognizer) RecognizeMany(drawings []ink.Ink) ([]Answer, error) {
	begin := clock.Now()
	images := make([]ink.Image, len(drawings))
	for i, k := range drawings {
		var err error
		if images[i], err = ink.Rasterize(k); err != nil {
			return nil, fmt.Errorf("drawing %d: %w", i+1, err)
		}
	}
	return r.recognize(images, drawings, drawings, clock.Since(begin))
}
