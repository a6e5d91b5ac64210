package cli

import (
	"github.com/spf13/cobra"

	"inkshade/recognizer/feature"
	"inkshade/recognizer/foreign"
)

// feedingFlags say how a model from elsewhere is fed.
type feedingFlags struct {
	labels []string
	said   foreign.Feeding
}

func (f *feedingFlags) bind(cmd *cobra.Command) {
	fs := cmd.Flags()
	bindClasses(cmd, "labels", &f.labels, "of the model's classes in their order: digits, capitals, small, signs, or labels of your own, separated by commas")
	fs.Var((*scaleFlag)(&f.said.Scale), "scale", "of the pixels that the model sees, from paper to ink (0..1, 0..255, -1..1), or the mean and standard deviation that 0..1 was normalised by (0.1307,0.3081)")
	fs.BoolVar(&f.said.Inverted, "inverted", false, "the model sees dark ink on light paper: the scale is from ink to paper")
	fs.BoolVar(&f.said.Transposed, "transposed", false, "the model sees rows as columns, as in the files of EMNIST")
	bindWord(cmd, &f.said.Layout, "layout", foreign.Layouts, "of the model's input, where its sizes leave that open: channels before or behind height and width")
}

// feeding gives what the flags say.
func (f *feedingFlags) feeding(cmd *cobra.Command) (foreign.Feeding, error) {
	labels, err := parseClasses("labels", f.labels)
	if err != nil {
		return f.said, usageError{err}
	}
	f.said.Labels = labels
	return f.said, nil
}

// scaleFlag is the value of --scale.
type scaleFlag feature.Scale

func (s *scaleFlag) Type() string { return "SCALE" }

func (s *scaleFlag) String() string {
	if *s == (scaleFlag{}) {
		return ""
	}
	return feature.Scale(*s).String()
}

func (s *scaleFlag) Set(text string) error {
	scale, err := feature.ParseScale(text)
	*s = scaleFlag(scale)
	return err
}
