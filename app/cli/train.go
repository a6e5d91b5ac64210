package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"inkshade/glcompute"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/inputformat"
	"inkshade/recognizer/lvq"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/train"
)

// trainFlags are the flags of the train command. What is a setting of the training lies in
// config; the rest says where samples come from and where the model goes.
type trainFlags struct {
	config train.Config
	device deviceFlag

	data, test []string
	classes    []string
	noContext  bool
	distort    string
	distortOn  string
	schedule   string
	start      string
	kind       string
	prototypes lvq.Options
	network    string
	anchor     bool
	embedding  bool
	notice     string
	name, out  string
}

func newTrain() *cobra.Command {
	f := trainFlags{config: train.Default(), device: deviceFlag{mixed: true}, prototypes: lvq.Default()}
	cmd := &cobra.Command{
		Use:   "train --data DATA... --out FILE.onnx",
		Short: "Teach a network from labelled samples and write an ONNX file",
		Long: `Trains a network on labelled samples and writes the best state as an ONNX file. It is a
multi-layer perceptron with the layers of --hidden, or what --network names: ` + strings.Join(nn.Architectures(), ", ") + `,
or a text file with a layer a line, like

    convolution 5x5 32 relu
    max-pooling 2
    dense 128 relu

to which a dense layer for the classes is added (docs/networks.md). Each DATA is an ink file with labels (` + ink.Names() + `; plain or
gzip'ed), a folder of such files, a folder with a folder of pictures for each class, or two
files, IMAGES.idx.gz LABELS.idx.gz, where the labels may be text too, one a line. Samples
without ink are left out.

A part of the samples is kept for testing, by writer where writers are known; the state with the
fewest errors on it is kept. At the end the model is calibrated on that part, as calibrate
does. Ctrl+C stops the training and keeps the best state so far, uncalibrated; --continue with the same
command goes on exactly where it stopped, from a file beside that of --out. The file is
written in one piece at the end, with its provenance in the metadata: command, date, data,
seed, errors. The same data, settings and device give the same model; for
--device auto and mixed, which measure and choose, that is not so.

--kind glvq teaches prototypes, of which the nearest answers: the features go through a linear
discriminant analysis (--lda), the prototypes begin as means of each class, or of --prototypes
clusters of it, and generalised learning vector quantisation moves them. That is for many
classes, such as thousands of Chinese characters; the file is a network all the same. --start
goes on with such a model.

--device mixed splits every batch between the processor and shaders in proportion to their
measured speed, where that is faster than the faster of them alone, which otherwise does
everything. It measures for about 3 seconds. --split 0.6 gives the processor six tenths
without measuring; the same split gives the same model. When the shaders fail, the
processor goes on alone, and nothing is lost.

Loss and answers are read back every few steps, while batches go on being prepared.
--schedule loss lets the rate follow them; --hard-samples shows samples more often while
they are answered wrongly, for which every step is read back. --batch 1 descends on single
samples. --two-floats doubles the memory of the parameters, for steps that one float would
round away. --distort-on device uploads the images as they are, and random numbers.`,
		Example: `  inkshade train --data train-images.idx.gz train-labels.idx.gz digits.jsonl.gz \
      --hidden 800,800 --epochs 40 --seed 1 --device auto --out digits.onnx
  inkshade train --data letters.jsonl.gz --classes capitals,small --out letters.onnx`,
		Args: cobra.ArbitraryArgs,
		PreRunE: func(cmd *cobra.Command, args []string) error {
			f.data = append(f.data, args...)
			return f.settings(cmd)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.bind(cmd)
	return cmd
}

func (f *trainFlags) bind(cmd *cobra.Command) {
	fs, c := cmd.Flags(), &f.config
	f.distortOn, f.schedule, f.kind = distortOnCPU, scheduleCosine, kindNetwork
	fs.SortFlags = false
	fs.StringArrayVar(&f.data, "data", nil, "samples to learn from; more than one may follow")
	fs.StringVar(&f.out, "out", "", "the ONNX file to write")
	bindWord(cmd, &f.kind, "kind", []string{kindNetwork, kindGLVQ, kindLVQ1}, "what is taught: a network, or prototypes of each class, by glvq or its plain relative lvq1")
	bindSettings(cmd, lvq.Settings, &f.prototypes)
	fs.IntSliceVar(&c.Hidden, "hidden", c.Hidden, "units of each hidden layer")
	fs.StringVar(&f.network, "network", "", "layers instead of --hidden: "+strings.Join(nn.Architectures(), ", ")+", or a file that says them, one a line")
	bindSettings(cmd, train.Settings, c)
	f.device.bind(cmd)
	fs.StringArrayVar(&f.test, "test", nil, "samples to measure the finished model on; more than one may follow")
	fs.StringVar(&f.distort, "distort", "default", "distortion "+distortUsage)
	bindWord(cmd, &f.distortOn, "distort-on", []string{distortOnCPU, distortOnDevice}, "where images are distorted: cpu, or device, which leaves thickness out")
	bindLabels(cmd, "classes", &f.classes, classesUsage)
	fs.BoolVar(&f.noContext, "no-context", false, "leave out samples cut out of running text")
	bindWord(cmd, &f.schedule, "schedule", []string{scheduleCosine, scheduleLoss}, "of the rate: cosine, or loss, which halves it where the loss no longer falls")
	fs.StringVar(&f.start, "start", "", "model to go on from: a name or an ONNX file")
	fs.BoolVar(&f.anchor, "anchor", false, "let --decay pull toward the model of --start")
	fs.StringVar(&f.name, "name", "", "what the model is called in its metadata")
	fs.StringVar(&f.notice, "notice", "", "what the licences of the data ask to be said, for the metadata")
	fs.BoolVar(&f.embedding, "embedding", false, "write the model without its last layer: values by which drawings are compared, of classes never seen as well")
	_ = cmd.RegisterFlagCompletionFunc("network", cobra.FixedCompletions(nn.Architectures(), cobra.ShellCompDirectiveDefault))
	_ = cmd.RegisterFlagCompletionFunc("distort", cobra.FixedCompletions([]string{"none", "default", "strong"}, cobra.ShellCompDirectiveNoFileComp))
}

func (f *trainFlags) run(cmd *cobra.Command) error {
	var err error
	if f.start != "" {
		if f.config.Start, err = loadModel(cmd, f.start, inputformat.Format{}); err != nil {
			return err
		}
		if f.anchor {
			f.config.Anchor = f.config.Start
		}
		if f.config.Start.Preprocessing == nn.LineMaps {
			if err := f.forLines(cmd.Flags().Changed); err != nil {
				return usageError{err}
			}
		}
	}
	if err := cmp.Or(f.config.Check(), f.checkEmbedding()); err != nil {
		return usageError{err}
	}
	if err := checkWritable(f.out, slices.Concat(f.data, f.test, []string{f.network})...); err != nil {
		return err
	}
	samples, err := f.load(cmd, f.data)
	if err != nil {
		return err
	}
	var test []dataset.Sample
	if len(f.test) > 0 {
		if test, err = f.load(cmd, f.test); err != nil {
			return err
		}
	}
	// A training is not lost with who reads its output, such as tee in a terminal that is closed.
	signal.Ignore(syscall.SIGPIPE)
	dev := f.device.open(cmd)
	defer dev.Close()
	info := dev.Info()
	out := cmd.OutOrStdout()
	p := newProgress(out, cmd.ErrOrStderr())
	p.mixed, p.said = f.device.kind == glcompute.Mixed, info.Fallback.String()
	fmt.Fprintf(out, "%d samples on the %s device: %s\n", len(samples), info.Kind, info.Name)
	result, failure := train.Run(cmd.Context(), dev, samples, f.config, p.event)
	p.clear()
	if result == nil || result.Steps == 0 {
		return failure
	}
	p.device(result.Device, true)
	return f.finish(cmd, dev, result, failure, samples, test)
}

// settings checks what cobra cannot and fills in the rest of the configuration.
func (f *trainFlags) settings(cmd *cobra.Command) (err error) {
	changed := cmd.Flags().Changed
	switch {
	case len(f.data) == 0:
		return errors.New("--data is missing: name an ink file, a folder or a pair of IDX files")
	case f.out == "":
		return errors.New("--out is missing: name the ONNX file to write")
	case f.start != "" && (changed("hidden") || changed("network") || changed("activation") || changed("features")):
		return errors.New("--hidden, --network, --activation and --features come from the model of --start; leave them out")
	case f.kind != kindNetwork && (changed("hidden") || changed("network") || changed("activation") || changed("optimizer") || changed("output") || f.anchor || f.config.TwoFloats || changed("frozen")):
		return errors.New("prototypes have no layers; leave --hidden, --network, --activation, --optimizer, --output, --anchor, --frozen and --two-floats out")
	case f.kind == kindNetwork && (changed("prototypes") || changed("mixture") || changed("lda") || changed("shrinkage") || changed("slope")):
		return errors.New("--prototypes, --mixture, --lda, --shrinkage and --slope are about --kind glvq, which is missing")
	case f.network != "" && (changed("hidden") || changed("activation")):
		return errors.New("--network says the layers; leave --hidden and --activation out")
	case f.embedding && f.kind != kindNetwork:
		return errors.New("prototypes have no layers; leave --embedding out")
	case (f.anchor || f.config.Frozen > 0) && f.start == "":
		return errors.New("--anchor and --frozen are about the model of --start, which is missing")
	}
	c := &f.config
	reverse, strokes := c.Distortion.Reverse, c.Distortion.Strokes
	if c.Distortion, err = parseDistortion(f.distort, dataset.DefaultDistortion()); err != nil {
		return err
	}
	c.Distortion.Reverse, c.Distortion.Strokes = reverse, strokes
	if f.network != "" {
		if c.Network, err = f.architecture(changed); err != nil {
			return err
		}
	}
	if f.kind == kindNetwork && !files.Special(f.out) {
		c.Checkpoint = f.out + ".training"
	}
	c.DistortOnDevice, c.FollowLoss = f.distortOn == distortOnDevice, f.schedule == scheduleLoss
	if f.kind == kindLVQ1 {
		f.prototypes.Slope = 0
	}
	if f.kind != kindNetwork {
		if err := f.prototypes.Check(); err != nil {
			return err
		}
		if c.Learner = f.prototypes.Learner; !changed("rate") {
			c.Rate = lvq.Rate
		}
	}
	if c.Optimizer == train.Adam && !changed("rate") && c.Loss != nn.CTC {
		c.Rate = train.AdamRate
	}
	return f.device.check(cmd)
}

// checkEmbedding reports a network of which --embedding could write nothing, before it is trained.
func (f *trainFlags) checkEmbedding() error {
	if !f.embedding {
		return nil
	}
	net := nn.Perceptron(1, f.config.Hidden, 2, f.config.Function)
	switch {
	case f.config.Loss == nn.CTC:
		return errors.New("a network that reads lines compares no drawings; leave --embedding out")
	case f.config.Start != nil:
		net = f.config.Start.Network
	case f.network != "":
		in, err := feature.ByName(f.config.Preprocessing)
		if err == nil {
			net, err = f.config.Network.Network(nn.InputShape(in.Name, in.Size), 2)
		}
		if err != nil {
			return err
		}
	}
	if err := net.CheckEmbedding(); err != nil {
		return fmt.Errorf("--embedding writes the network without its last layer: %w; name a --network whose last layer has no nonlinearity, such as strokes", err)
	}
	return nil
}

// architecture is that of --network, which must fit what the network sees.
func (f *trainFlags) architecture(changed func(string) bool) (nn.Architecture, error) {
	a, err := nn.LoadArchitecture(f.network)
	if err != nil {
		return a, err
	}
	if a.ReadsLines() {
		return a, f.forLines(changed)
	}
	in, err := feature.ByName(f.config.Preprocessing)
	if err == nil {
		_, err = a.Network(nn.InputShape(in.Name, in.Size), 2)
	}
	return a, err
}

// forLines gives a network that reads lines its own values for what was not said.
func (f *trainFlags) forLines(changed func(string) bool) (err error) {
	f.config.ForLines(changed)
	f.config.Lines, err = parseDistortion(f.distort, dataset.DefaultLineDistortion())
	return err
}

// The values of --kind, --distort-on and --schedule.
const (
	kindNetwork                   = "network"
	kindGLVQ, kindLVQ1            = "glvq", "lvq1"
	distortOnCPU, distortOnDevice = "cpu", "device"
	scheduleCosine, scheduleLoss  = "cosine", "loss"
)

func (f *trainFlags) load(cmd *cobra.Command, paths []string) ([]dataset.Sample, error) {
	all, _, err := readSamples(cmd, paths)
	if err != nil {
		return nil, err
	}
	samples, _ := partition(withoutContext(all, f.noContext), f.classes)
	if len(samples) == 0 {
		return nil, fmt.Errorf("none of %s is left after --classes and --no-context; widen them", counted(len(all), "sample"))
	}
	if f.config.Loss == nn.CTC {
		return samples, nil
	}
	return samples, dataset.Draw(cmd.Context(), samples)
}
