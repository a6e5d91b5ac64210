package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"inkshade/app/state"
	"inkshade/recognizer/files"
	"inkshade/recognizer/samples"
)

type collectionReport struct {
	Name   string `json:"name"`
	Folder string `json:"folder"`
	state.Contents
}

func (r collectionReport) String() string {
	return fmt.Sprintf("%s: %s of %s, %d trained and %s", files.Shown(r.Name), counted(r.Samples, "sample"), counted(r.Labels, "label"), r.Trained, counted(r.Imported, "imported model"))
}

func newCollections() *cobra.Command {
	var data dataFlags
	cmd := &cobra.Command{
		Use:   "collections",
		Short: "List, make, rename, export, import and remove collections",
		Long: `A collection is a set of samples with symbols and models of its own: your runes, class 7b.
The first is called "` + state.First + `" and always there. Other commands take a name behind
--collection. Without a command it lists them.`,
		Example: `  inkshade collections new runes
  inkshade import --collection runes drawings.jsonl.gz
  inkshade collections export runes runes` + state.Ending,
	}
	data.bindDir(cmd.PersistentFlags())
	list := newCollectionsList(&data)
	cmd.RunE = list.RunE
	cmd.Flags().AddFlagSet(list.Flags())
	cmd.AddCommand(list, newCollectionsExport(&data), newCollectionsImport(&data),
		newCollectionsChange(&data, "new NAME", "Make an empty collection", "made", func(f state.Folder, names []string) error {
			return f.Make(names[0])
		}),
		newCollectionsChange(&data, "rename NAME NEW", "Give a collection another name", "renamed", func(f state.Folder, names []string) error {
			return f.Rename(names[0], names[1])
		}),
		newCollectionsChange(&data, "remove NAME", "Remove a collection with its samples and models for good", "removed", func(f state.Folder, names []string) error {
			return f.Remove(names[0])
		}))
	return cmd
}

func newCollectionsList(data *dataFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List all collections",
		Long: `Prints a line for each collection: name, samples, different labels, and models.

JSON: an array of objects with the keys
` + keys(collectionReport{}),
		RunE: data.withFolder(func(cmd *cobra.Command, f state.Folder, _ []string) error {
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
			return show(cmd, reports, "{{range .}}{{println .}}{{end}}")
		}),
	}
	cmd.Flags().Bool("json", false, "write JSON")
	return cmd
}

func newCollectionsExport(data *dataFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "export NAME FILE",
		Short: "Write a collection to one file",
		Long: `Writes the samples, symbols, trained and imported models of a collection to a file whose name
ends in ` + state.Ending + `. What was there before stays until all is written. import reads it again.`,
		ValidArgsFunction: data.complete,
		RunE: data.withFolder(func(cmd *cobra.Command, f state.Folder, args []string) error {
			c, err := f.Export(cmd.Context(), args[0], args[1], nil)
			if err != nil {
				return remedied(err)
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), collectionReport{Name: args[1], Contents: c})
			return err
		}),
	}
}

func newCollectionsImport(data *dataFlags) *cobra.Command {
	var name string
	var owner samples.Whose
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Make a collection of a file",
		Long: `Makes a collection of a file that export has written, with its samples, symbols and models.
Its name is --name, or the one that the file states, with a number where there is one of
that name. A file that cannot be read as a whole changes nothing.`,
		RunE: data.withFolder(func(cmd *cobra.Command, f state.Folder, args []string) error {
			if _, err := os.Stat(args[0]); err != nil {
				return explain(args[0], err)
			}
			as, c, err := f.Import(cmd.Context(), args[0], name, owner, nil)
			if err == nil {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), collectionReport{Name: as, Contents: c})
			}
			return err
		}),
	}
	cmd.Flags().StringVar(&name, "name", "", "of the collection (that of the file)")
	bindOwner(cmd, &owner)
	return cmd
}

// newCollectionsChange makes a command that takes as many names as its use says.
func newCollectionsChange(data *dataFlags, use, short, done string, do func(state.Folder, []string) error) *cobra.Command {
	return &cobra.Command{
		Use:               use,
		Short:             short,
		ValidArgsFunction: data.complete,
		RunE: data.withFolder(func(cmd *cobra.Command, f state.Folder, names []string) error {
			if err := do(f, names); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", files.Shown(names[len(names)-1]), done)
			return nil
		}),
	}
}
