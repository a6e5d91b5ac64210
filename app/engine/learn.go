package engine

import (
	"errors"
	"slices"

	"inkshade/app/ui"
	"inkshade/recognizer"
	"inkshade/recognizer/foreign"
	"inkshade/recognizer/nn"
)

// Use puts another model in use on both devices; a nil m is the model that ships under the
// name, or the file of that name. A GPU that cannot take it is given up. When it cannot be
// read, or the CPU cannot take it either, the model before stays in use.
func (e *Engine) Use(name string, m *nn.Model) error {
	var trial *foreign.Trial
	if m == nil {
		var err error
		if m, trial, err = e.load(name); err != nil {
			return err
		}
	}
	e.mu.Lock()
	before, beforeName := e.model, e.status.Model
	cpu, gpu := e.sides[ui.CPU], e.sides[ui.GPU]
	idle := before == nil && e.status.Settled()
	e.mu.Unlock()
	e.update(func() { e.use(name, m, trial) })
	if idle {
		e.prepareAll()
		return nil
	}
	if cpu != nil {
		if err := e.settleOn(ui.CPU, cpu.Device()); err != nil {
			e.update(func() { e.use(beforeName, before, nil) })
			return err
		}
	}
	if gpu != nil {
		if err := e.settleOn(ui.GPU, gpu.Device()); err != nil {
			e.lose(err)
		}
	}
	return nil
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
		return errors.New("the model in use has none of these classes; choose others, or another model")
	}
	e.allowed = allowed
	e.equipAll()
	return nil
}

func (e *Engine) equipAll() {
	for _, rec := range e.sides {
		e.equip(rec)
	}
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
