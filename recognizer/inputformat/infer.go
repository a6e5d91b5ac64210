package inputformat

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
	"inkshade/models"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/prototype"
)

// Inferred is the input format that did best on the sample characters.
type Inferred struct {
	Picture    feature.Picture
	Right, All int
	Reason     *message.Message // of the choice
}

// short writes a value of a pixel to two digits behind the point at most.
func short(v float64) string { return fmt.Sprint(math.Round(v*100) / 100) }

// scales are those of public models. One has the mean and standard deviation of MNIST, as in PyTorch's examples.
var scales = []feature.Scale{
	{Paper: 0, Ink: 1},
	{Paper: -0.1307 / 0.3081, Ink: (1 - 0.1307) / 0.3081},
	{Paper: -1, Ink: 1},
	{Paper: -0.5, Ink: 0.5},
	{Paper: 0, Ink: 255},
}

// enough of the samples right is a share with which no more is tried.
const enough = 0.9

// A network that needs more than this many values for a mini-batch, half a gigabyte, or multiplies about so often for it, is given
// one sample after the other, and few of them.
const (
	most         = 1 << 27
	mostProducts = 1 << 34 // a second
	few          = 40
)

func heavy(net nn.Network) bool {
	values, products := net.Width(), 0
	for _, l := range net.Describe() {
		values += l.Shape.Size()
		products += l.Shape.Positions() * l.Parameters
	}
	return values*nn.LargeBatch > most || products*nn.LargeBatch > mostProducts
}

// patience is how long formats are tried; tests have less.
var patience = 10 * time.Second

// numbered is the most classes without labels that are taken for digits and what is none.
const numbered = 20

// well is the share of the samples right that is the least that is taken. Few classes may be told
// apart by chance.
func well(classes int) float64 { return max(0.5, 1-float64(classes)/20) }

// infer finds the scale of a model's pixels and which way round its pictures are. known is what was
// stated. An error says that it answers well to nothing that was tried.
func infer(ctx context.Context, m *nn.Model, size feature.Picture, known Format) (Inferred, error) {
	classes, images, err := sampleImages(ctx, m)
	if err != nil {
		return Inferred{}, err
	}
	together := nn.LargeBatch
	if heavy(m.Network) {
		together, classes, images = 1, classes[:min(len(classes), few)], images[:min(len(images), few)]
	}
	if len(images) == 0 {
		return Inferred{}, message.Errorf("nothing says what range its pixels have, and there are no sample characters with its labels to try it on; " +
			"say the scale of its pixels, 0..1 or 0..255, and its labels")
	}
	dev, err := glcompute.Open(glcompute.CPU)
	if err != nil {
		return Inferred{}, err
	}
	defer dev.Close()
	inference, err := nn.NewInference(dev, m.Network)
	if err != nil {
		return Inferred{}, err
	}
	defer inference.Close()
	ctx, stop := context.WithTimeoutCause(ctx, patience, message.Errorf("finding out what range its pixels have takes too long; say their scale, 0..1 or 0..255, and its labels"))
	defer stop()
	best, lowest := Inferred{All: len(images)}, math.Inf(1)
	usual, others := pictures(size, known)
	for i, p := range append(usual, others...) {
		if i == len(usual) && float64(best.Right) >= enough*float64(best.All) {
			break
		}
		extractor, right := p.Extractor(), 0
		answers := make([][]float32, len(images))
		for from := 0; from < len(images); from += together {
			if ctx.Err() != nil {
				return Inferred{}, context.Cause(ctx)
			}
			var rows [][]float32
			for _, img := range images[from:min(from+together, len(images))] {
				rows = append(rows, extractor.Vector(img, nil))
			}
			err := inference.Each(rows, func(i int, logits []float32) {
				answers[from+i] = slices.Clone(logits)
				if nn.Best(logits) == classes[from+i] {
					right++
				}
			})
			if err != nil {
				return Inferred{}, err
			}
		}
		if score := brier(answers, classes); score < lowest {
			best.Picture, best.Right, lowest = p, right, score
		}
	}
	if float64(best.Right) < well(len(m.Labels))*float64(best.All) {
		return best, message.Errorf("it answers at most %d of %d sample characters right, whatever range its pixels are given in; if it reads something else, "+
			"say the scale of its pixels, 0..1 or 0..255, and its labels", best.Right, best.All)
	}
	paper, full := short(best.Picture.Paper), short(best.Picture.Scale.Ink)
	best.Reason = message.Text("it expects pixels from %s (paper) to %s (ink): %d of %d sample characters right", paper, full, best.Right, best.All)
	if best.Picture.Transposed {
		best.Reason = message.Text("it expects pixels from %s (paper) to %s (ink), rows as columns: %d of %d sample characters right", paper, full, best.Right, best.All)
	}
	return best, nil
}

