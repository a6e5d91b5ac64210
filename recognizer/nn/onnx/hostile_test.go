package onnx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"inkshade/glcompute"
	"inkshade/recognizer/budget"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx/internal/graph"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// large is the side of a vector as large as a value may be.
const large = 1 << 25

// hostile are small files that ask for gigabytes or for work without end, with what the refusal says; "" where the file is
// taken.
func hostile() map[string]struct {
	model *onnxpb.ModelProto
	want  string
} {
	type file = struct {
		model *onnxpb.ModelProto
		want  string
	}
	files := map[string]file{}
	add := func(name, want string, make func(e *export) string, dims ...any) {
		if dims == nil {
			dims = []any{"N", 784}
		}
		e := newExport(13, dims...)
		v := make(e)
		files[name] = file{e.finished(v), want}
	}
	dense := func(e *export, v string) string { return e.add("Gemm", v, e.weights(784, 10)) }
	span := func(e *export) string { return e.add("Range", one(0), one(large), one(1)) }

	add("Range 16 times", "MB of memory", func(e *export) string {
		for range 16 {
			span(e)
		}
		return dense(e, "x")
	})
	add("Cast 16 times", "MB of memory", func(e *export) string {
		v := e.add("ConstantOfShape", list(large))
		for range 16 {
			v = e.add("Cast", v, attr("to", int(int64s)))
			v = e.add("Cast", v, attr("to", int(float)))
		}
		return dense(e, "x")
	})
	add("Mul of itself", "", func(e *export) string {
		v := dense(e, "x")
		for range 27 {
			v = e.add("Mul", v, v)
		}
		return v
	})
	add("Add of itself", "", func(e *export) string {
		v := dense(e, "x")
		for range 27 {
			v = e.add("Add", v, v)
		}
		return v
	})
	add("Mul of itself, constant", "no finite number", func(e *export) string {
		v := e.store(e.weights(784))
		for range 27 {
			v = e.add("Mul", v, v)
		}
		return dense(e, e.add("Add", "x", v))
	})
	add("Where of itself", "", func(e *export) string {
		v := dense(e, "x")
		for range 27 {
			v = e.add("Where", v, v, v)
		}
		return v
	})
	for n, want := range map[int]string{5000: "", 20_001: "more than 20000 operations"} {
		for _, name := range []string{"Sum", "Max"} {
			add(fmt.Sprintf("%s of %d alike", name, n), want, func(e *export) string {
				x := e.add("Relu", dense(e, "x"))
				args := []any{}
				for range n {
					args = append(args, x)
				}
				return e.add(name, args...)
			})
		}
	}
	add("Sum of a million", "more than", func(e *export) string {
		args := slices.Repeat([]any{"x"}, 1_000_000)
		return e.add("Sum", args...)
	}, "N", 16)
	add("Split into 5,000", "MB of memory", func(e *export) string {
		e.add("Split", e.add("ConstantOfShape", list(5000*(large/5000))))
		for range 4999 {
			e.also()
		}
		return dense(e, "x")
	})
	add("Concat of 40,000", "it reads 40000 values; at most 1000", func(e *export) string {
		v := e.add("Concat", append(slices.Repeat([]any{"x"}, 40_000), attr("axis", 1))...)
		return e.add("Gemm", e.add("ReduceMax", v, attr("axes", []int{1})), e.weights(1, 10))
	})
	add("Gather of a large constant, again and again", "million steps", func(e *export) string {
		v, at := e.add("ConstantOfShape", list(large)), list(0)
		for range 5000 {
			e.add("Gather", v, at)
		}
		return dense(e, "x")
	})
	add("shapes of a large constant", "MB of memory", func(e *export) string {
		v := e.add("ConstantOfShape", list(large))
		for range 5000 {
			e.add("Expand", "x", v)
		}
		return dense(e, "x")
	})
	add("a formula of large constants", "million steps", func(e *export) string {
		v := e.add("ConstantOfShape", list(1<<22))
		for range 5000 {
			e.add("Mish", v)
		}
		return dense(e, "x")
	})
	add("a chain of 9,000", "more than 2000 layers", func(e *export) string {
		v := dense(e, "x")
		for i := range 9000 {
			v = e.add([]string{"Relu", "Neg", "Tanh"}[i%3], v)
		}
		return v
	})
	add("9,000 residuals", "", func(e *export) string {
		v := dense(e, "x")
		for range 4500 {
			v = e.add("Add", e.add("Tanh", v), v)
		}
		return v
	})
	add("9,000 dense layers of one unit", "more than 2000 layers", func(e *export) string {
		v, w := e.add("Gemm", "x", e.weights(784, 1)), e.store(e.weights(1, 1))
		for range 4500 {
			v = e.add("Tanh", e.add("MatMul", v, w))
		}
		return e.add("Gemm", v, e.weights(1, 10))
	})
	add("transposes of a large picture", "", func(e *export) string {
		v := "x"
		for range 15 {
			v = e.add("Transpose", v, attr("perm", []int{0, 1, 3, 2}))
		}
		return e.add("Gemm", e.add("Flatten", e.add("GlobalMaxPool", v)), e.weights(1, 10))
	}, "N", 1, 1024, 2048)
	add("open sizes", "the operator LSTM", func(e *export) string {
		for range 30 {
			e.add("Exp", e.add("ConstantOfShape", list(1<<16)))
		}
		return e.add("LSTM", "x")
	}, "N", "M")

	call := func(name, want string, f *onnxpb.FunctionProto, calls int, more ...*onnxpb.FunctionProto) {
		add(name, want, func(e *export) string {
			f.Domain = proto.String("own")
			e.model.Functions = append(more, f)
			for range calls {
				e.add(f.GetName(), "x")
				e.model.Graph.Node[len(e.model.Graph.Node)-1].Domain = f.Domain
			}
			return dense(e, "x")
		})
	}
	relu := func(from, to string) *onnxpb.NodeProto {
		return &onnxpb.NodeProto{OpType: proto.String("Relu"), Input: []string{from}, Output: []string{to}}
	}
	long := strings.Repeat("n", 1<<20)
	call("functions with long names", "", &onnxpb.FunctionProto{
		Name: proto.String("f"), Input: []string{"a"}, Output: []string{"b"}, Node: []*onnxpb.NodeProto{
			{OpType: &long, Domain: proto.String("own"), Input: []string{"a"}, Output: []string{"b"}},
		},
	}, 2000, &onnxpb.FunctionProto{
		Name: &long, Domain: proto.String("own"), Input: []string{"a"}, Output: []string{"b"}, Node: []*onnxpb.NodeProto{relu("a", "c"), relu("c", "b")},
	})
	call("functions with long names of values", "million steps", &onnxpb.FunctionProto{
		Name: proto.String("f"), Input: []string{"a"}, Output: []string{"b"}, Node: []*onnxpb.NodeProto{relu("a", long), relu(long, "b")},
	}, 3000)
	call("functions with many names", "MB of memory", &onnxpb.FunctionProto{
		Name: proto.String("f"), Input: []string{"a"}, Output: []string{"b"},
		Node: []*onnxpb.NodeProto{{OpType: proto.String("Sum"), Input: slices.Repeat([]string{"a"}, 1<<20), Output: []string{"b"}}},
	}, 3000)
	values := tensor("", make([]float32, 1<<20), 1<<20)
	call("functions with many values", "", &onnxpb.FunctionProto{
		Name: proto.String("f"), Input: []string{"a"}, Output: []string{"b"}, Node: []*onnxpb.NodeProto{
			{OpType: proto.String("Constant"), Output: []string{"b"}, Attribute: []*onnxpb.AttributeProto{{Name: proto.String("value"), T: values}}},
		},
	}, 3000)
	call("functions with many small values", "MB of memory", &onnxpb.FunctionProto{
		Name: proto.String("f"), Input: []string{"a"}, Output: []string{"b"}, Node: []*onnxpb.NodeProto{
			{OpType: proto.String("Constant"), Output: []string{"b"}, Attribute: []*onnxpb.AttributeProto{{Name: proto.String("value_floats"), Floats: make([]float32, 1<<20)}}},
		},
	}, 3000)
	add("an operator's long name", "is not understood", func(e *export) string {
		return e.add(strings.Repeat("n", 20<<20), "x")
	})
	add("long names of values and nodes", "stored in the file", func(e *export) string {
		v := e.add("Gemm", "x", strings.Repeat("n", 20<<20))
		e.model.Graph.Node[0].Name = proto.String(strings.Repeat("n", 20<<20))
		return v
	})
	add("letters beyond ASCII", "equation", func(e *export) string {
		return e.add("Einsum", "x", e.weights(10, 7, 5), attr("equation", "éa,ab->éb"))
	}, "N", 28, 10)
	return files
}

