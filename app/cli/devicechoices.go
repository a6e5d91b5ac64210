package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"inkshade/glcompute"
)

// choicesReport is one OpenGL device in the JSON of devices --choices.
type choicesReport struct {
	Kind      glcompute.DeviceKind `json:"kind"`
	Available bool                 `json:"available"`
	Renderer  string               `json:"renderer,omitempty"`
	Choices   []choiceReport       `json:"choices"`
	Left      int                  `json:"left"`
	Reason    string               `json:"reason,omitempty"`
}

// choiceReport is an operation with a class of shapes.
type choiceReport struct {
	Operation string          `json:"operation"`
	Work      string          `json:"work"`
	Chosen    int             `json:"chosen"`
	Left      int             `json:"left"`
	Variants  []variantReport `json:"variants"`
}

type variantReport struct {
	Number   int     `json:"number"`
	Name     string  `json:"name"`
	Time     float64 `json:"us,omitempty"`
	Unusable string  `json:"unusable,omitempty"`
}

// The values of --measure.
const (
	measureLeft = "left" // the variants that there was no time for
	measureAll  = "all"  // all whose work is known
)

// measureVariants measures what has been left over on every OpenGL device, or all that is
// known anew; an interrupt ends it with what has been measured.
func measureVariants(cmd *cobra.Command, all bool) error {
	kept := "what was measured to the end is kept"
	if all {
		kept += ", the rest has its old times"
	}
	for _, kind := range glcompute.VariantKinds() {
		var at *glcompute.Selection
		err := glcompute.Tune(cmd.Context(), kind, all, func(t glcompute.Tuning) {
			if s := t.Selection; s != at {
				at = s
				cmd.PrintErrf("%s: %s %s, %d variants (%d of %d trials done)\n", kind, s.Operation, s.Work, len(s.Trials), t.Done, t.Total)
			}
		})
		switch {
		case errors.Is(err, context.Canceled):
			cmd.PrintErrf("inkshade: stopped on request; %s\n", kept)
			return nil
		case errors.Is(err, glcompute.ErrNoCache):
			return err
		case err != nil:
			cmd.PrintErrf("inkshade: %s is left out: %v\n", kind, err)
		}
	}
	return nil
}

func choicesReports() ([]choicesReport, error) {
	var reports []choicesReport
	for _, kind := range glcompute.VariantKinds() {
		info, all, err := glcompute.Selections(kind)
		if errors.Is(err, glcompute.ErrNoCache) {
			return nil, err
		}
		r := choicesReport{Kind: kind, Available: err == nil, Renderer: info.Name, Choices: []choiceReport{}}
		if err != nil {
			r.Reason = err.Error()
		}
		for _, s := range all {
			c := choiceReport{Operation: s.Operation, Work: s.Work, Chosen: s.Chosen, Left: s.Left()}
			for _, t := range s.Trials {
				c.Variants = append(c.Variants, variantReport{t.Number, t.Name, float64(t.Time) / float64(time.Microsecond), t.Unusable})
			}
			r.Choices = append(r.Choices, c)
			r.Left += c.Left
		}
		reports = append(reports, r)
	}
	return reports, nil
}

func writeChoices(w io.Writer, reports []choicesReport) {
	left := 0
	for _, r := range reports {
		left += r.Left
		switch {
		case !r.Available:
			fmt.Fprintf(w, "%-9s not available: %s\n", r.Kind, r.Reason)
		case len(r.Choices) == 0:
			fmt.Fprintf(w, "%-9s %s: nothing measured yet; variants are timed when work first comes to a device\n", r.Kind, r.Renderer)
		default:
			fmt.Fprintf(w, "%-9s %s\n", r.Kind, r.Renderer)
		}
		for _, c := range r.Choices {
			writeChoice(w, c)
		}
	}
	if left > 0 {
		fmt.Fprintf(w, "%d variants not measured yet; \"inkshade devices --measure\" does it.\n", left)
	}
}

func writeChoice(w io.Writer, c choiceReport) {
	fmt.Fprintf(w, "  %s %s\n", c.Operation, c.Work)
	for i, v := range c.Variants {
		fmt.Fprintf(w, "    %2d  %-36s ", v.Number, v.Name)
		switch {
		case v.Unusable != "":
			fmt.Fprintf(w, "cannot be used here: %s", v.Unusable)
		case v.Time == 0:
			fmt.Fprint(w, "not measured yet")
		default:
			fmt.Fprintf(w, "%11s", shortTime(time.Duration(v.Time*float64(time.Microsecond))))
		}
		switch {
		case v.Number == c.Chosen && i > 0:
			fmt.Fprint(w, "  chosen, the fastest")
		case v.Number == c.Chosen && c.Left == len(c.Variants):
			fmt.Fprint(w, "  chosen by rule of thumb")
		case v.Number == c.Chosen:
			fmt.Fprint(w, "  chosen, the rule of thumb: no other is clearly faster")
		case i == 0:
			fmt.Fprint(w, "  the rule of thumb")
		}
		fmt.Fprintln(w)
	}
}
