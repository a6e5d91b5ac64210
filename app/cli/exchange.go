package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"inkshade/app/state"
	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/samples"
)

// dataFlags say where a person's samples and models are.
type dataFlags struct{ dir, collection string }

func (d *dataFlags) bindDir(fs *pflag.FlagSet) {
	fs.StringVar(&d.dir, "data-dir", "", "folder of your samples and trained models (the variable INKSHADE_DATA_DIR, else the system's place for such files)")
}

func (d *dataFlags) bind(cmd *cobra.Command, fs *pflag.FlagSet) {
	d.bindDir(fs)
	fs.StringVar(&d.collection, "collection", "", "the collection of samples and models to use (the first; \"inkshade collections\" lists them)")
	_ = cmd.RegisterFlagCompletionFunc("collection", func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		f, _ := d.folder(cmd)
		names, _ := f.Names()
		return names, cobra.ShellCompDirectiveNoFileComp
	})
}

// complete offers a shell what the use of a command names: a NAME of a collection, a MODEL, or a FILE.
func (d *dataFlags) complete(cmd *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	f, _ := d.folder(cmd)
	named := strings.Fields(cmd.Use)[1:]
	switch named[min(len(args), len(named)-1)] {
	case "NAME":
		switch all, _ := f.Names(); cmd.Name() {
		case "export":
			names = all
		case "rename", "remove":
			names = all[1:] // the first stays as it is
		}
		fallthrough
	case "NEW":
		return names, cobra.ShellCompDirectiveNoFileComp
	case "MODEL", "MODEL...":
		_ = f.With(d.collection, func(_ string, s state.Models) error {
			all, err := s.List()
			for _, m := range all {
				if cmd.Name() != "remove" || m.Removable() {
					names = append(names, m.Name)
				}
			}
			return err
		})
	}
	return names, cobra.ShellCompDirectiveDefault
}

// folder has the collections, and says when the samples of one had been damaged.
func (d *dataFlags) folder(cmd *cobra.Command) (state.Folder, error) {
	f, err := state.OpenFolder(d.dir)
	f.Recovered = func(r samples.Recovery) { cmd.PrintErrf("inkshade: %s\n", r) }
	return f, err
}

// withFolder makes what runs a command of what it does with the data folder.
func (d *dataFlags) withFolder(do func(cmd *cobra.Command, f state.Folder, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		f, err := d.folder(cmd)
		if err != nil {
			return err
		}
		return do(cmd, f, args)
	}
}

// withModels is withFolder for the models of the collection.
func (d *dataFlags) withModels(do func(cmd *cobra.Command, s state.Models, args []string) error) func(*cobra.Command, []string) error {
	return d.withFolder(func(cmd *cobra.Command, f state.Folder, args []string) error {
		return f.With(d.collection, func(_ string, s state.Models) error { return do(cmd, s, args) })
	})
}

// withStore is withFolder for the samples of the collection.
func (d *dataFlags) withStore(do func(cmd *cobra.Command, s *samples.Store, args []string) error) func(*cobra.Command, []string) error {
	return d.withFolder(func(cmd *cobra.Command, f state.Folder, args []string) error {
		store, err := f.Store(d.collection)
		if err != nil {
			return err
		}
		return errors.Join(do(cmd, store, args), store.Close())
	})
}

func bindOwner(cmd *cobra.Command, value *samples.Whose) {
	*value = samples.Stated
	bindWord(cmd, value, "by", []samples.Whose{samples.Stated, samples.Mine, samples.Others}, "who wrote the samples: whoever the file states and else you, you, or somebody else; others' train and measure, but are no part of your style")
}

func newImport() *cobra.Command {
	var data dataFlags
	var owner samples.Whose
	cmd := &cobra.Command{
		Use:   "import DATA...",
		Short: "Add the samples of files to yours",
		Long: `Adds samples to those that the window shows, learns from and answers by. Each DATA is an ink
file with labels (` + ink.Names() + `; plain or gzip'ed) or a folder with a folder
of pictures for each class. Samples that are there already are not added again. Prints a
line for each DATA; a window that is open has them when the person comes back to it.

What cannot be taken gets a sentence on standard error; all else is added, and the exit
status is 1. Ctrl+C takes back what came of the DATA in work.`,
		Example: `  inkshade import my-drawings.jsonl.gz
  inkshade collections new "class 7b"
  inkshade import --by others --collection "class 7b" pictures/`,
		Args:              atLeastOne("the name of an ink file or a folder of pictures"),
		ValidArgsFunction: completeInk,
		RunE: data.withStore(func(cmd *cobra.Command, s *samples.Store, paths []string) error {
			failures := 0
			for _, path := range paths {
				n, err := importFile(cmd, s, path, owner)
				if err != nil {
					return err
				}
				failures += n
			}
			if failures > 0 {
				return errTold
			}
			return nil
		}),
	}
	data.bind(cmd, cmd.Flags())
	bindOwner(cmd, &owner)
	return cmd
}

// completeInk completes names of ink files, and folders.
func completeInk(*cobra.Command, []string, string) (endings []string, _ cobra.ShellCompDirective) {
	for _, ending := range ink.Endings() {
		endings = append(endings, strings.TrimPrefix(ending, "."))
	}
	return endings, cobra.ShellCompDirectiveFilterFileExt
}

// importFile tells what came of a file, and how much of it cannot be taken. Its error is that of an interrupt.
func importFile(cmd *cobra.Command, s *samples.Store, path string, whose samples.Whose) (failures int, err error) {
	result, err := finishing(cmd, stillReading(cmd, path), func() (samples.Imported, error) {
		return s.ImportFile(cmd.Context(), path, whose, nil)
	})
	switch {
	case err != nil && cmd.Context().Err() != nil:
		return 0, context.Cause(cmd.Context())
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission):
		err = explain(path, err)
	case err != nil && strings.EqualFold(filepath.Ext(path), state.Ending):
		err = fmt.Errorf("%s holds a collection: inkshade collections import makes one of it", files.Shown(path))
	}
	if err != nil {
		cmd.PrintErrf("inkshade: %v\n", err)
		return 1, nil
	}
	for _, why := range result.Skipped {
		cmd.PrintErrf("inkshade: %s: %s\n", files.Shown(path), why)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %d added, %d there already\n", files.Shown(path), len(result.IDs), result.Known)
	return len(result.Skipped), nil
}

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
		ValidArgsFunction: completeInk,
		RunE: data.withStore(func(cmd *cobra.Command, s *samples.Store, args []string) error {
			if args[0] == standardInput {
				return errStandardOutput
			}
			some := filter
			some.Limit = 1
			switch found, err := s.List(some); {
			case err != nil:
				return err
			case len(found) == 0:
				return errors.New("there are no such samples to export; draw some in the window, import some, or name another --data-dir")
			}
			count, err := s.ExportFile(cmd.Context(), args[0], filter, nil)
			if err != nil {
				return remedied(err)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", files.Shown(args[0]), counted(count, "sample"))
			return err
		}),
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&filter.Label, "label", "", "only samples with this label")
	fs.StringVar(&filter.Writer, "writer", "", "only samples of this writer")
	fs.BoolVar(&filter.Corrections, "corrections", false, "only samples that corrected an answer")
	data.bind(cmd, fs)
	return cmd
}
