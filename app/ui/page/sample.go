package page

import (
	"time"

	"inkshade/app/ui/worker"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/samples"
)

// NewSample is a drawing as it is stored: what it stands for, and what was answered (nil
// when there was no answer). It is a correction when the answer was another, or none.
func NewSample(label string, k ink.Ink, scale float64, drawn time.Time, answered *worker.Reply) samples.Sample {
	s := samples.Sample{Label: label, Ink: k, DeviceScale: scale, Time: drawn}
	if answered == nil || answered.Err != nil || len(answered.Answer.Candidates) == 0 {
		return s
	}
	best := answered.Answer.Candidates[0]
	s.Answered = samples.Answer{Label: best.Label, Probability: min(best.Probability, 1)}
	s.Correction = best.Label != label || answered.Answer.Unknown
	return s
}
