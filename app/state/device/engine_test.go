package device

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/inputformat"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
)

var drawing = ink.Ink{{{X: 0, Y: 0}, {X: 5, Y: 1}, {X: 3, Y: 12}}}

func model(*testing.T) (*nn.Model, error) {
	features, err := feature.ByName("mnist28")
	if err != nil {
		return nil, err
	}
	return &nn.Model{
		Network:       nn.NewNetwork([]int{features.Size, 16, 3}, "tanh", 1),
		Labels:        []string{"0", "1", "2"},
		Preprocessing: "mnist28",
	}, nil
}

// shader is a processor that passes for an OpenGL device and can be made to fail.
type shader struct {
	glcompute.Device
	kind   glcompute.DeviceKind
	broken *bool
	takes  *time.Duration // of a replay that is measured, where not zero
	closed *int
	rig    *rig
}

type shaderRun struct {
	glcompute.Run
	dev shader
}

func (s shader) Info() glcompute.Info { return glcompute.Info{Kind: s.kind, Name: "test shader"} }

func (s shader) Close() error { *s.closed++; return s.Device.Close() }

func (s shader) Compile(p *glcompute.Program) (glcompute.Run, error) {
	run, err := s.Device.Compile(p)
	return shaderRun{run, s}, err
}

func (r shaderRun) Do(b ...glcompute.Binding) error {
	if *r.dev.broken {
		return glcompute.ErrLost
	}
	return r.Run.Do(b...)
}

func (r shaderRun) Measure(b ...glcompute.Binding) (glcompute.Timing, error) {
	t, err := r.Run.Measure(b...)
	if f := r.dev.rig.replayed; f != nil {
		f(r.dev.kind)
	}
	if takes := *r.dev.takes; takes != 0 {
		t.Upload, t.Compute, t.Readback = 0, takes, 0
	}
	return t, err
}

// rig is an engine whose OpenGL devices are processors in disguise.
type rig struct {
	*Engine
	mu      sync.Mutex
	reports []Status
	missing map[glcompute.DeviceKind]error
	broken  bool
	takes   time.Duration
	closed  int
	// replayed, where it is set, is called after a shader has measured a replay.
	replayed func(glcompute.DeviceKind)
}

func newRig(t *testing.T, kind glcompute.DeviceKind) *rig {
	r := &rig{Engine: New("test", kind, nil), missing: map[glcompute.DeviceKind]error{}}
	shipped := r.load
	r.wordsName = "" // lines are cut
	r.load = func(name string) (*nn.Model, *inputformat.Inferred, error) {
		if name != r.name {
			return shipped(name)
		}
		m, err := model(t)
		return m, nil, err
	}
	r.open = func(k glcompute.DeviceKind) (glcompute.Device, error) {
		if err := r.missing[k]; err != nil {
			return nil, err
		}
		dev, err := glcompute.Open(glcompute.CPU)
		if err != nil || k == glcompute.CPU {
			return dev, err
		}
		return shader{dev, k, &r.broken, &r.takes, &r.closed, r}, nil
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return r
}

func (r *rig) prepare() Status {
	r.Prepare(func(s Status) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.reports = append(r.reports, s)
	})
	return r.last()
}

func (r *rig) last() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reports[len(r.reports)-1]
}

func TestGPUAnswersAndCPUBridgesItsPreparation(t *testing.T) {
	r := newRig(t, glcompute.Auto)
	s := r.prepare()
	if s.Answering != GPU || len(s.Reasons) > 0 || s.GPU.Info.Kind != glcompute.Compute {
		t.Fatalf("status %+v", s)
	}
	bridged := false
	for _, s := range r.reports {
		bridged = bridged || s.Answering == CPU && s.GPU.State == Preparing && len(s.Reasons) == 0
	}
	if !bridged {
		t.Error("the CPU never answered while the GPU was prepared")
	}
	a, by, err := r.Recognize(drawing, false)
	if err != nil || by != GPU || len(a.Candidates) != 3 {
		t.Errorf("answer %v by %s: %v", a.Candidates, by, err)
	}
	for _, side := range []Side{CPU, GPU} {
		if took, err := r.Measure(drawing, side); err != nil || took.Total() <= 0 {
			t.Errorf("%s: %v, %v", side, took, err)
		}
	}
}

func TestFragmentShadersStandInForComputeShaders(t *testing.T) {
	r := newRig(t, glcompute.Auto)
	r.missing[glcompute.Compute] = errors.New("OpenGL 4.3 cannot be had")
	if s := r.prepare(); s.Answering != GPU || s.GPU.Info.Kind != glcompute.Fragment {
		t.Errorf("status %+v", s)
	}
}