// pictures are the formats that are tried first, and those that are if these do not do well.
func pictures(size feature.Picture, known Format) (usual, others []feature.Picture) {
	all := scales
	if size.Height == smallestSide {
		all = append(slices.Clone(all), feature.Scale{Paper: 0, Ink: 16}) // the digits of scikit-learn
	}
	if known.Scale != (feature.Scale{}) {
		all = []feature.Scale{known.Scale}
	}
	fits := []feature.Fit{feature.Padded, feature.Cut}
	if size.Height != ink.Side || size.Width != ink.Side {
		fits = append(fits, feature.Resized)
	}
	p := size
	for _, p.Transposed = range []bool{false, true} {
		for _, inverted := range []bool{false, true} {
			for _, p.Fit = range fits {
				for _, p.Scale = range all {
					if inverted {
						p.Scale = p.Scale.Inverted()
					}
					if p.Transposed == known.Transposed && inverted == known.Inverted {
						usual = append(usual, p)
					} else if (p.Transposed || !known.Transposed) && (inverted || !known.Inverted) {
						others = append(others, p)
					}
				}
			}
		}
	}
	return usual, others
}

// distorted draws a form as people might, a kind after the other: mildly, as in training, and strongly with pens of any width.
func distorted(k ink.Ink, kind int, r *rand.Rand) (ink.Image, error) {
	d := []dataset.Distortion{
		{Shift: 1, Rotate: 6, Scale: 0.08, Shear: 0.08, ElasticAlpha: 16, ElasticSigma: 5, Thickness: 0.35},
		dataset.DefaultDistortion(),
		{Thickness: 0.8},
	}[kind]
	if kind == 2 {
		k = dataset.DefaultDistortion().Times(1.3).ApplyInk(nil, k, r)
	}
	img, err := ink.Rasterize(k)
	if err == nil {
		d.Apply(img.Pix, img.Pix, r)
	}
	return img, err
}

// brier is the mean squared distance of probabilities from those of the right answers (Brier, 1950), at the temperature at which
// it is least: a network may have learned to be more or less sure. Unlike the share that is right it tells two scales apart
// with which the network answers alike, but not alike surely.
func brier(answers [][]float32, classes []int) float64 {
	least := math.Inf(1)
	for half := range 13 {
		temperature, sum := math.Pow(2, float64(half-6)/2), 0.0
		for i, logits := range answers {
			all := nn.LogSum(logits, temperature, nil)
			for class, z := range logits {
				p := math.Exp(float64(z)/temperature - all)
				if class == classes[i] {
					p = 1 - p
				}
				sum += p * p
			}
		}
		least = min(least, sum/float64(len(answers)))
	}
	return least
}

// samples of characters, about.
const samples = 400

// sampleImages are mean forms of the characters that the model has labels for, digits if it has them, else letters, distorted
// by fixed seeds.
func sampleImages(ctx context.Context, m *nn.Model) (classes []int, images []ink.Image, err error) {
	if last := len(m.Labels) - 1; last >= numbered && m.Labels[last] == strconv.Itoa(last) {
		return nil, nil, nil
	}
	data, err := models.Open(models.Words)
	if err != nil {
		return nil, nil, err
	}
	words, err := onnx.Read(ctx, bytes.NewReader(data))
	if err != nil {
		return nil, nil, err
	}
	forms, err := prototype.Letters(words)
	if err != nil {
		return nil, nil, err
	}
	var chosen []ink.Labelled
	for _, set := range []string{nn.Digits, nn.Capitals, nn.Small} {
		if len(chosen) == 0 {
			chosen = slices.DeleteFunc(slices.Clone(forms), func(d ink.Labelled) bool {
				return !strings.Contains(set, d.Label) || m.Class(d.Label) < 0
			})
		}
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	for i := 0; len(chosen) > 0 && i < max(samples/len(chosen), 1)*len(chosen); i++ {
		d := chosen[i%len(chosen)]
		img, err := distorted(d.Ink, i%3, rand.New(rand.NewPCG(1, uint64(i))))
		if err != nil {
			return nil, nil, err
		}
		classes, images = append(classes, m.Class(d.Label)), append(images, img)
	}
	return classes, images, nil
}
