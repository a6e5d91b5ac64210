package nn

import "slices"

// affine is implemented by kinds that are a factor and a summand for each channel when in use.
type affine interface {
	affine(values [][]float32) (factor, summand []float64)
}

// absorbing is implemented by kinds whose first two parameters are factors and summands, the columns of which are channels: what
// is multiplied, added or computed after them can become part of them.
type absorbing interface{ withFunction(name string) Kind }

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
	if !ok {
		return Layer{}, false
	}
	factor, summand := normal.affine(l.Values)
	both = before.Clone()
	ok = both.Scale(func(channel int) (float64, float64) { return factor[channel], summand[channel] })
	return both, ok && both.Activate(l.function())
}

// function is the nonlinearity that a layer ends in, empty for none.
func (l Layer) function() string {
	if k, ok := l.Kind.(Activated); ok && k.Activation() != identity {
		return k.Activation()
	}
	return ""
}

// Activate makes a nonlinearity part of a layer that has a place for one and ends in none; else it tells false.
func (l *Layer) Activate(function string) bool {
	k, ok := l.Kind.(absorbing)
	if ok = ok && l.function() == ""; ok {
		l.Kind = k.withFunction(function)
	}
	return ok
}

// Scale makes a factor and a summand for each channel part of a layer that can take them in; else it tells false.
func (l *Layer) Scale(by func(channel int) (factor, summand float64)) bool {
	if _, ok := l.Kind.(absorbing); !ok || l.function() != "" {
		return false
	}
	factors := make([]float64, len(l.Values[1]))
	for c, v := range l.Values[1] {
		factor, summand := by(c)
		factors[c], l.Values[1][c] = factor, float32(float64(v)*factor+summand)
	}
	for row := range slices.Chunk(l.Values[0], len(factors)) {
		for c, factor := range factors {
			row[c] = float32(float64(row[c]) * factor)
		}
	}
	return true
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
		case Pictured:
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
