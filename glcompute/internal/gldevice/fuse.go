package gldevice

import (
	"slices"

	"inkshade/glcompute/program"
)

// pass is what a replay does for one operation, or for two that are one step.
type pass struct {
	name string
	op   program.Op // the last of them
	step Step
}

// passes are a plan of all operations.
type passes struct {
	list    []pass
	skipped []bool // by tensor ID: not written, since the pass that reads it makes it itself
}

// without reports whether an output asks for what is not written.
func (p *passes) without(bindings []program.Binding) bool {
	for i := range bindings {
		if b := &bindings[i]; b.Output && p.skipped[b.Tensor.ID] {
			return true
		}
	}
	return false
}

// plan plans all operations, in pairs where the executor has one step for both.
func (b *Builder[T]) plan(inPairs bool) (*passes, error) {
	ops, exec := b.run.program.Ops(), b.run.dev.exec
	all := &passes{skipped: make([]bool, len(b.run.program.Tensors()))}
	second := make([]Step, len(ops)) // the steps of pairs, by the second operation
	first := make([]bool, len(ops))
	if inPairs {
		for j, op := range ops {
			i, t := feeder(ops, j)
			if t == nil || second[i] != nil || first[i] {
				continue
			}
			step, err := exec.Fuse(b, ops[i], op)
			if err != nil {
				return nil, err
			}
			if step != nil {
				second[j], first[i], all.skipped[t.ID] = step, true, true
			}
		}
	}
	for i, op := range ops {
		p := pass{name: op.Name(), op: op, step: second[i]}
		switch {
		case first[i]:
			continue
		case p.step != nil:
			f, _ := feeder(ops, i)
			p.name = ops[f].Name() + ", " + p.name
		default:
			var err error
			if p.step, err = b.operation(op); err != nil {
				return nil, err
			}
		}
		all.list = append(all.list, p)
	}
	return all, nil
}

// feeder finds an operation before ops[j] that could run as late as that: its one result is
// an intermediate that ops[j] alone reads, and nothing that it reads changes in between or
// in ops[j].
func feeder(ops []program.Op, j int) (int, *program.Tensor) {
	for _, t := range ops[j].Reads() {
		i := slices.IndexFunc(ops[:j], func(op program.Op) bool { return slices.Contains(op.Writes(), t) })
		if t.Kind == program.Intermediate && i >= 0 && len(ops[i].Writes()) == 1 && onlyBy(ops, i, j, t) && unchanged(ops[i].Reads(), ops[i+1:j+1]) {
			return i, t
		}
	}
	return 0, nil
}

// onlyBy reports whether ops[i] alone writes t and ops[j] alone reads it.
func onlyBy(ops []program.Op, i, j int, t *program.Tensor) bool {
	for n, op := range ops {
		if n != i && slices.Contains(op.Writes(), t) || n != j && slices.Contains(op.Reads(), t) {
			return false
		}
	}
	return true
}

func unchanged(reads []*program.Tensor, ops []program.Op) bool {
	for _, op := range ops {
		for _, t := range op.Writes() {
			if slices.Contains(reads, t) {
				return false
			}
		}
	}
	return true
}
