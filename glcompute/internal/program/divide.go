package program

import (
	"fmt"
	"slices"

	"inkshade/glcompute/message"
)

// Batch declares that inputs hold a mini-batch of so many samples, in order, with as many rows
// for each. All such inputs of a program have the same number of samples. A device may then
// deal the samples out, see Divide; to others it makes no difference.
func (p *Program) Batch(samples int, inputs ...*Tensor) {
	if samples < 1 || p.samples != 0 && p.samples != samples {
		panic(fmt.Sprintf("program: a batch of %d samples beside one of %d", samples, p.samples))
	}
	for _, t := range inputs {
		if t.Kind != Input || t.Rows%samples != 0 {
			panic(fmt.Sprintf("program: %s is no input that holds %d samples", t, samples))
		}
	}
	p.samples = samples
	p.batch = append(p.batch, inputs...)
}

// Samples is the number of samples in the mini-batch, 0 where none is declared.
func (p *Program) Samples() int { return p.samples }

// Sharding says how the results of an operation hang on the samples of a mini-batch, as in GSPMD (Xu et al., 2021).
type Sharding uint8

const (
	Replicated Sharding = iota // the same whatever the samples are: parameters, settings, what is made of them
	Sharded                    // rows for every sample, made of its own rows and of what is Replicated
	PartialSum                 // a sum over the samples: sums over some of them add up to it
	Unsharded                  // something else, for which all samples are needed at once
)

// Samples says how many there are and which tensors hold rows of them.
type Samples struct {
	Count int
	each  map[*Tensor]bool
}

// Rows is the sharding of an operation that makes a row, or several, of the same of all operands.
func (s Samples) Rows(operands ...*Tensor) Sharding {
	n := 0
	for _, t := range operands {
		if s.each[t] {
			n++
		}
	}
	switch n {
	case 0:
		return Replicated
	case len(operands):
		return Sharded
	}
	return Unsharded
}

// Sum is the sharding of an operation that adds up over the rows of all operands.
func (s Samples) Sum(operands ...*Tensor) Sharding {
	if f := s.Rows(operands...); f != Sharded {
		return f
	}
	return PartialSum
}

// None is the sharding of an operation that cannot be divided.
func (s Samples) None(operands ...*Tensor) Sharding {
	if s.Rows(operands...) == Replicated {
		return Replicated
	}
	return Unsharded
}

// Division is a program cut into what each device makes of its samples and what one of them
// then makes of the sums over all. Variables change in Rest alone.
type Division struct {
	Parts  []*Part
	Rest   *Part // without operations where nothing is left to do
	Totals []Total

	samples Samples
}

// Total is a sum over the samples of each part; the sum of those is an input of Rest.
type Total struct {
	From []*Tensor // by part
	To   *Tensor
}

// Part is one of the programs of a Division.
type Part struct {
	Program      *Program
	Samples      int // that it has
	first, count int // the number of the first of them; of all
	each         map[*Tensor]bool
	of           map[*Tensor]*Tensor // its tensors by those of the whole program
}

// Divide cuts the program for parts of so many samples, which together are the mini-batch. It
// fails with the name of the operation that stands in the way.
func (p *Program) Divide(samples ...int) (*Division, error) {
	if p.samples == 0 {
		return nil, message.Errorf("there is no mini-batch")
	}
	s := Samples{p.samples, map[*Tensor]bool{}}
	for _, t := range p.batch {
		s.each[t] = true
	}
	inParts, inRest, totals, err := p.sort(s)
	if err != nil {
		return nil, err
	}
	d := &Division{samples: s}
	newPart := func(first, n int) *Part {
		return &Part{Program: New(), Samples: n, first: first, count: p.samples, each: s.each, of: map[*Tensor]*Tensor{}}
	}
	first := 0
	for _, n := range samples {
		part := newPart(first, n)
		first += n
		part.record(p.ops, inParts)
		d.Parts = append(d.Parts, part)
	}
	if first != p.samples {
		panic(fmt.Sprintf("program: parts of %v samples of a batch of %d", samples, p.samples))
	}
	d.Rest = newPart(0, 0)
	for _, t := range totals {
		total := Total{To: d.Rest.Program.Input(t.Rows, t.Cols)}
		for _, part := range d.Parts {
			total.From = append(total.From, part.of[t])
		}
		d.Rest.of[t] = total.To
		d.Totals = append(d.Totals, total)
	}
	d.Rest.record(p.ops, inRest)
	for _, t := range p.tensors { // also what no operation reads can be bound
		if t.Kind != Intermediate && !s.each[t] && d.Parts[0].of[t] == nil {
			d.Rest.tensor(t)
		}
	}
	return d, nil
}

