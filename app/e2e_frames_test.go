//go:build e2e

package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestFramesWhileDrawing draws digits and asks that the window's thread works at most 32 ms for a frame: nothing
// of its own then makes the pen lag. It counts processor time, which other work on the machine hardly changes, of
// everything that this thread does: events, answers, layout, Fyne's drawing of the whole window. The longest frame
// is that of the better of two rounds.
func TestFramesWhileDrawing(t *testing.T) {
	const limit = 32.0
	for _, model := range []string{"digits-mlp", "chinese-cnn"} {
		t.Run(model, func(t *testing.T) {
			s, dir := showInside(t, "--appearance", "light", "--model", model)
			lifts := 0
			var rounds []time.Time
			for range 2 {
				rounds = append(rounds, time.Now())
				for _, sample := range samples(t) {
					s.draw(sample.Ink, left, top, side)
					lifts += len(sample.Ink)
					s.answered(lifts)
					s.xdotool("key", "Delete")
				}
			}
			s.quit()
			data, err := os.ReadFile(filepath.Join(dir, framesFile))
			if err != nil {
				t.Fatal(err)
			}
			worst := math.Inf(1)
			for i, begin := range rounds {
				end := time.Now()
				if i+1 < len(rounds) {
					end = rounds[i+1]
				}
				var own, whole []float64
				for line := range bytes.Lines(data) {
					var f frame
					if err := json.Unmarshal(line, &f); err != nil {
						t.Fatal(err)
					}
					if f.End.After(begin) && f.End.Before(end) {
						own, whole = append(own, milliseconds(f.CPU)), append(whole, milliseconds(f.Wall))
					}
				}
				if len(own) < 20 {
					t.Fatalf("only %d frames", len(own))
				}
				t.Log(summarise("the thread's own work for a frame", own))
				t.Log(summarise("a whole frame, by the clock", whole))
				slices.Sort(own)
				worst = min(worst, own[len(own)-1])
				if most := quantile(own, 0.95); most > limit {
					t.Errorf("of 20 frames one takes %.1f ms or more", most)
				}
			}
			if worst > limit {
				t.Errorf("the longest frame took %.1f ms", worst)
			}
		})
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