func TestCPUStandsInAndSaysEveryReason(t *testing.T) {
	r := newRig(t, glcompute.Auto)
	r.missing[glcompute.Compute] = errors.New("no OpenGL 4.3")
	r.missing[glcompute.Fragment] = errors.New("no OpenGL 3.3")
	s := r.prepare()
	if s.Answering != CPU || message.List(s.Reasons).String() != "no OpenGL 4.3; no OpenGL 3.3" || !s.Settled() {
		t.Errorf("status %+v", s)
	}
	r.missing[glcompute.Fragment] = r.missing[glcompute.Compute]
	r.prepareAll()
	if s = r.last(); message.List(s.Reasons).String() != "no OpenGL 4.3" {
		t.Errorf("one reason for both is said as %q", s.Reasons)
	}
	if _, err := r.Measure(drawing, GPU); err == nil {
		t.Error("a GPU that is not there was timed")
	}
}

func TestLostGPUIsReplacedWithoutLosingTheAnswer(t *testing.T) {
	r := newRig(t, glcompute.Auto)
	r.prepare()
	r.broken = true
	a, by, err := r.Recognize(drawing, false)
	if err != nil || by != CPU || len(a.Candidates) != 3 {
		t.Fatalf("answer %v by %s: %v", a.Candidates, by, err)
	}
	s := r.last()
	if s.GPU.State != Unavailable || !errors.Is(errors.Join(s.Reasons...), glcompute.ErrLost) || s.GPU.Info.Name == "" {
		t.Errorf("status %+v", s)
	}
	if r.closed != 1 {
		t.Errorf("the lost device was closed %d times", r.closed)
	}
}

func TestEmptyInkIsNoReasonToGiveTheGPUUp(t *testing.T) {
	r := newRig(t, glcompute.Auto)
	r.prepare()
	if _, _, err := r.Recognize(ink.Ink{}, false); !errors.Is(err, ink.ErrEmpty) {
		t.Errorf("empty ink: %v", err)
	}
	if s := r.last(); s.Answering != GPU {
		t.Errorf("status %+v", s)
	}
}

// A line is read by the device in charge, too, and what is no fault of the device costs it nothing.
func TestLines(t *testing.T) {
	r := newRig(t, glcompute.Auto)
	r.prepare()
	got, by, err := r.RecognizeLine(t.Context(), drawing, line.Options{})
	if err != nil || len(got.Characters) != 1 || by != GPU {
		t.Fatalf("%+v by the %s, %v", got, by, err)
	}
	if _, err := r.MeasureLine(t.Context(), drawing, line.Options{}, CPU); err != nil {
		t.Error(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := r.RecognizeLine(gone, drawing, line.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, _, err := r.RecognizeLine(t.Context(), nil, line.Options{}); !errors.Is(err, ink.ErrEmpty) {
		t.Errorf("nothing written: %v", err)
	}
	if err := r.Use("letters", labelled(t, "a", "b")); err != nil {
		t.Fatal(err)
	}
	if _, by, err := r.RecognizeLine(t.Context(), drawing, line.Options{Language: line.Digits}); err == nil || by != GPU {
		t.Errorf("letters as digits by the %s: %v", by, err)
	}
	r.broken = true
	if got, by, err := r.RecognizeLine(t.Context(), drawing, line.Options{}); err != nil || len(got.Characters) == 0 || by != CPU {
		t.Errorf("with a lost GPU %+v by the %s, %v", got, by, err)
	}
}

func TestChoices(t *testing.T) {
	r := newRig(t, glcompute.CPU)
	if s := r.prepare(); s.Answering != CPU || s.GPU.State != Ready || len(s.Reasons) > 0 {
		t.Errorf("asked for the CPU: %+v", s)
	}
	r.Choose(ChooseGPU)
	if s := r.last(); s.Answering != GPU || s.Choice != ChooseGPU {
		t.Errorf("chose the GPU: %+v", s)
	}
	for takes, want := range map[time.Duration]Side{time.Hour: CPU, -time.Hour: GPU} {
		r.takes = takes
		r.Choose(ChooseFaster)
		if s := r.last(); s.Answering != want || s.Choice != ChooseFaster {
			t.Errorf("chose the faster one of a GPU that takes %s: %+v", takes, s)
		}
	}
}

func TestModelThatCannotBeReadIsSaid(t *testing.T) {
	r := newRig(t, glcompute.Auto)
	r.load = func(string) (*nn.Model, *inputformat.Inferred, error) {
		return nil, nil, errors.New("digits.onnx is not a model")
	}
	s := r.prepare()
	if s.Answering != "" || !s.Settled() || message.List(s.CPU.Reasons).String() != "digits.onnx is not a model" {
		t.Errorf("status %+v", s)
	}
	if _, _, err := r.Recognize(drawing, false); err == nil {
		t.Error("answered without a model")
	}
}

func TestDeviceReadyAfterCloseIsFreed(t *testing.T) {
	r := newRig(t, glcompute.Compute)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	r.prepare()
	if r.closed != 1 || len(r.sides) != 0 {
		t.Errorf("closed %d devices, holds %d", r.closed, len(r.sides))
	}
}
