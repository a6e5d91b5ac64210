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

	"inkshade/assets"
	"inkshade/glcompute"
	"inkshade/glcompute/message"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// Inferred is the input format that did best on the sample characters.
type Inferred struct {
	Picture    feature.Picture
	Right, All int
	Reason     *message.Message // of the choice
}

// short writes a value of a pixel to two digits behind the point at most.
func short(v float64) string { return fmt.Sprint(math.Round(v*100) / 100) }

// scales are tried in this order, and of those that do equally well the first is taken: a network
// may answer well to far larger values than it was trained with, hardly to smaller ones. One has the
// mean and standard deviation of MNIST, as in PyTorch's examples.
var scales = []feature.Scale{
	{Paper: 0, Ink: 1},
	{Paper: -0.1307 / 0.3081, Ink: (1 - 0.1307) / 0.3081},
	{Paper: -1, Ink: 1},
	{Paper: 0, Ink: 255},
}

const (
	enough = 0.9  // of the samples right, and no more is tried
	alike  = 0.01 // of the samples is no difference
)

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
	labels, images := sampleImages(m)
	together := nn.LargeBatch
	if heavy(m.Network) {
		together, labels, images = 1, labels[:min(len(labels), few)], images[:min(len(images), few)]
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
	best := Inferred{Right: -1, All: len(images)}
	usual, others := pictures(size, known)
	for i, p := range append(usual, others...) {
		if i == len(usual) && float64(best.Right) >= enough*float64(best.All) {
			break
		}
		extractor, right := p.Extractor(), 0
		for from := 0; from < len(images); from += together {
			if ctx.Err() != nil {
				return Inferred{}, context.Cause(ctx)
			}
			var rows [][]float32
			for _, img := range images[from:min(from+together, len(images))] {
				rows = append(rows, extractor.Vector(img, nil))
			}
			err := inference.Each(rows, func(i int, logits []float32) {
				if m.Labels[nn.Best(logits)] == labels[from+i] {
					right++
				}
			})
			if err != nil {
				return Inferred{}, err
			}
		}
		if float64(right) > float64(best.Right)+alike*float64(best.All) {
			best.Picture, best.Right = p, right
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
	fits := []feature.Fit{size.Fit}
	if size.Height != ink.Side || size.Width != ink.Side {
		others := slices.DeleteFunc([]feature.Fit{feature.Padded, feature.Resized, feature.Cut}, func(f feature.Fit) bool { return f == size.Fit })
		fits = append(fits, others...)
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

// distortion is milder than what most models have learned to read.
var distortion = dataset.Distortion{Shift: 1, Rotate: 6, Scale: 0.08, Shear: 0.08, ElasticAlpha: 16, ElasticSigma: 5, Thickness: 0.35}

// sampleImages are about 100 of the sample characters that the model has labels for, digits if it
// has them, else letters, distorted by fixed seeds.
func sampleImages(m *nn.Model) (labels []string, images []ink.Image) {
	if last := len(m.Labels) - 1; last >= numbered && m.Labels[last] == strconv.Itoa(last) {
		return nil, nil
	}
	var drawings []ink.Labelled
	for _, file := range [][]byte{assets.SampleInk(), assets.SampleCharacters()} {
		drawings = append(drawings, glcompute.Must(ink.Read(bytes.NewReader(file)))...) // it is embedded
	}
	var chosen []ink.Labelled
	for _, set := range []string{nn.Digits, nn.Capitals, nn.Small} {
		if len(chosen) == 0 {
			chosen = slices.DeleteFunc(slices.Clone(drawings), func(d ink.Labelled) bool {
				return !strings.Contains(set, d.Label) || m.Class(d.Label) < 0
			})
		}
	}
	for i := 0; len(chosen) > 0 && i < max(100/len(chosen), 1)*len(chosen); i++ {
		d := chosen[i%len(chosen)]
		img := glcompute.Must(ink.Rasterize(d.Ink))
		distortion.Apply(img.Pix, img.Pix, rand.New(rand.NewPCG(1, uint64(i))))
		labels, images = append(labels, d.Label), append(images, img)
	}
	return labels, images
}
