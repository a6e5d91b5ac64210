package nn

import "inkshade/glcompute/program"

// builtIn finds a nonlinearity among those that every executor has folded into its products.
func builtIn(function string) (program.Activation, bool) {
	if function == "" {
		return program.Identity, true
	}
	for _, f := range program.Activations {
		if f.String() == function {
			return f, true
		}
	}
	return 0, false
}

// perceptron gives the nonlinearities of a network of dense layers one after another; ok is false for another.
func (params *Parameters) perceptron() (functions []program.Activation, ok bool) {
	for i, l := range params.net.Layers {
		dense, ok := l.Kind.(Dense)
		if !ok || len(params.net.Inputs) != 1 || params.net.Inputs[0].Shape.Positions() > 1 || l.From[0] != i {
			return nil, false
		}
		f, ok := builtIn(dense.Function)
		if !ok {
			return nil, false
		}
		functions = append(functions, f)
	}
	return functions, true
}
