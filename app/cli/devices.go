package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"inkshade/glcompute"
)

// deviceReport is one device in the JSON of the devices command.
type deviceReport struct {
	Kind       glcompute.DeviceKind `json:"kind"`
	Available  bool                 `json:"available"`
	Renderer   string               `json:"renderer,omitempty"`
	Vendor     string               `json:"vendor,omitempty"`
	Version    string               `json:"version,omitempty"`
	Software   bool                 `json:"software"`
	MaxTexture int                  `json:"max_texture,omitempty"`
	MaxBuffer  int64                `json:"max_buffer_bytes,omitempty"`
	Reason     string               `json:"reason,omitempty"`
}

func newDevices() *cobra.Command {
	var asJSON, choices bool
	var measure string
	cmd := &cobra.Command{
		Use:   "devices",
		Short: "List what can compute on this machine, and why the rest cannot",
		Long: `Lists every device Inkshade can compute on: the processor (cpu), OpenGL 3.3 fragment
shaders (fragment) and OpenGL 4.3 compute shaders (compute).

Heavy operations have several variants on the OpenGL devices, of which a device takes the
fastest for the shapes of its work. It times them when it first meets such work, for half a
second at most, and keeps the times in a cache. --choices lists them, with the variant that
is taken; --measure first times what there was no time for, --measure=all everything that is
known anew, as after a first start on a busy machine. An interrupt ends that early: work
whose variants have all been timed has the new times, the rest keeps the old ones. The new
times count for what is started later.

The times and the compiled shaders are kept in the folder "inkshade" of your caches;
INKSHADE_CACHE names another folder, or "off". INKSHADE_DEBUG makes every command and the
window write to standard error, each level with the ones before it: 1 the device that was
opened; 2 times and bytes of every replay and its passes, shaders compiled, choices; 3 the
source of every shader that is compiled (the processor has none); 4 the first operation that
wrote a NaN or an infinity; 5 the first operation that disagrees with its plain reference
(slow).

JSON: an array of objects with the keys kind, available, renderer, vendor, version (of
OpenGL, on the cpu of its linear algebra), software (OpenGL drawn by the processor),
max_texture (texels), max_buffer_bytes, and reason where a device cannot be had. With
--choices: kind, available, renderer, left (variants not measured yet), reason, and choices,
each with operation, work (what was measured), chosen (a variant's number), left, and
variants, the rule of thumb first: number, name, us (microseconds), unusable (why).`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if measure != "" {
				if err := measureVariants(cmd, measure == measureAll); err != nil {
					return err
				}
			}
			if choices || measure != "" {
				reports, err := choicesReports()
				if err != nil {
					return err
				}
				return show(cmd, asJSON, reports, func(w io.Writer) { writeChoices(w, reports) })
			}
			reports := deviceReports(glcompute.List())
			return show(cmd, asJSON, reports, func(w io.Writer) { writeDevices(w, reports) })
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	cmd.Flags().BoolVar(&choices, "choices", false, "list the variants that the OpenGL devices have chosen, with their times")
	bindWord(cmd, &measure, "measure", []string{measureLeft, measureAll}, "measure the variants that are left over, or with =all every known one anew, then list the choices")
	cmd.Flags().Lookup("measure").NoOptDefVal = measureLeft
	return cmd
}

func deviceReports(list []glcompute.Availability) []deviceReport {
	reports := make([]deviceReport, len(list))
	for i, a := range list {
		if a.Err != nil {
			reports[i] = deviceReport{Kind: a.Kind, Reason: a.Err.Error()}
			continue
		}
		in := a.Info
		reports[i] = deviceReport{
			Kind: a.Kind, Available: true, Renderer: in.Name, Vendor: in.Vendor, Version: in.Version,
			Software: in.Software, MaxTexture: in.MaxTexture, MaxBuffer: in.MaxBuffer,
		}
	}
	return reports
}

func writeDevices(w io.Writer, reports []deviceReport) {
	for _, r := range reports {
		if !r.Available {
			fmt.Fprintf(w, "%-9s not available: %s\n", r.Kind, r.Reason)
			continue
		}
		fmt.Fprintf(w, "%-9s %s", r.Kind, r.Renderer)
		if r.Software {
			fmt.Fprint(w, " (software renderer)")
		}
		fmt.Fprintf(w, "\n%-9s %s", "", r.Version)
		if r.Vendor != "" {
			fmt.Fprintf(w, ", %s", r.Vendor)
		}
		if r.MaxTexture > 0 {
			fmt.Fprintf(w, "; textures up to %d x %d texels", r.MaxTexture, r.MaxTexture)
		}
		if r.MaxBuffer > 0 {
			fmt.Fprintf(w, "; buffers up to %d MiB", r.MaxBuffer>>20)
		}
		fmt.Fprintln(w)
	}
}
