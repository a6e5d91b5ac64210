package cli

import (
	"github.com/spf13/cobra"

	"inkshade/recognizer/bench"
)

// newBenchPrototypes measures what Su et al. (2016) do.
func newBenchPrototypes() *cobra.Command {
	var f benchFlags
	shape := bench.ChinesePrototypes
	cmd := &cobra.Command{
		Use:   "prototypes",
		Short: "Measure the learning of prototypes for thousands of classes",
		Long: `Measures what Su et al. measure in "GPU-based large-scale prototype learning" (2016): the
squared distances of 1 to 8,192 samples to a prototype of each class, beside a product of the same
size; the nearest of the own class and of all others; and a step of GLVQ with one and with eight
prototypes of each class. Where variants have columns of their own, they are fixed: by reduction, or by tiles
and by comparing and exchanging; elsewhere each size takes the variant that measuring chose.

One core runs the plain algorithm in loops, and with gonum's products for the distances of a
mini-batch. A gain is samples a second over the best of one core at any size. Of a distance three
floating-point operations are counted for each feature, of a product two.

JSON: as bench has it, and gains, a list with the keys experiment, device, size (samples a step),
over_one_core and over_one_core_blas.`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := shape.Check(); err != nil {
				return usageError{err}
			}
			return f.measure(cmd, bench.Options{
				Quick: f.quick, Prototypes: shape, Contestants: bench.PrototypeContestants(), Experiments: bench.PrototypeExperiments(),
			})
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&f.json, "json", false, "write JSON")
	fs.BoolVar(&f.quick, "quick", false, "fewer sizes and less time for each")
	fs.IntVar(&shape.Classes, "classes", shape.Classes, "number of classes")
	fs.IntVar(&shape.Features, "features", shape.Features, "values of a sample")
	return cmd
}
