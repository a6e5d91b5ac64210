//go:build !openblas

package cpu

import "runtime/debug"

// blasName names the BLAS in use, with its version where the binary knows it.
func blasName() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "gonum.org/v1/gonum" {
				return "gonum " + m.Version
			}
		}
	}
	return "gonum"
}

// tilesPay: gonum's products are faster in tiles of our own choice.
const tilesPay = true
