package conformance

import (
	"fmt"
	"slices"
	"testing"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// A tiny run: 13 inputs, 11 hidden units, 5 classes, mini-batches of 7, 40 steps.
const (
	trainBatch, trainIn, trainHidden, trainOut = 7, 13, 11, 5
	trainSteps, trainSave                      = 40, 15
)

// trainer is a training step with its parameters and batches.
type trainer struct {
	*recorder
	x, target, settings, loss *program.Tensor
	batches, targets          [][]float32
}

// newTrainer records forward, loss, backward and update of a network with one hidden
// layer; the loss is cross-entropy after softmax, or mean squared error after a sigmoid.
func newTrainer(hidden expr.Activation, entropy bool) *trainer {
	tr := &trainer{recorder: newRecorder(fmt.Sprintf("training %s %t", hidden.Name(), entropy))}
	p := tr.Program
	tr.x, tr.target, tr.settings = p.Input(trainBatch, trainIn), p.Input(trainBatch, trainOut), p.Input(1, 3)
	w1, b1 := tr.variable(trainIn, trainHidden, within(0.5)), tr.variable(1, trainHidden, within(0.1))
	w2, b2 := tr.variable(trainHidden, trainOut, within(0.5)), tr.variable(1, trainOut, within(0.1))
	h := p.Layer(tr.x, w1, b1, hidden)
	if entropy {
		tr.loss = p.CrossEntropy(p.Softmax(p.Layer(h, w2, b2, expr.Identity)), tr.target)
	} else {
		tr.loss = p.MeanSquaredError(p.Layer(h, w2, b2, expr.Sigmoid), tr.target)
	}
	variables := []*program.Tensor{w1, b1, w2, b2}
	for i, g := range program.Must(p.Gradients(tr.loss, 1.0/trainBatch, variables...)) {
		tr.update(variables[i], g, variables[i].Rows > 1)
	}
	for range trainSteps {
		tr.batches = append(tr.batches, tr.values(trainBatch*trainIn, uniform))
		tr.targets = append(tr.targets, oneHot(tr.rng, trainBatch, trainOut))
	}
	return tr
}

// update records the step of w, its momentum starting from zero; an anchor pulls matrices.
func (tr *trainer) update(w, dw *program.Tensor, anchored bool) {
	v := program.NewParameter("momentum", w.Rows, w.Cols, nil)
	tr.params = append(tr.params, v)
	var anchor *program.Tensor
	if anchored {
		a := program.NewParameter("anchor", w.Rows, w.Cols, slices.Clone(w.Parameter.Data))
		tr.params = append(tr.params, a)
		anchor = tr.Variable(a)
	}
	tr.SGD(w, tr.Variable(v), dw, anchor, tr.settings)
}

// step gives rate, momentum and decay of one step; the rate falls.
func (tr *trainer) step(i int) []float32 { return []float32{0.4 / (1 + 0.05*float32(i)), 0.8, 0.01} }

// referenceLosses is the trace of losses in float64, one after another, and the final parameters.
func (tr *trainer) referenceLosses() (losses []float64, v program.Values) {
	v = program.Values{}
	for _, par := range tr.params {
		copy(v.Of(tr.Variable(par)), widen(par.Data))
	}
	for i := range trainSteps {
		copy(v.Of(tr.x), widen(tr.batches[i]))
		copy(v.Of(tr.target), widen(tr.targets[i]))
		copy(v.Of(tr.settings), widen(tr.step(i)))
		tr.RunReference(v)
		losses = append(losses, v.Of(tr.loss)...)
	}
	return losses, v
}

// losses replays the steps from-to on a device.
func (tr *trainer) losses(t *testing.T, run program.Run, from, to int) []float32 {
	var all []float32
	for i := from; i < to; i++ {
		loss := nans(trainBatch)
		err := run.Do(program.In(tr.x, tr.batches[i]), program.In(tr.target, tr.targets[i]),
			program.In(tr.settings, tr.step(i)), program.Out(tr.loss, loss))
		must(t, err)
		all = append(all, loss...)
	}
	return all
}

// trainingParity trains tiny networks on dev: losses and final parameters must follow the
// float64 reference, and going on from saved parameters must give the same losses
// bit for bit.
func trainingParity(t *testing.T, dev program.Device) {
	limit := compare.Limit{Abs: 5e-6, Rel: 5e-5, Reason: "roundings carried through forty steps"}
	for _, f := range []expr.Activation{expr.Tanh, expr.Sigmoid, expr.ReLU} {
		for _, entropy := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s entropy %t", f.Name(), entropy), func(t *testing.T) {
				tr := newTrainer(f, entropy)
				want, final := tr.referenceLosses()
				run, err := dev.Compile(tr.Program)
				must(t, err)
				defer tr.free(t, dev, run)
				got := tr.losses(t, run, 0, trainSave)
				saved := tr.download(t, dev)
				rest := tr.losses(t, run, trainSave, trainSteps)
				got = append(got, rest...)
				if r, err := compare.Slices(got, want, limit); err != nil {
					t.Errorf("losses: %v", err)
				} else {
					t.Logf("losses use %.2g of the limit", r.Share)
				}
				tr.download(t, dev)
				for _, par := range tr.params {
					if _, err := compare.Slices(par.Data, final.Of(tr.Variable(par)), limit); err != nil {
						t.Errorf("final %s[%d][%d]: %v", par.Name, par.Rows, par.Cols, err)
					}
				}
				tr.upload(t, dev, saved)
				if again := tr.losses(t, run, trainSave, trainSteps); !slices.Equal(again, rest) {
					t.Error("going on from saved parameters gives other losses")
				}
			})
		}
	}
}

func (r *recorder) free(t *testing.T, dev program.Device, run program.Run) {
	if err := run.Close(); err != nil {
		t.Error(err)
	}
	for _, par := range r.params {
		dev.Forget(par)
	}
}

// download brings all parameters into their Data and gives a copy of them.
func (tr *trainer) download(t *testing.T, dev program.Device) [][]float32 {
	var all [][]float32
	for _, par := range tr.params {
		must(t, dev.Download(par))
		all = append(all, slices.Clone(par.Data))
	}
	return all
}

func (tr *trainer) upload(t *testing.T, dev program.Device, values [][]float32) {
	for i, par := range tr.params {
		copy(par.Data, values[i])
		must(t, dev.Upload(par))
	}
}
