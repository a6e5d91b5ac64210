package cli

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"inkshade/assets"
	"inkshade/glcompute"
	"inkshade/models"
	"inkshade/recognizer"
	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
)

// demoRepeats is the number of runs whose median is shown.
const demoRepeats = 15

func newDemo(w Window) *cobra.Command {
	var options WindowOptions
	var picture string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Recognise the ink that ships with Inkshade, without a window",
		Long: `Does without a display what the window does: recognises the sample ink that ships with
Inkshade on the processor and on the best OpenGL device, prints the answers with both times
(median of ` + fmt.Sprint(demoRepeats) + ` runs), and writes a picture of the window, drawn off screen.`,
		PreRunE: func(*cobra.Command, []string) error {
			if picture != "" && !files.Special(picture) && !strings.EqualFold(filepath.Ext(picture), ".png") {
				return fmt.Errorf("--picture %s: the picture is a PNG; end its name in .png", files.Shown(picture))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if picture != "" {
				if err := checkWritable(picture); err != nil {
					return err
				}
			}
			samples, err := ink.Read(bytes.NewReader(assets.SampleInk()))
			if err != nil {
				return fmt.Errorf("the sample ink: %w", err)
			}
			options.Model = models.Named(options.Model)
			if err := runDemo(cmd, options.Model, samples); err != nil {
				return err
			}
			if picture == "" {
				return nil
			}
			img, err := w.Picture(cmd.Context(), samples[len(samples)/2].Ink, options)
			if err != nil {
				return fmt.Errorf("picture of the window: %w", err)
			}
			if err := writeFile(picture, func(out io.Writer) error { return png.Encode(out, img) }); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "\nThe window, drawn off screen, is in %s.\n", files.Shown(picture))
			return nil
		},
	}
	bindModel(cmd, &options.Model)
	cmd.Flags().StringVar(&picture, "picture", "inkshade.png", "where to write the picture of the window; empty for none")
	options.Appearance = "light"
	bindWord(cmd, &options.Appearance, "appearance", appearances, "of the window in the picture")
	return cmd
}

func runDemo(cmd *cobra.Command, name string, samples []ink.Labelled) error {
	file, err := modelNamed(name)
	if err != nil {
		return err
	}
	model, err := recognizer.LoadModel(file)
	if err != nil {
		return err
	}
	list, err := listDevices(cmd)
	if err != nil {
		return err
	}
	var contestants []*recognizer.Recognizer
	for _, kind := range demoDevices(cmd.OutOrStdout(), list) {
		dev, err := glcompute.Open(kind)
		if err != nil {
			return err
		}
		defer dev.Close()
		rec, err := recognizer.New(model, dev)
		if err != nil {
			return err
		}
		defer rec.Close()
		contestants = append(contestants, rec)
	}
	return demoTable(cmd.Context(), cmd.OutOrStdout(), contestants, samples)
}

// demoDevices are the processor and the best OpenGL device: compute shaders before
// fragment shaders. It says why there is none.
func demoDevices(w io.Writer, list []glcompute.Availability) []glcompute.DeviceKind {
	for _, kind := range []glcompute.DeviceKind{glcompute.Compute, glcompute.Fragment} {
		i := slices.IndexFunc(list, func(a glcompute.Availability) bool { return a.Kind == kind })
		if i < 0 {
			continue
		}
		if list[i].Err == nil {
			return []glcompute.DeviceKind{glcompute.CPU, kind}
		}
		fmt.Fprintf(w, "No %s device: %v\n", kind, list[i].Err)
	}
	return []glcompute.DeviceKind{glcompute.CPU}
}

func demoTable(ctx context.Context, w io.Writer, contestants []*recognizer.Recognizer, samples []ink.Labelled) error {
	for _, rec := range contestants {
		info := rec.Device().Info()
		software := ""
		if info.Software {
			software = " (software renderer)"
		}
		fmt.Fprintf(w, "%-9s %s%s\n", info.Kind, info.Name, software)
	}
	fmt.Fprint(w, "\ndrawing  probability")
	for _, rec := range contestants {
		fmt.Fprintf(w, "  %12s", rec.Device().Info().Kind)
	}
	fmt.Fprintln(w, "  answer")
	right := 0
	stages := make([][5]time.Duration, len(contestants)) // summed up over the drawings
	for _, s := range samples {
		answer, err := contestants[0].Recognize(s.Ink)
		if err != nil {
			return fmt.Errorf("the sample %q: %w", s.Label, err)
		}
		best := answer.Candidates[0]
		if best.Label == s.Label {
			right++
		}
		row := fmt.Sprintf("%-7s  %9.1f %%", s.Label, 100*best.Probability)
		for i, rec := range contestants {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			t, err := rec.Measure(s.Ink, demoRepeats)
			if err != nil {
				return fmt.Errorf("the sample %q on the %s device: %w", s.Label, rec.Device().Info().Kind, err)
			}
			for stage, took := range []time.Duration{t.Preprocess, t.Upload, t.Compute, t.Readback, t.Total()} {
				stages[i][stage] += took
			}
			row += fmt.Sprintf("  %12s", milliseconds(t.Total()))
		}
		fmt.Fprintf(w, "%s  %s\n", row, files.Shown(best.Label)) // last, since it may be of any width
	}
	fmt.Fprintf(w, "\n%d of %d right. Where the time goes, mean of the medians:\n\n", right, len(samples))
	for stage, name := range []string{"preprocessing", "upload", "compute", "readback", "total"} {
		fmt.Fprintf(w, "%-28s", name)
		for _, sums := range stages {
			fmt.Fprintf(w, "  %12s", milliseconds(sums[stage]/time.Duration(len(samples))))
		}
		fmt.Fprintln(w)
	}
	return nil
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.3f ms", inMilliseconds(d)) }