// No small file takes gigabytes or works without end, not even when what was read of it is prepared for use, and what is said
// of it is short.
func TestHostile(t *testing.T) {
	dev, err := glcompute.Open(glcompute.CPU)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	for name, c := range hostile() {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "a formula") && testing.Short() {
				t.Skip("it takes all its time")
			}
			data := encode(t, c.model)
			c.model = nil
			begin := time.Now()
			var m *nn.Model
			var err error
			peak, all := memory(func() {
				if m, err = Read(t.Context(), bytes.NewReader(data)); err != nil {
					return
				}
				inference, err := nn.NewInference(dev, m.Network)
				if err == nil {
					err = inference.Prepare(1)
					inference.Close()
				}
				if err != nil {
					t.Errorf("it was read, but: %v", err)
				}
			})
			said, took := fmt.Sprint(err), time.Since(begin)
			t.Logf("%d KB: %v, %d MB at most, %d MB in all: %s", len(data)>>10, took.Round(time.Millisecond), peak>>20, all>>20, said)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(said, c.want) || len(said) > 600 || errors.Is(err, graph.ErrUnforeseen) {
				t.Errorf("error of %d bytes %.600q, want %q", len(said), said, c.want)
			}
			if peak > mostPeak || took > mostTime {
				t.Errorf("it took %v and %d MB", took, peak>>20)
			}
		})
	}
}

