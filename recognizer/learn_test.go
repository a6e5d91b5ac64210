//go:build learn

package recognizer

import (
	"bytes"
	"image"
	"image/png"
	"math/rand/v2"
	"slices"
	"testing"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/samples"
)

// What stands for strangers who draw Chinese characters with a pen, of whom there is no ink: docs/chinese.md has the figures.
func TestChineseStrokes(t *testing.T) {
	r := shipped(t, "chinese-cnn")
	rng := rand.New(rand.NewPCG(1, 1))
	measure(t, r, "middle lines of strokes in random order, half of them backwards", loadData(t, "hanzi/medians.jsonl.gz"), func(s dataset.Sample) ink.Ink {
		k := slices.Clone(s.Ink)
		rng.Shuffle(len(k), func(i, j int) { k[i], k[j] = k[j], k[i] })
		for i := range k {
			if rng.IntN(2) == 0 {
				k[i] = slices.Clone(k[i])
				slices.Reverse(k[i])
			}
		}
		return k
	})
	for _, writer := range []string{"C016", "C031"} {
		pictures := loadData(t, "hanzi/writers/"+writer+"-images-idx3-ubyte.gz", "hanzi/writers/"+writer+"-labels.txt")
		measure(t, r, "pictures by "+writer+", traced", pictures, func(s dataset.Sample) ink.Ink { return traced(t, s.Image) })
	}
}

// measure logs how many of some drawings are answered rightly, and have the right answer among the first ten.
func measure(t *testing.T, r *Recognizer, name string, all []dataset.Sample, draw func(dataset.Sample) ink.Ink) {
	t.Helper()
	right, ten := 0, 0
	for part := range slices.Chunk(all, 256) {
		inks := make([]ink.Ink, len(part))
		for i, s := range part {
			inks[i] = draw(s)
		}
		answers, err := r.RecognizeMany(inks, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range answers {
			switch slices.IndexFunc(a.Candidates[:10], func(c Candidate) bool { return c.Label == part[i].Label }) {
			case 0:
				right++
				ten++
			case -1:
			default:
				ten++
			}
		}
	}
	share := 100 / float64(len(all))
	t.Logf("%s: %.1f %% right, %.1f %% among ten of %d", name, share*float64(right), share*float64(ten), len(all))
}

// traced are strokes along the middle of a picture's lines, as an import keeps of a photograph.
func traced(t *testing.T, img ink.Image) ink.Ink {
	t.Helper()
	const margin = 4
	sheet := image.NewGray(image.Rect(-margin, -margin, ink.DetailSide+margin, ink.DetailSide+margin))
	for i := range sheet.Pix {
		sheet.Pix[i] = 255
	}
	for i, v := range img.Detail {
		sheet.Pix[sheet.PixOffset(i%ink.DetailSide, i/ink.DetailSide)] = 255 - v
	}
	var file bytes.Buffer
	if err := png.Encode(&file, sheet); err != nil {
		t.Fatal(err)
	}
	k, err := samples.ReadPicture(bytes.NewReader(file.Bytes()), false)
	if err != nil {
		t.Fatal(err)
	}
	return k
}
