// Package train teaches a network from labelled samples: mini-batches, distortions made
// on the CPU while the device computes, a learning-rate schedule, a held-out part that
// decides which state is kept, early stop, progress events and cancel. It also evaluates
// models.
package train

import (
	"cmp"
	"context"
	"math"
	"reflect"
	"runtime"
	"slices"

	"inkshade/glcompute/message"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
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

	// Learner makes what is taught instead of a network that follows gradients, such as prototypes (package lvq). It takes Rate.
	Learner func(ctx context.Context, l Lesson) (Learner, error)

	Loss        nn.Loss // what is made small, with the output function it judges
	TwoFloats   bool    // parameters in two floats while training, so that tiny steps are not lost
	FollowLoss  bool    // the rate is halved where the loss no longer falls, instead of following a cosine
	HardSamples float64 // so many times more often a sample comes while it is answered wrongly; 0 for all equally often

	Lines           dataset.LineDistortion // of training lines, where the network reads lines
	Composed        float64                // so many lines for each that was written are composed of single characters of one writer
	Distortion      dataset.Distortion     // of the training images; the zero value leaves them as they are
	DistortOnDevice bool                   // where the images are used, elastic fields as splines, without Thickness; it needs the preprocessing nn.MNIST28
	Pictures        float64                // share of the samples whose strokes a network that could see them does not, so that it reads pictures too; of lines, shown as traced in a picture besides

	IsolatedShares bool // each class as often in an epoch as among samples not cut out of running text, which is full of small letters

	Held     []dataset.Sample // held out, of others than those that are learned from; with HoldOut 0
	HoldOut  float64          // share of the samples held out: by writer where known, else by label
	Patience int              // epochs without improvement before training stops; 0 never

	Start  *nn.Model // continue from this model; classes it lacks are added
	Anchor *nn.Model // Decay pulls toward it, and in classes that it lacks toward Start, so that what it knew is not forgotten
	Frozen int       // so many first layers stay as they are
	Replay float64   // share of each mini-batch that RunRows takes from what is replayed

	Checkpoint string // a file that is kept of the state of the training every few minutes and when it is cancelled; "" for none
	Continue   bool   // go on from Checkpoint, exactly as if that training had not stopped

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

// Settings are those that people may change, in the order of the help, and whatever else has a range.
var Settings = []Setting[Config]{
	{Name: "epochs", Usage: "passes over the samples", Least: 1, Most: NoLimit, Of: func(c *Config) any { return &c.Epochs }},
	{Name: "seed", Usage: "what all chance comes from", Of: func(c *Config) any { return &c.Seed }},
	{Name: "reverse", What: "chance of reversed strokes", Usage: "chance that a stroke is drawn from its end to its beginning, for features that see the pen", Most: 1, Of: func(c *Config) any { return &c.Distortion.Reverse }},
	{Name: "strokes", What: "variation of strokes", Usage: "how much strokes in standard form are varied as people do, 1 for as much as stays legible; for --features directions", Most: 4, Of: func(c *Config) any { return &c.Distortion.Strokes }},
	{Name: "features", Usage: "what the network sees", Words: feature.Names(), Of: func(c *Config) any { return &c.Preprocessing }},
	{Name: "pictures", What: "share of pictures", Usage: "share of the samples shown without their strokes, where the features use them, or of lines that are shown as traced in a picture, too", Most: 1, Of: func(c *Config) any { return &c.Pictures }},
	{Name: "activation", Usage: "of the hidden units", Words: []string{"relu", "tanh", "sigmoid"}, Of: func(c *Config) any { return &c.Function }},
	{Name: "isolated-shares", Usage: "classes as frequent as among samples not cut out of running text", Of: func(c *Config) any { return &c.IsolatedShares }},
	{Name: "hold-out", What: "share kept for testing", Usage: "share of the samples that is kept for testing", Most: 0.9, Of: func(c *Config) any { return &c.HoldOut }},
	{Name: "patience", What: "epochs of patience", Usage: "epochs without improvement after which training stops; 0 for never", Most: NoLimit, Of: func(c *Config) any { return &c.Patience }},
	{Name: "batch", What: "samples in a batch", Usage: "samples in a step", Least: 1, Most: maxBatch, Of: func(c *Config) any { return &c.Batch }},
	{Name: "optimizer", Usage: "rule of a step: sgd with momentum, or adam, whose --rate is 0.001 by default", Of: func(c *Config) any { return &c.Optimizer }},
	{Name: "rate", Usage: "largest learning rate", Most: 100, Of: func(c *Config) any { return &c.Rate }},
	{Name: "momentum", Usage: "share of the last step that goes on; of adam its beta1", Most: 0.9999, Of: func(c *Config) any { return &c.Momentum }},
	{Name: "decay", Usage: "pull of the weights toward zero", Most: 100, Of: func(c *Config) any { return &c.Decay }},
	{Name: "smoothing", Usage: "share of the target spread over all classes", Most: 0.9, Of: func(c *Config) any { return &c.Smoothing }},
	{Name: "output", Usage: "what is trained: softmax with cross-entropy, tanh or sigmoid with mean squared error", Of: func(c *Config) any { return &c.Loss }},
	{Name: "hard-samples", What: "weight of hard samples", Usage: "how many times more often a sample comes while it is answered wrongly; 0 for all alike", Most: 100, Of: func(c *Config) any { return &c.HardSamples }},
	{Name: "two-floats", Usage: "keep each parameter in two floats while training, so that tiny steps are not lost", Of: func(c *Config) any { return &c.TwoFloats }},
	{Name: "average", Usage: "decay of the moving average that is kept; 0 for none", Most: 0.999999, Of: func(c *Config) any { return &c.Average }},
	{Name: "frozen", What: "frozen layers", Usage: "so many first layers of the model of --start stay as they are", Most: NoLimit, Of: func(c *Config) any { return &c.Frozen }},
	{Name: "continue", Usage: "go on with the training of the same command that was stopped, as if it had not been", Of: func(c *Config) any { return &c.Continue }},
	{What: "final rate", Most: 1, Of: func(c *Config) any { return &c.FinalRate }},
	{What: "warm-up", Most: NoLimit, Of: func(c *Config) any { return &c.WarmUp }},
	{What: "share of what is replayed", Most: 0.9, Of: func(c *Config) any { return &c.Replay }},
}

// ForLines puts the settings that suit networks that read lines in the place of those of Default, but for settings that
// are kept by name.
func (c *Config) ForLines(kept func(name string) bool) {
	lines := *c
	lines.Preprocessing, lines.Loss, lines.Lines, lines.Composed = nn.LineMaps, nn.CTC, dataset.DefaultLineDistortion(), 0.25
	lines.Optimizer, lines.Rate, lines.Batch, lines.Epochs, lines.Average, lines.Decay = Adam, 0.002, 16, 10, 0.998, 0
	lines.WarmUp, lines.ReportEvery, lines.Pictures = 0.3, 100, 0
	for _, s := range Settings {
		if s.Name != "" && kept(s.Name) {
			reflect.ValueOf(s.Of(&lines)).Elem().Set(reflect.ValueOf(s.Of(c)).Elem())
		}
	}
	*c = lines
}

// mostUnits bounds a hidden layer.
const mostUnits = 1 << 20

// maxBatch bounds the memory of a step: 200 MB of images.
const maxBatch = 1 << 16

// Check reports the first setting that cannot be used.
func (c *Config) Check() error {
	for _, h := range c.Hidden {
		if h < 1 || h > mostUnits {
			return message.Errorf("a hidden layer of %d units is not possible; use 1 to %d", h, mostUnits)
		}
	}
	if err := CheckSettings(Settings, c); err != nil {
		return err
	}
	in := c.Preprocessing
	if c.Start != nil {
		in = c.Start.Preprocessing
	}
	switch {
	case c.Loss != "" && !slices.Contains(nn.Losses, c.Loss) && !(c.Loss == nn.CTC && c.Preprocessing == nn.LineMaps):
		return message.Errorf("the loss %q is unknown", c.Loss)
	case c.Optimizer != "" && !slices.Contains(Optimizers, c.Optimizer):
		return message.Errorf("the optimizer %q is unknown", c.Optimizer)
	case c.Optimizer == Adam && (c.TwoFloats || c.Anchor != nil):
		return message.Errorf("the optimizer adam keeps parameters in one float and has no anchor")
	case (c.Anchor != nil || c.Frozen != 0) && c.Start == nil:
		return message.Errorf("an anchor and frozen layers need a model to start from")
	case c.Learner != nil && c.DistortOnDevice:
		return message.Errorf("prototypes are taught without distortions on the device; distort on the processor")
	case c.DistortOnDevice && in != nn.MNIST28:
		return message.Errorf("distorting on the device needs the preprocessing %s, not %s; distort on the processor", nn.MNIST28, in)
	case (c.Checkpoint != "" || c.Continue) && c.Learner != nil:
		return message.Errorf("a training of prototypes cannot be continued")
	case c.Frozen > 0 && c.Frozen >= len(c.Start.Network.Layers):
		return message.Errorf("%d frozen layers are not possible; use 0 to %d of the %d that the model has", c.Frozen, len(c.Start.Network.Layers)-1, len(c.Start.Network.Layers))
	}
	return nil
}

// Setting is what people may change of a training whose configuration is C: the one place that its flag, its field in a window and
// its check read.
type Setting[C any] struct {
	Name  string // of the flag; "" for none
	Usage string // what the flag's help says
	What  string // it is called in an error, of a whole number in the plural; Name where that is empty

	Title, Meaning string // of the field in a window, in English; "" for none
	Off            bool   // the window offers 0

	Least, Most float64        // of a number
	Words       []string       // one of which a text is
	Of          func(c *C) any // its place in a configuration: a pointer to a number, a bool or a text
}

// NoLimit is the Most of a whole number that has none.
const NoLimit = math.MaxInt32

// CheckSettings reports the first number that is not possible.
func CheckSettings[C any](all []Setting[C], c *C) error {
	for _, s := range all {
		what := cmp.Or(s.What, s.Name)
		switch of := s.Of(c).(type) {
		case *int:
			if *of < int(s.Least) && s.Most == NoLimit {
				return message.Errorf("%d %s are not possible; use at least %g", *of, what, s.Least)
			}
			if *of < int(s.Least) || *of > int(s.Most) {
				return message.Errorf("%d %s are not possible; use %g to %g", *of, what, s.Least, s.Most)
			}
		case *float64:
			if !(*of >= s.Least && *of <= s.Most) {
				return message.Errorf("%s of %g is not possible; use %g to %g", what, *of, s.Least, s.Most)
			}
		}
	}
	return nil
}
