//go:build !(openblas && amd64)

package cpu

import "inkshade/glcompute/program"

// All of these need C (see panel.go).

func panelName() string { return "" }

func inPanels(*builder, *program.MatMul, gemm) func() { return nil }

func inRow(*builder, *program.MatMul, gemm) func() { return nil }

func vectorActivate([]float32, []float32, program.Activation) bool { return false }
