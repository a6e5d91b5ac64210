// Package train teaches a network from labelled samples: mini-batches, distortions made
// on the CPU while the device computes, a learning-rate schedule, a held-out part that
// decides which state is kept, early stop, progress events and cancel. It also evaluates
// models.
package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/nn"
)

// Config says how to train. Start from Default and change what differs.
type Config struct {
	Hidden        []int           // units of the hidden layers; with Start they come from there
	Network       nn.Architecture // layers to train instead of such hidden layers
	Function      string          // nonlinearity of the hidden layers, a name of expr.Functions; with Start it comes from there
	Preprocessing string          // what the network sees, e.g. nn.MNIST28; with Start it comes from there

	Epochs int // passes over the samples
	Batch  int // samples in a step

	Optimizer Optimizer
	Rate      float64 // largest learning rate
	FinalRate float64 // share of Rate at the end
	WarmUp    float64 // epochs over which the rate rises from 0 to Rate
	Momentum  float64 // share of the last step that goes on, below 1; of Adam its beta1
	Decay     float64 // pull toward zero, or toward Anchor, per unit of rate
	Smoothing float64 // share of the target spread over all classes (Szegedy et al., 2016)
	Average   float64 // decay per step of the moving average that is evaluated and kept; 0 for none

	// Learner makes what is taught in the place of a network whose layers follow gradients, such as
	// prototypes (package lvq). It takes Rate with its schedule, and may begin with the model of Start.
	Learner func(ctx context.Context, l Lesson) (Learner, error)

	Loss       nn.Loss // what is made small, with the output function it judges
	TwoFloats  bool    // parameters in two floats while training, so that tiny steps are not lost
	FollowLoss bool    // the rate is halved where the loss no longer falls, instead of following a cosine
	// HardSamples shows a sample up to that many times more often while it is answered
	// wrongly; 0 for all equally often. The answers of every step are read back for it, while
	// the device makes the next.
	HardSamples float64

	Distortion dataset.Distortion // of the training images; the zero value leaves them as they are
	// DistortOnDevice carries the distortion out where the images are used, elastic fields as
	// splines and Thickness left out; the processor only draws the random numbers. It
	// needs the preprocessing nn.MNIST28.
	DistortOnDevice bool
	Pictures        float64 // share of the samples whose strokes a network that could see them does not, so that it reads pictures too

	// IsolatedShares makes each class as frequent in an epoch as it is among the samples
	// that are not cut out of running text, drawing anew from all of them: running text
	// is full of small letters, and a network learns how frequent its classes are.
	IsolatedShares bool

	HoldOut  float64 // share of the samples held out: by writer where known, else by label
	Patience int     // epochs without improvement before training stops; 0 never

	Start  *nn.Model // continue from this model; classes it lacks are added
	Anchor *nn.Model // Decay pulls toward it, and in classes that it lacks toward Start, so that what it knew is not forgotten
	Frozen int       // so many first layers stay as they are
	Replay float64   // share of each mini-batch that RunRows takes from what is replayed

	Seed        int64
	Workers     int // goroutines that prepare batches; the result does not depend on it
	ReportEvery int // steps between readings of the loss, and so between events
}

// Default is a configuration that suits 28x28 images of characters: 800 hidden units after
// Simard et al., "Best practices for convolutional neural networks applied to visual
// document analysis" (ICDAR 2003), whose elastic distortions it uses.
func Default() Config {
	return Config{
		Hidden:        []int{800},
		Function:      "relu",
		Preprocessing: nn.MNIST28,
		Epochs:        20,
		Batch:         128,
		Optimizer:     SGD,
		Rate:          0.15,
		FinalRate:     0.002,
		WarmUp:        0.5,
		Momentum:      0.9,
		Decay:         1e-5,
		Average:       0.999,
		Loss:          nn.CrossEntropy,
		Distortion:    dataset.DefaultDistortion(),
		Pictures:      0.1,
		HoldOut:       0.05,
		Seed:          1,
		Workers:       runtime.GOMAXPROCS(0),
		ReportEvery:   25,
	}
}

// mostUnits bounds a hidden layer.
const mostUnits = 1 << 20

// maxBatch bounds the memory of a step: 200 MB of images.
const maxBatch = 1 << 16

// Check reports the first setting that cannot be used.
func (c *Config) Check() error {
	for _, h := range c.Hidden {
		if h < 1 || h > mostUnits {
			return fmt.Errorf("a hidden layer of %d units is not possible; use 1 to %d", h, mostUnits)
		}
	}
	for _, f := range []struct {
		name           string
		value, low, up float64
	}{
		{"rate", c.Rate, 0, 100},
		{"final rate", c.FinalRate, 0, 1},
		{"warm-up", c.WarmUp, 0, math.MaxInt32},
		{"momentum", c.Momentum, 0, 0.9999},
		{"decay", c.Decay, 0, 100},
		{"smoothing", c.Smoothing, 0, 0.9},
		{"average", c.Average, 0, 0.999999},
		{"share kept for testing", c.HoldOut, 0, 0.9},
		{"share of pictures", c.Pictures, 0, 1},
		{"share of what is replayed", c.Replay, 0, 0.9},
		{"chance of reversed strokes", c.Distortion.Reverse, 0, 1},
		{"variation of strokes", c.Distortion.Strokes, 0, 4},
		{"weight of hard samples", c.HardSamples, 0, 100},
	} {
		if !(f.value >= f.low && f.value <= f.up) {
			return fmt.Errorf("a %s of %g is not possible; use %g to %g", f.name, f.value, f.low, f.up)
		}
	}
	in := c.Preprocessing
	if c.Start != nil {
		in = c.Start.Preprocessing
	}
	switch {
	case c.Epochs < 1:
		return fmt.Errorf("%d epochs are not possible; use at least 1", c.Epochs)
	case c.Batch < 1 || c.Batch > maxBatch:
		return fmt.Errorf("a batch of %d samples is not possible; use 1 to %d", c.Batch, maxBatch)
	case c.Patience < 0:
		return fmt.Errorf("a patience of %d epochs is not possible; use 0 for none", c.Patience)
	case c.Loss != "" && !slices.Contains(nn.Losses, c.Loss):
		return fmt.Errorf("the loss %q is unknown", c.Loss)
	case c.Optimizer != "" && !slices.Contains(Optimizers, c.Optimizer):
		return fmt.Errorf("the optimizer %q is unknown", c.Optimizer)
	case c.Optimizer == Adam && (c.TwoFloats || c.Anchor != nil):
		return errors.New("the optimizer adam keeps parameters in one float and has no anchor")
	case (c.Anchor != nil || c.Frozen != 0) && c.Start == nil:
		return errors.New("an anchor and frozen layers need a model to start from")
	case c.Learner != nil && c.DistortOnDevice:
		return errors.New("prototypes are taught without distortions on the device; distort on the processor")
	case c.DistortOnDevice && in != nn.MNIST28:
		return fmt.Errorf("distorting on the device needs the preprocessing %s, not %s; distort on the processor", nn.MNIST28, in)
	case c.Frozen < 0 || c.Frozen > 0 && c.Frozen >= len(c.Start.Network.Layers):
		return fmt.Errorf("%d frozen layers are not possible; use 0 to %d of the %d that the model has", c.Frozen, len(c.Start.Network.Layers)-1, len(c.Start.Network.Layers))
	}
	return nil
}
