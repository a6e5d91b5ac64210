package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/nn"
)

// classSets are the sets of labels that have a name.
var classSets = map[string]string{
	"digits":   nn.Digits,
	"capitals": nn.Capitals,
	"small":    nn.Small,
	"signs":    nn.Signs,
}

const classesUsage = "only these labels: digits, capitals, small, signs, or labels of your own, separated by commas"

// bindClasses adds a flag of labels, whose sets a shell completes, after a comma too.
func bindClasses(cmd *cobra.Command, name string, classes *[]string, usage string) {
	cmd.Flags().StringSliceVar(classes, name, nil, usage)
	_ = cmd.RegisterFlagCompletionFunc(name, completeClasses)
}

func completeClasses(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	given := typed[:strings.LastIndex(typed, ",")+1]
	var choices []string
	for _, set := range slices.Sorted(maps.Keys(classSets)) {
		if !slices.Contains(strings.Split(given, ","), set) {
			choices = append(choices, given+set)
		}
	}
	return choices, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// parseClasses gives the labels of such a flag in order, nil when it is not used.
func parseClasses(flag string, words []string) ([]string, error) {
	var labels []string
	for _, w := range words {
		w = strings.TrimSpace(w)
		set := []string{w}
		if s, ok := classSets[w]; ok {
			set = strings.Split(s, "")
		}
		for _, l := range set {
			if l == "" {
				return nil, fmt.Errorf("--%s holds an empty label", flag)
			}
			if !slices.Contains(labels, l) {
				labels = append(labels, l)
			}
		}
	}
	return labels, nil
}

// partition splits the samples into those with one of the labels and the number of others.
// No labels stand for all.
func partition(samples []dataset.Sample, labels []string) (kept []dataset.Sample, others map[string]int) {
	others = map[string]int{}
	if labels == nil {
		return samples, others
	}
	wanted := make(map[string]bool, len(labels))
	for _, l := range labels {
		wanted[l] = true
	}
	for _, s := range samples {
		if wanted[s.Label] {
			kept = append(kept, s)
		} else {
			others[s.Label]++
		}
	}
	return kept, others
}
