package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// word is a flag that takes one of several words.
type word struct {
	value *string
	words []string
}

func (w word) String() string { return *w.value }
func (w word) Type() string   { return strings.Join(w.words, "|") }

func (w word) Set(s string) error {
	if !slices.Contains(w.words, s) {
		last := len(w.words) - 1
		return fmt.Errorf("choose %s or %s", strings.Join(w.words[:last], ", "), w.words[last])
	}
	*w.value = s
	return nil
}

// bindWord adds a flag that takes one of several words, which a shell completes; value holds the
// one without the flag.
func bindWord(cmd *cobra.Command, value *string, name string, words []string, usage string) {
	cmd.Flags().Var(word{value, words}, name, usage)
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// namesOf are the words for values that have names.
func namesOf[T fmt.Stringer](all []T) []string {
	names := make([]string, len(all))
	for i, x := range all {
		names[i] = x.String()
	}
	return names
}

// named is the value of that name among all, which has it.
func named[T fmt.Stringer](all []T, name string) T { return all[slices.Index(namesOf(all), name)] }
