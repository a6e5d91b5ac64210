package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// word is a flag that takes one of several words.
type word[T ~string] struct {
	value *T
	words []T
}

func (w word[T]) String() string { return string(*w.value) }
func (w word[T]) Type() string   { return strings.Join(namesOf(w.words), "|") }

func (w word[T]) Set(s string) error {
	if !slices.Contains(w.words, T(s)) {
		names, last := namesOf(w.words), len(w.words)-1
		return fmt.Errorf("choose %s or %s", strings.Join(names[:last], ", "), names[last])
	}
	*w.value = T(s)
	return nil
}

// bindWord adds a flag that takes one of several words, which a shell completes; value holds the
// one without the flag.
func bindWord[T ~string](cmd *cobra.Command, value *T, name string, words []T, usage string) {
	cmd.Flags().Var(word[T]{value, words}, name, usage)
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(namesOf(words), cobra.ShellCompDirectiveNoFileComp))
}

// namesOf are words of any type.
func namesOf[T ~string](all []T) []string {
	names := make([]string, len(all))
	for i, x := range all {
		names[i] = string(x)
	}
	return names
}
