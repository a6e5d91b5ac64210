package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/samples"
)

func newExport() *cobra.Command {
	var data dataFlags
	var filter samples.Filter
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Write your samples to a file or a folder of pictures",
		Long: `Writes the samples that the window shows to an ink file of the format that its name ends in:
` + ink.NewEndings() + `, also with ` + ink.Zipped + `. A name without an ending makes a
folder with a folder of pictures for each class, which must not exist or be empty; the
strokes lie in the pictures too. What was there before stays until all is written. import
reads each of them again.`,
		Example: `  inkshade export my-drawings.jsonl.gz
  inkshade export --label 7 --corrections sevens`,
		Args: asUsed,

		ValidArgsFunction: completeInk,
		RunE:              func(cmd *cobra.Command, args []string) error { return runExport(cmd, data, filter, args[0]) },
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&filter.Label, "label", "", "only samples with this label")
	fs.StringVar(&filter.Writer, "writer", "", "only samples of this writer")
	fs.BoolVar(&filter.Corrections, "corrections", false, "only samples that corrected an answer")
	data.bind(fs)
	return cmd
}

func runExport(cmd *cobra.Command, data dataFlags, filter samples.Filter, path string) (err error) {
	store, err := openStore(cmd, data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	some := filter
	some.Limit = 1
	if found, err := store.List(some); err != nil {
		return err
	} else if len(found) == 0 {
		return errors.New("there are no such samples to export; draw some in the window, import some, or name another --data-dir")
	}
	count, err := store.ExportFile(cmd.Context(), path, filter, nil)
	if err != nil {
		return exportProblem(err)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %d samples\n", files.Shown(path), count)
	return nil
}