// Part cuts the program to some of its samples, where it makes nothing but rows of each; nil where it makes
// anything else.
func (p *Program) Part(samples int) *Part {
	if samples < 1 || samples >= p.samples {
		return nil
	}
	d, err := p.Divide(samples, p.samples-samples)
	if err != nil || len(d.Totals) > 0 || len(d.Rest.Program.ops) > 0 {
		return nil
	}
	for _, op := range p.ops {
		if slices.ContainsFunc(op.Writes(), func(t *Tensor) bool { return !d.samples.each[t] }) {
			return nil
		}
	}
	for _, t := range p.tensors {
		if t.Kind == Input && !d.samples.each[t] {
			return nil
		}
	}
	return d.Parts[0]
}

// Of gives the part's tensor for one of the whole program, nil where it has none.
func (part *Part) Of(t *Tensor) *Tensor { return part.of[t] }

// sort finds for every operation whether the parts make it or Rest, or both, and what is to be
// added up. What is Replicated is made wherever it is read.
func (p *Program) sort(s Samples) (inParts, inRest []bool, totals []*Tensor, err error) {
	inParts, inRest = make([]bool, len(p.ops)), make([]bool, len(p.ops))
	late := map[*Tensor]bool{} // known only once the sums are
	for i, op := range p.ops {
		sharding := op.Sharding(s)
		waits := slices.ContainsFunc(op.Reads(), func(t *Tensor) bool { return late[t] }) ||
			slices.ContainsFunc(op.Writes(), func(t *Tensor) bool { return t.Kind == Variable })
		if sharding == Unsharded || waits && sharding != Replicated {
			return nil, nil, nil, message.Errorf("%s needs all samples at once", op.Name())
		}
		inParts[i], inRest[i] = sharding != Replicated, waits
		for _, t := range op.Writes() {
			s.each[t], late[t] = sharding == Sharded, waits || sharding == PartialSum
			if sharding == Sharded && t.Rows%s.Count != 0 {
				return nil, nil, nil, message.Errorf("%s makes no rows of a single sample", op.Name())
			}
			if sharding == PartialSum {
				totals = append(totals, t)
			}
		}
	}
	partsRead, restReads := map[*Tensor]bool{}, map[*Tensor]bool{}
	for i, op := range slices.Backward(p.ops) {
		if !inParts[i] && !inRest[i] {
			read := func(by map[*Tensor]bool) bool {
				return slices.ContainsFunc(op.Writes(), func(t *Tensor) bool { return by[t] })
			}
			inParts[i] = read(partsRead)
			inRest[i] = read(restReads) || !inParts[i]
		}
		for _, t := range op.Reads() {
			partsRead[t], restReads[t] = partsRead[t] || inParts[i], restReads[t] || inRest[i]
		}
	}
	return inParts, inRest, totals, nil
}

// record copies the operations that are chosen.
func (part *Part) record(ops []Op, chosen []bool) {
	for i, op := range ops {
		if chosen[i] {
			part.Program.Record(op.With(part.tensor))
		}
	}
}

// tensor gives that of the part for one of the whole program, and nil for nil.
func (part *Part) tensor(t *Tensor) *Tensor {
	c, ok := part.of[t]
	switch {
	case ok || t == nil:
		return c
	case t.Kind == Variable:
		c = part.Program.Variable(t.Parameter)
	case part.each[t]:
		c = part.Program.tensor(t.Rows/part.count*part.Samples, t.Cols, t.Kind)
	default:
		c = part.Program.tensor(t.Rows, t.Cols, t.Kind)
	}
	part.of[t] = c
	return c
}

// Bind deals out the bindings of a replay of the whole program, each part the values of its
// samples. What OutLater binds is there with the rest.
func (d *Division) Bind(bindings []Binding) (parts [][]Binding, rest []Binding) {
	parts = make([][]Binding, len(d.Parts))
	for _, b := range bindings {
		inRest, ok := d.Rest.bind(b)
		if ok {
			rest = append(rest, inRest)
		}
		for i, part := range d.Parts {
			inPart, has := part.bind(b)
			if !has || b.Output && ok {
				continue
			}
			parts[i] = append(parts[i], inPart)
			ok = b.Output && !d.samples.each[b.Tensor] // one of them is enough
		}
	}
	return parts, rest
}

func (part *Part) bind(b Binding) (Binding, bool) {
	t, ok := part.of[b.Tensor]
	data := b.Data
	if part.each[b.Tensor] {
		each := len(data) / part.count
		data = data[part.first*each : (part.first+part.Samples)*each]
	}
	return Binding{Tensor: t, Data: data, Output: b.Output}, ok
}