// mostPeak is the budget of a file, and what is dropped and not yet collected. mostTime is four times what the budget of steps
// takes on a machine that does nothing else.
const (
	mostPeak = 2 * budget.Bytes
	mostTime = 40 * time.Second
)

// An interrupt ends the reading where it is, even while one formula is computed, and its cause is what is said.
func TestReadingEndsWithItsContext(t *testing.T) {
	data := encode(t, hostile()["a formula of large constants"].model)
	because := errors.New("interrupted")
	ctx, stop := context.WithCancelCause(t.Context())
	begun := make(chan bool)
	go func() {
		<-begun
		stop(because)
	}()
	_, err := Read(ctx, &signalling{bytes.NewReader(data), sync.OnceFunc(func() { close(begun) })})
	if !errors.Is(err, because) {
		t.Errorf("error %v, want %v", err, because)
	}
}

// Several models that share a budget are counted together in steps, and one by one in bytes.
func TestOneBudgetForSeveralModels(t *testing.T) {
	shared, data := budget.New(t.Context()), encode(t, hostile()["9,000 residuals"].model)
	err := shared.Spend(0, budget.Steps/4*3) // by those that were read before
	read := 0
	for ; err == nil && read < 1000; read++ {
		_, err = ReadWithin(shared, bytes.NewReader(data))
	}
	if err == nil || !strings.Contains(err.Error(), "million steps") || read < 3 {
		t.Errorf("after %d models: %v", read, err)
	}
	if shared.Left() != budget.Bytes {
		t.Errorf("%d MB are left", shared.Left()>>20)
	}
}

// signalling reports when all has been read.
type signalling struct {
	*bytes.Reader
	done func()
}

func (s *signalling) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil {
		s.done()
	}
	return n, err
}

// Many constants that name the same part of a file beside the model are counted each.
func TestOneFileBesideReadAgainAndAgain(t *testing.T) {
	folder := t.TempDir()
	e := newExport(13, "N", 784)
	for i := range 60 {
		w := &onnxpb.TensorProto{Name: proto.String(fmt.Sprint("w", i)), Dims: []int64{4 << 20}, DataType: proto.Int32(float)}
		beside(w, "w.data", 0)
		e.add("Relu", e.store(w))
	}
	file := e.finished(e.add("Gemm", "x", e.weights(784, 10)))
	path := filepath.Join(folder, "model.onnx")
	if err := errors.Join(os.WriteFile(path, encode(t, file), 0o600), os.WriteFile(filepath.Join(folder, "w.data"), make([]byte, 16<<20), 0o600)); err != nil {
		t.Fatal(err)
	}
	var err error
	peak, _ := memory(func() { _, err = ReadFile(t.Context(), path, "") })
	if err == nil || !strings.Contains(err.Error(), "more than 512 MB") || peak > mostPeak {
		t.Errorf("%d MB, error %v", peak>>20, err)
	}
}

// What no reader foresaw is an error that says so.
func TestUnforeseen(t *testing.T) {
	do := func() (err error) {
		defer graph.Recovered(&err)
		var none []int
		return fmt.Errorf("%d", none[len(none)])
	}
	if err := do(); !errors.Is(err, graph.ErrUnforeseen) || !strings.Contains(err.Error(), "index out of range") {
		t.Errorf("error %v", err)
	}
}

// memory is the most that the heap had while the work went on, and all that was allocated.
func memory(work func()) (most, all uint64) {
	runtime.GC()
	done := make(chan bool)
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	before, begun := sample[0].Value.Uint64(), sample[1].Value.Uint64()
	go func() {
		defer close(done)
		work()
	}()
	for {
		metrics.Read(sample)
		most = max(most, sample[0].Value.Uint64())
		select {
		case <-done:
			return most - min(before, most), sample[1].Value.Uint64() - begun
		case <-time.After(time.Millisecond):
		}
	}
}
