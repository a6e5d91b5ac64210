//go:build !(openblas && amd64)

package cpu

import "inkshade/glcompute/program"

// inPanels and vectorActivate need C (see panel.go).
func inPanels(*builder, *program.MatMul, gemm) func() { return nil }

func vectorActivate(out, x []float32, f program.Activation) bool { return false }
