package recognizer

import (
	"context"
	"maps"
	"math"
	"slices"

	"inkshade/glcompute/message"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
)

// ReadsLines tells whether the model reads whole lines, and no single characters.
func (r *Recognizer) ReadsLines() bool { return r.model.Preprocessing == nn.LineMaps }

// ReadLines reads inks as lines: with a model that reads lines by its columns, else by cutting them into characters.
func (r *Recognizer) ReadLines(ctx context.Context, inks []ink.Ink, o line.Options) ([]*line.Result, error) {
	if r.ReadsLines() {
		return line.ReadColumns(ctx, inks, o, r.Columns)
	}
	return line.ReadMany(ctx, inks, o, r.AskLine)
}

// Columns is what line.ReadColumns asks.
func (r *Recognizer) Columns(ctx context.Context, lines []ink.Ink) ([]line.Columns, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, errClosed
	}
	out := make([]line.Columns, len(lines))
	cells := make([]ink.Ink, len(lines))
	alike := map[int][]int{} // lines of a class of columns
	for i, k := range lines {
		var scale float64
		cells[i], scale = feature.Line(k)
		if cells[i] == nil {
			return nil, ink.ErrEmpty
		}
		left, _, _, _, _ := k.Bounds()
		out[i] = line.Columns{Labels: r.model.Labels, LogP: make([][]float64, feature.LineColumns(cells[i])), From: feature.ColumnEdge(0, left, scale)}
		out[i].Step = feature.ColumnEdge(1, left, scale) - out[i].From
		class := nn.ColumnClass(len(out[i].LogP))
		alike[class] = append(alike[class], i)
	}
	classes := len(r.model.Labels) + 1
	for _, columns := range slices.Sorted(maps.Keys(alike)) {
		of, broken := alike[columns], false
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		err := r.inference.Logits(len(of), columns, func(i int, row []float32) {
			feature.FillLine(row, cells[of[i]], columns)
		}, func(i int, logits []float32) {
			broken = broken || !finite(logits)
			for j := range out[of[i]].LogP {
				out[of[i]].LogP[j] = r.logProbabilities(logits[j*classes : (j+1)*classes])
			}
		})
		if err == nil && broken {
			err = message.Errorf("the %s device gave no numbers for a line; use another device", r.dev.Info().Kind)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// logProbabilities are ln p of a column, the classes that may be answered and the blank among each other.
func (r *Recognizer) logProbabilities(logits []float32) []float64 {
	var allowed []bool
	if r.allowed != nil {
		allowed = append(slices.Clip(r.allowed), true)
	}
	temperature := r.seen.Calibration()
	sum := nn.LogSum(logits, temperature, allowed)
	out := make([]float64, len(logits))
	for i, v := range logits {
		out[i] = float64(v)/temperature - sum
		if allowed != nil && !allowed[i] {
			out[i] = math.Inf(-1)
		}
	}
	return out
}
