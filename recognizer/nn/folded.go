package nn

import "slices"

// affine is implemented by kinds that are a factor and a summand for each channel when in use.
type affine interface {
	activated
	affine(values [][]float32) (factor, summand []float32)
}

// absorbing is implemented by kinds with weights and bias whose columns are channels, so that
// factors and summands can become part of them.
type absorbing interface {
	activated
	withFunction(name string) Kind
}

// trainingOnly is implemented by kinds that do nothing in use.
type trainingOnly interface{ trainingOnly() }

// Folded is the network that gives the same answers with fewer layers: those that act only in
// training are left out, and batch normalisation becomes part of the layer before it where it
// alone reads that. Values are shared where they are the same.
func (n Network) Folded() Network {
	used := n.merged(func(_ Network, _, l Layer) bool {
		_, ok := l.Kind.(trainingOnly)
		return ok
	})
	readers := used.readers()
	return used.merged(func(net Network, was, l Layer) bool {
		before := l.From[0] - len(net.Inputs)
		if before < 0 || readers[was.From[0]] > 1 {
			return false
		}
		both, ok := absorbed(net.Layers[before], l)
		if ok {
			net.Layers[before] = both
		}
		return ok
	})
}

// merged copies the graph without the layers that merge reports to have become part of what
// they read. It is given the graph so far and the layer as it was and with its new numbers.
func (n Network) merged(merge func(net Network, was, l Layer) bool) Network {
	net := Network{Inputs: n.Inputs}
	var number []int // of each value in net
	for i := range n.Inputs {
		number = append(number, i)
	}
	for _, was := range n.Layers {
		l := Layer{Kind: was.Kind, Values: was.Values}
		for _, v := range was.From {
			l.From = append(l.From, number[v])
		}
		if merge(net, was, l) {
			number = append(number, l.From[0])
			continue
		}
		number = append(number, len(net.Inputs)+len(net.Layers))
		net.Layers = append(net.Layers, l)
	}
	return net
}

// readers counts the layers that read each value.
func (n Network) readers() []int {
	count := make([]int, len(n.Inputs)+len(n.Layers))
	for _, l := range n.Layers {
		for _, v := range l.From {
			count[v]++
		}
	}
	return count
}

// absorbed is one layer for two, if there is one.
func absorbed(before, l Layer) (both Layer, ok bool) {
	normal, ok := l.Kind.(affine)
	into, can := before.Kind.(absorbing)
	if !ok || !can || into.function() != "" && into.function() != identity {
		return Layer{}, false
	}
	factor, summand := normal.affine(l.Values)
	both = before.Clone()
	both.Kind = into.withFunction(normal.function())
	for i := range both.Values[0] {
		both.Values[0][i] *= factor[i%len(factor)]
	}
	for i := range both.Values[1] {
		both.Values[1][i] = both.Values[1][i]*factor[i] + summand[i]
	}
	return both, true
}

// FirstWeights are those of all layers that see the input; nil where one has none that multiply it.
func (n Network) FirstWeights() (weights [][]float32) {
	seen := []int{0} // values that are the input
	for i, l := range n.Layers {
		if !slices.ContainsFunc(l.From, func(v int) bool { return slices.Contains(seen, v) }) {
			continue
		}
		switch l.Kind.(type) {
		case rearranging:
			seen = append(seen, len(n.Inputs)+i)
		case absorbing:
			weights = append(weights, l.Values[0])
		default:
			return nil
		}
	}
	return weights
}

// Convolutional tells whether a layer moves filters over what it reads.
func (n Network) Convolutional() bool {
	return slices.ContainsFunc(n.Layers, func(l Layer) bool {
		k, ok := l.Kind.(Pictured)
		if !ok {
			return false
		}
		_, filters := k.Picture(Vector(1))
		return filters
	})
}
