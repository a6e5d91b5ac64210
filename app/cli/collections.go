package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"inkshade/app/state"
	"inkshade/recognizer/files"
	"inkshade/recognizer/samples"
)

// collectionReport is one collection in the JSON of the collections command.
type collectionReport struct {
	Name   string `json:"name"`
	Folder string `json:"folder"`
	state.Contents
}

// inCollections makes what runs a command of what it does with the data folder.
func inCollections(dir *string, do func(cmd *cobra.Command, f state.Folder, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		f, err := folder(cmd, *dir)
		if err != nil {
			return err
		}
		return do(cmd, f, args)
	}
}

func newCollections() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "collections",
		Short: "List, make, rename, export, import and remove collections of samples",
		Long: `A collection is a set of samples with symbols and models of its own: your runes, class 7b.
The first is called "` + state.First + `" and always there. Other commands take a name behind
--collection. Without a command it lists them.`,
		Example: `  inkshade collections new runes
  inkshade import --collection runes drawings.jsonl.gz
  inkshade collections export runes runes` + state.Ending,
		Args: usage(cobra.NoArgs),
	}
	cmd.PersistentFlags().StringVar(&dir, "data-dir", "", dataDirUsage)
	list := newCollectionsList(&dir)
	cmd.RunE = list.RunE
	cmd.Flags().AddFlagSet(list.Flags())
	cmd.AddCommand(list, newCollectionsExport(&dir), newCollectionsImport(&dir),
		newCollectionsChange(&dir, "new NAME", "Make an empty collection", "made", func(f state.Folder, names []string) error {
			return f.Make(names[0])
		}),
		newCollectionsChange(&dir, "rename NAME NEW", "Give a collection another name", "renamed", func(f state.Folder, names []string) error {
			return f.Rename(names[0], names[1])
		}),
		newCollectionsChange(&dir, "remove NAME", "Remove a collection with its samples and models for good", "removed", func(f state.Folder, names []string) error {
			return f.Remove(names[0])
		}))
	return cmd
}

func newCollectionsList(dir *string) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List all collections",
		Long: `Prints a line for each collection: name, samples, different labels, and models.

JSON: an array of objects with the keys name, folder, samples, labels (different ones),
trained_models and imported_models.`,
		Args: usage(cobra.NoArgs),
		RunE: inCollections(dir, func(cmd *cobra.Command, f state.Folder, _ []string) error {
			names, err := f.Names()
			if err != nil {
				return err
			}
			reports := make([]collectionReport, len(names))
			for i, name := range names {
				r := &reports[i]
				if r.Name, r.Folder, err = f.Find(name); err != nil {
					return err
				}
				if r.Contents, err = f.Contents(name); err != nil {
					return err
				}
			}
			return show(cmd, asJSON, reports, func(io.Writer) {
				for _, r := range reports {
					tellContents(cmd, r.Name, r.Contents)
				}
			})
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

func tellContents(cmd *cobra.Command, what string, c state.Contents) {
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %d samples of %d labels, %d trained and %d imported models\n", files.Shown(what), c.Samples, c.Labels, c.Trained, c.Imported)
}

func newCollectionsExport(dir *string) *cobra.Command {
	return &cobra.Command{
		Use:   "export NAME FILE",
		Short: "Write a collection to one file",
		Long: `Writes the samples, symbols, trained and imported models of a collection to a file whose name
ends in ` + state.Ending + `. What was there before stays until all is written. import reads it again.`,
		Args: asUsed,
		RunE: inCollections(dir, func(cmd *cobra.Command, f state.Folder, args []string) error {
			c, err := f.Export(cmd.Context(), args[0], args[1], nil)
			if err != nil {
				return exportProblem(cmd, err)
			}
			tellContents(cmd, args[1], c)
			return nil
		}),
	}
}

func newCollectionsImport(dir *string) *cobra.Command {
	var name string
	var owner samples.Whose
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Make a collection of a file",
		Long: `Makes a collection of a file that export has written, with its samples, symbols and models.
Its name is --name, or the one that the file states, with a number where there is one of
that name. A file that cannot be read as a whole changes nothing.`,
		Args: asUsed,
		RunE: inCollections(dir, func(cmd *cobra.Command, f state.Folder, args []string) error {
			if _, err := os.Stat(args[0]); err != nil {
				return explain(args[0], err)
			}
			as, c, err := f.Import(cmd.Context(), args[0], name, owner, nil)
			switch {
			case err != nil && cmd.Context().Err() != nil:
				return context.Cause(cmd.Context())
			case err != nil:
				return err
			}
			tellContents(cmd, as, c)
			return nil
		}),
	}
	cmd.Flags().StringVar(&name, "name", "", "of the collection (that of the file)")
	bindOwner(cmd, &owner)
	return cmd
}

// newCollectionsChange makes a command that takes as many names as its use says.
func newCollectionsChange(dir *string, use, short, done string, do func(state.Folder, []string) error) *cobra.Command {
	return &cobra.Command{
		Use:   use,
		Short: short,
		Args:  asUsed,
		RunE: inCollections(dir, func(cmd *cobra.Command, f state.Folder, names []string) error {
			if err := do(f, names); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", files.Shown(names[len(names)-1]), done)
			return nil
		}),
	}
}
