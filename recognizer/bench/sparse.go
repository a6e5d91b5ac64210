package bench

import (
	"inkshade/glcompute"
	"inkshade/glcompute/message"
)

// FixedDrawings is the mini-batch of SparseRows and DenseRows.
const FixedDrawings = 128

// recordFirstLayer makes the first layer of 784-800 on FixedDrawings drawings of which so many
// pixels in a hundred hold ink, and the gradient of its weights: as whole rows, or as sparse ones,
// whose non-zeros and index map go up (NVIDIA 2018).
func recordFirstLayer(percent int, sparse bool) task {
	p := glcompute.NewProgram()
	in, out := network[0], network[1]
	w, dy := matrix(in, out, 0.1, 6), matrix(FixedDrawings, out, 0.1, 7)
	ink := inkPixels(FixedDrawings*in, percent)
	t := task{program: p, params: []*glcompute.Parameter{w, dy}}
	if !sparse {
		x := p.Input(FixedDrawings, in)
		p.Product(glcompute.Plain(x), glcompute.Plain(p.Variable(w)))
		t.result = p.Product(glcompute.Transposed(x), glcompute.Plain(p.Variable(dy)))
		t.bindings = []glcompute.Binding{glcompute.In(x, ink)}
		return t
	}
	s := p.SparseInput(FixedDrawings, in, FixedDrawings*in*percent/100+1)
	p.SparseProduct(s, p.Variable(w))
	t.result = p.SparseGradient(s, p.Variable(dy))
	t.bindings = glcompute.Must(glcompute.NewEncoder(s).Encode(ink)) // there is room for what inkPixels makes
	return t
}

// inkPixels gives n values of which so many in a hundred are not zero, scattered.
func inkPixels(n, percent int) []float32 {
	x := make([]float32, n)
	for i, v := range pixels(n) {
		if i*7919%n < n*percent/100 {
			x[i] = max(v, 0.5)
		}
	}
	return x
}

// SparseLimit is the share of ink, in percent, up to which a device is faster with sparse rows than
// with whole ones at every share measured; 0 for none. ok is false where it was not measured.
func (r *Report) SparseLimit(device string) (percent int, ok bool) {
	dense, sparse := r.Of(DenseRows, device), r.Of(SparseRows, device)
	if len(dense) == 0 || len(sparse) == 0 {
		return 0, false
	}
	for _, x := range sparse {
		if x.Median >= dense[0].Median {
			break
		}
		percent = x.Size
	}
	return percent, true
}

// sparseLimits are those of all devices that were measured.
func (r *Report) sparseLimits() map[string]int {
	limits := map[string]int{}
	for _, d := range r.Devices {
		if percent, ok := r.SparseLimit(d.Name); ok {
			limits[d.Name] = percent
		}
	}
	return limits
}

// sparse says for all devices up to which share of ink sparse rows win; empty where nothing was
// measured.
func (r *Report) sparse() []*message.Message {
	var all *message.Message
	for _, d := range r.Devices {
		switch percent, ok := r.SparseLimit(d.Name); {
		case !ok:
		case percent == 0:
			all = listed(all, message.Text("%s: at no share", NameOf(d.Name)))
		default:
			all = listed(all, message.Text("%s: up to %d %% ink", NameOf(d.Name), percent))
		}
	}
	if all == nil {
		return nil
	}
	return []*message.Message{message.Text("Reading only the pixels with ink is faster than reading whole rows (%s).", all)}
}
