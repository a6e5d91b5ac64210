package train

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"inkshade/glcompute/message"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
)

// Split takes the share (0 to 1) of samples that Run holds out: whole writers where they
// are known, and of the others a share of each label of each source, drawn by seed.
func Split(samples []dataset.Sample, share float64, seed int64) (rest, held []dataset.Sample) {
	if share == 0 {
		return samples, nil
	}
	var known []dataset.Sample
	groups := map[[2]string][]dataset.Sample{}
	var order [][2]string
	for _, s := range samples {
		if s.Writer != "" {
			known = append(known, s)
			continue
		}
		key := [2]string{s.Source, s.Label}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], s)
	}
	if len(known) > 0 {
		rest, held = dataset.SplitByWriter(known, share, seed)
	}
	rng := rand.New(rand.NewPCG(uint64(seed), 0x5711))
	for _, key := range order {
		g := groups[key]
		rng.Shuffle(len(g), func(i, j int) { g[i], g[j] = g[j], g[i] })
		n := int(math.Round(share * float64(len(g))))
		held, rest = append(held, g[:n]...), append(rest, g[n:]...)
	}
	return rest, held
}

// labelsOf lists the labels of samples, sorted.
func labelsOf(samples []dataset.Sample) ([]string, error) {
	labels := map[string]bool{}
	for _, s := range samples {
		if s.Label == "" {
			return nil, message.Errorf("a sample of %s has no label; give it one, or take it out", files.Shown(s.Source))
		}
		if len(s.Label) > ink.MaxLabel {
			return nil, message.Errorf("a sample of %s has a label of %d bytes, more than %d; choose a shorter one", files.Shown(s.Source), len(s.Label), ink.MaxLabel)
		}
		labels[s.Label] = true
	}
	return slices.Sorted(maps.Keys(labels)), nil
}

// startModel gives the model whose parameters training begins with.
func startModel(cfg *Config, samples []dataset.Sample) (*nn.Model, error) {
	labels, err := labelsOf(samples)
	if err != nil {
		return nil, err
	}
	if cfg.Start != nil {
		if err := cfg.Start.Check(); err != nil {
			return nil, message.Errorf("the model to start from cannot be used: %w", err)
		}
		return cfg.Start.WithClasses(labels, cfg.Seed)
	}
	if len(labels) < 2 {
		return nil, message.Errorf("there is only the label %s; training needs at least two", strconv.Quote(labels[0]))
	}
	if cfg.Learner != nil {
		return &nn.Model{Labels: labels, Preprocessing: cfg.Preprocessing}, nil
	}
	in, err := feature.ByName(cfg.Preprocessing)
	if err != nil {
		return nil, err
	}
	net, err := newNetwork(cfg, in.Size, len(labels))
	if err != nil {
		return nil, err
	}
	return &nn.Model{Network: net, Labels: labels, Preprocessing: cfg.Preprocessing}, nil
}

// newNetwork makes the network of cfg with initial values, unless it is one whose file onnx.Read
// would not take.
func newNetwork(cfg *Config, inputs, classes int) (net nn.Network, err error) {
	if net = nn.Perceptron(inputs, cfg.Hidden, classes, cfg.Function); cfg.Network != (nn.Architecture{}) {
		if net, err = cfg.Network.Network(nn.InputShape(cfg.Preprocessing, inputs), classes); err != nil {
			return net, err
		}
	}
	const most = onnx.MaxBytes / 5 // four bytes each, and room for what else the file holds
	if n := net.Parameters(); n > most {
		return net, message.Errorf("a network of %d parameters is too large, %d is the most; use smaller layers", n, most)
	}
	return net, net.Initialise(cfg.Seed)
}

// pixels is the length of the image of a sample.
const pixels = ink.Side * ink.Side

// checkImages reports the first sample without a 28x28 image.
func checkImages(samples []dataset.Sample) error {
	for i, s := range samples {
		if len(s.Image.Pix) != pixels {
			return message.Errorf("sample %d (label %q) has an image of %d pixels, want %d", i+1, s.Label, len(s.Image.Pix), pixels)
		}
	}
	return nil
}
