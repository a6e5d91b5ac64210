package device

import (
	"slices"

	"inkshade/glcompute/message"
	"inkshade/recognizer"
	"inkshade/recognizer/inputformat"
	"inkshade/recognizer/nn"
)

// Use puts another model in use on both devices; a nil m is the model that ships under the
// name, or the file of that name. A GPU that cannot take it is given up. When it cannot be
// read, or the CPU cannot take it either, the model before stays in use.
func (e *Engine) Use(name string, m *nn.Model) error {
	var trial *inputformat.Inferred
	if m == nil {
		var err error
		if m, trial, err = e.load(name); err != nil {
			return err
		}
	}
	var before Status
	var was *nn.Model
	var cpu, gpu *recognizer.Recognizer
	e.update(func() { // a side that becomes ready later sees that its model is not in use any more
		before, was = e.status, e.model
		cpu, gpu = e.sides[CPU], e.sides[GPU]
		e.use(name, m, trial)
	})
	if was == nil && before.Settled() {
		e.prepareAll()
		return nil
	}
	var refused error
	if cpu != nil {
		if refused = e.settleOn(CPU, cpu.Device()); refused != nil {
			e.update(func() {
				e.use(before.Model, was, nil)
				e.status.Fed, gpu, m = before.Fed, e.sides[GPU], was
			})
		}
	}
	if gpu != nil && gpu.Model() != m {
		if err := e.settleOn(GPU, gpu.Device()); err != nil {
			e.lose(err)
		}
	}
	return refused
}

// Remember puts a memory beside the network. Call it again when the memory has learned or
// lost a class.
func (e *Engine) Remember(m recognizer.Memory) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.memory = m
	e.equipAll()
}

// Restrict lets only those classes be answered that allowed accepts; nil lets all. A
// restriction that would leave nothing to answer does not take effect and is an error.
func (e *Engine) Restrict(allowed func(label string) bool) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if allowed != nil && e.model != nil && len(e.choose(allowed)) == 0 {
		return message.Errorf("the model in use has none of these classes; choose others, or another model")
	}
	e.allowed = allowed
	e.equipAll()
	return nil
}

func (e *Engine) equipAll() {
	for _, rec := range e.sides {
		e.equip(rec)
	}
	e.equipWords()
}

// equip gives a recognizer the memory and the restriction. The caller holds the lock. A
// restriction that fits none of the classes, because the model changed, is left out.
func (e *Engine) equip(rec *recognizer.Recognizer) {
	rec.SetMemory(e.memory)
	var chosen []string
	if e.allowed != nil {
		chosen = e.choose(e.allowed)
	}
	_ = rec.SetClasses(chosen)
}

// choose lists the classes of model and memory that allowed accepts; nil for none.
func (e *Engine) choose(allowed func(string) bool) []string {
	known := slices.Clone(e.model.Labels)
	if e.memory != nil {
		known = append(known, e.memory.Labels()...)
	}
	slices.Sort(known)
	known = slices.DeleteFunc(slices.Compact(known), func(l string) bool { return !allowed(l) })
	if len(known) == 0 {
		return nil
	}
	return known
}
