package recognizer_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"inkshade/models"
	"inkshade/recognizer"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn/nntest"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/prototype"
)

// Words in the letters that the model for words keeps are read, and with INKSHADE_EXPORTS their columns go beside the model into that
// folder, where .ci/bench-peers/graphs compares them with those of ONNX Runtime.
func TestColumnsOfKeptLetters(t *testing.T) {
	m, err := recognizer.LoadModel(models.Words)
	if err != nil {
		t.Fatal(err)
	}
	r, err := recognizer.New(m, nntest.CPU(t))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	letters, err := prototype.Letters(m)
	if err != nil {
		t.Fatal(err)
	}
	var samples []dataset.Sample
	for _, l := range letters {
		samples = append(samples, dataset.Sample{Label: l.Label, Writer: "kept", Ink: l.Ink})
	}
	hand := dataset.LettersOf(samples, 1)[0]
	rng := rand.New(rand.NewPCG(1, 1))
	for _, text := range []string{"and", "Hello", "347-12", "handwriting"} {
		k := hand.Compose(text, rng)
		columns, err := r.Columns(t.Context(), []ink.Ink{k})
		if err != nil {
			t.Fatal(err)
		}
		if read := line.Decode(columns[0], line.None, nil, 10)[0].Labels; len(read) != len(text) {
			t.Errorf("%s is read %q", text, read)
		}
		if folder := os.Getenv("INKSHADE_EXPORTS"); folder != "" {
			export(t, folder, text, k, columns[0])
		}
	}
}

func export(t *testing.T, folder, text string, k ink.Ink, columns line.Columns) {
	type input struct {
		Dims []int
		Data []float32
	}
	n := len(columns.LogP)
	cells, _ := feature.Line(k)
	row := make([]float32, feature.LineInput(n))
	feature.FillLine(row, cells, n)
	width := n * feature.ColumnCells
	maps, mask := make([]float32, len(row)-n), row[len(row)-n:]
	for i := range maps {
		channel, place := i%feature.LineChannels, i/feature.LineChannels
		maps[channel*feature.LineRows*width+place] = row[i]
	}
	output := make([][]float64, n)
	for i, column := range columns.LogP {
		for _, ln := range column {
			output[i] = append(output[i], math.Exp(ln))
		}
	}
	values, err := json.Marshal(map[string]any{
		"Name":    "words: " + text,
		"Samples": n,
		"Rounded": 0,
		"Inputs":  map[string]input{"maps": {[]int{1, feature.LineChannels, feature.LineRows, width}, maps}, "line": {[]int{1, 1, 1, n}, mask}},
		"Output":  map[string][][]float64{"cpu": output},
	})
	if err != nil {
		t.Fatal(err)
	}
	m, err := recognizer.LoadModel(models.Words)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(folder, "words-"+text+".onnx"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(onnx.Write(f, m), f.Close(), os.WriteFile(filepath.Join(folder, "words-"+text+".json"), values, 0o666)); err != nil {
		t.Fatal(err)
	}
}
