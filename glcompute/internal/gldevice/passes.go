package gldevice

import "inkshade/glcompute/program"

// pass is what a replay does for one operation, or for several that are one.
type pass struct {
	op   program.Op
	step Step
}

// passes are a plan of all operations.
type passes struct {
	list    []pass
	skipped map[*program.Tensor]bool // not written, since the pass that reads it makes it itself
}

// without reports whether an output asks for what is not written.
func (p *passes) without(bindings []program.Binding) bool {
	for i := range bindings {
		if b := &bindings[i]; b.Output && p.skipped[b.Tensor] {
			return true
		}
	}
	return false
}

// plan plans all operations, fused or one by one.
func (b *Builder[T]) plan(fused bool) (*passes, error) {
	all := &passes{}
	ops := b.run.program.Ops()
	if fused {
		ops, all.skipped = b.run.program.Fused()
	}
	for _, op := range ops {
		step, err := b.operation(op)
		if err != nil {
			return nil, err
		}
		all.list = append(all.list, pass{op, step})
	}
	return all, nil
}
