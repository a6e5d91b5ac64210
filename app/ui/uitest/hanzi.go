package uitest

import (
	"slices"
	"testing"

	"golang.org/x/text/encoding/simplifiedchinese"

	"inkshade/app/state/device"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
)

// Hanzi are the 3,755 characters of GB 2312's first level.
func Hanzi(t *testing.T) []string {
	t.Helper()
	var labels []string
	for row := byte(0xB0); row < 0xD8; row++ {
		for cell := byte(0xA1); cell < 0xFF; cell++ {
			if c, err := simplifiedchinese.GBK.NewDecoder().Bytes([]byte{row, cell}); err == nil && string(c) < "\ue000" {
				labels = append(labels, string(c))
			}
		}
	}
	if len(labels) != 3755 {
		t.Fatalf("%d characters", len(labels))
	}
	return labels
}

// HanziEngine answers with as many characters as strokes left out.
type HanziEngine struct {
	*Engine
	Labels []string
}

func (e HanziEngine) Recognize(k ink.Ink, traced bool) (recognizer.Answer, device.Side, error) {
	a, side, err := e.Engine.Recognize(k, traced)
	known := a.Candidates
	a.Candidates = nil
	for i, l := range slices.Concat(e.Labels[len(k):], e.Labels[:len(k)]) {
		a.Candidates = append(a.Candidates, recognizer.Candidate{Label: l, Probability: 0.4 / float64(int(1)<<min(i, 30))})
	}
	if len(known) > 0 && slices.Contains(e.Labels, known[0].Label) { // remembered
		a.Candidates = slices.Concat(known[:1], a.Candidates)
	}
	return a, side, err
}
