package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"inkshade/recognizer/ink"
	"inkshade/recognizer/samples"
)

// dataDirUsage explains --data-dir.
const dataDirUsage = "folder of your samples and trained models (the variable INKSHADE_DATA_DIR, else the system's place for such files)"

func newImport() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "import DATA...",
		Short: "Add the samples of files to yours",
		Long: `Adds samples to those that the window shows, learns from and answers by. Each DATA is an ink
file with labels (JSON Lines, UNIPEN or InkML, plain or gzip'ed) or a folder with a folder
of pictures for each class. Samples that are there already are not added again. Prints a
line for each DATA; a window that is open has them after its next start.

What cannot be taken gets a sentence on standard error; all else is added, and the exit
status is 1. Ctrl+C takes back what came of the DATA in work.`,
		Example: `  inkshade import my-drawings.jsonl.gz
  inkshade import --data-dir ~/another-hand pictures/`,
		Args: atLeastOne("the name of an ink file or a folder of pictures"),
		RunE: func(cmd *cobra.Command, args []string) error { return runImport(cmd, dir, args) },
	}
	cmd.Flags().StringVar(&dir, "data-dir", "", dataDirUsage)
	return cmd
}

func runImport(cmd *cobra.Command, dir string, paths []string) (err error) {
	store, err := openStore(cmd, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	failures := 0
	for _, path := range paths {
		result, err := store.ImportFile(cmd.Context(), path, nil)
		if err != nil && cmd.Context().Err() != nil {
			return context.Cause(cmd.Context())
		}
		if err != nil {
			failures++
			if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
				err = explain(path, err)
			}
			cmd.PrintErrf("inkshade: %v\n", err)
			continue
		}
		for _, why := range result.Skipped {
			failures++
			cmd.PrintErrf("inkshade: %s: %s\n", ink.Shown(path), why)
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s: %d added, %d there already\n", ink.Shown(path), len(result.IDs), result.Known)
	}
	if failures > 0 {
		return &toldError{failures}
	}
	return nil
}

// openStore opens the person's samples and says when they had been damaged.
func openStore(cmd *cobra.Command, dir string) (*samples.Store, error) {
	path, err := samples.Dir(dir)
	if err != nil {
		return nil, err
	}
	store, err := samples.Open(path)
	if err != nil {
		return nil, err
	}
	if r := store.Recovered(); r.Path != "" {
		cmd.PrintErrf("inkshade: %s\n", r)
	}
	return store, nil
}
