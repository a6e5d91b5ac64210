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
	ops := b.run.program.Ops()
	all := &passes{skipped: make([]bool, len(b.run.program.Tensors()))}
	pairs := make([]*pass, len(ops)) // by the second operation
	for i, op := range ops {
		if pairs[i] != nil {
			all.list = append(all.list, *pairs[i])
			continue
		}
		if inPairs {
			fused, err := b.fuse(i, pairs, all.skipped)
			if err != nil {
				return nil, err
			}
			if fused {
				continue
			}
		}
		step, err := b.operation(op)
		if err != nil {
			return nil, err
		}
		all.list = append(all.list, pass{op.Name(), op, step})
	}
	return all, nil
}

// fuse plans the operation i together with the one after it that alone reads its result,
// where there is a step for both, in the place of that one.
func (b *Builder[T]) fuse(i int, pairs []*pass, skipped []bool) (bool, error) {
	ops := b.run.program.Ops()
	for j := i + 1; j < len(ops); j++ {
		f, t := feeder(ops, j)
		if t == nil || f != i || pairs[j] != nil {
			continue
		}
		step, err := b.run.dev.exec.Fuse(b, ops[i], ops[j])
		if step == nil || err != nil {
			return false, err
		}
		pairs[j] = &pass{ops[i].Name() + ", " + ops[j].Name(), ops[j], step}
		skipped[t.ID] = true
		return true, nil
	}
	return false, nil
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
