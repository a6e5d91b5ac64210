package nn

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"inkshade/glcompute"
	"inkshade/glcompute/cpu"
	"inkshade/recognizer/budget/budgettest"
)

func TestBuiltInArchitectures(t *testing.T) {
	want := map[string]int{"lenet": 832 + 51264 + 1024*128 + 128 + 1290}
	const maps = 512 + 644 + 14*14*10 + 28*28 // values of gradient+pen+maps
	input := map[string]Shape{"strokes": Vector(maps), "strokes-wide": Vector(maps), "directions": Vector(16 * 16 * 8)}
	for _, name := range Architectures() {
		a, err := LoadArchitecture(name)
		if err != nil {
			t.Fatal(err)
		}
		see, ok := input[name]
		if !ok {
			see = Shape{28, 28, 1}
		}
		net, err := a.Network(see, 10)
		if err != nil {
			t.Fatal(err)
		}
		if err := net.Initialise(1); err != nil {
			t.Fatal(err)
		}
		if err := net.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n := want[name]; n > 0 && net.Parameters() != n {
			t.Errorf("%s has %d parameters, want %d", name, net.Parameters(), n)
		}
	}
}

// What a kind says of itself is what a file of layers can say.
func TestKindsReadThemselves(t *testing.T) {
	uneven := glcompute.Window{KernelHeight: 3, KernelWidth: 2, StrideY: 2, StrideX: 1, Top: 1, Bottom: 2, DilationY: 1, DilationX: 3}
	plain := glcompute.Window{KernelHeight: 2, KernelWidth: 2, StrideY: 2, StrideX: 2, DilationY: 1, DilationX: 1}
	for _, k := range []Kind{
		Dense{Units: 7},
		Dense{Units: 7, Function: "gelu"},
		Convolution{Filters: 3, Window: uneven, Groups: 3, Function: "relu"},
		Convolution{Filters: 1, Window: plain, Depthwise: true},
		Pooling{Window: plain},
		Pooling{Mean: true, Window: uneven},
		Pooling{},
		Pooling{Mean: true},
		BatchNormalisation{Function: "relu", Epsilon: 0.001},
		Elementwise{Name: "elu"},
		Add{Function: "relu"},
		Concatenate{},
		Dropout{Rate: 0.25},
		Reshape{To: Shape{2, 3, 4}},
		Reshape{To: Vector(5)},
	} {
		got, err := readKind(strings.Fields(k.String()))
		if err != nil || !reflect.DeepEqual(got, k) {
			t.Errorf("%s was read as %v, error %v", k, got, err)
		}
	}
}

func TestArchitectureText(t *testing.T) {
	a := Architecture{"file", `# a comment
input picture 6x6x1
input pen 3

seen = convolution 3x3 4 relu padding same stride 2 # half as large
more = convolution 3x3 4 padding same from seen
add relu from seen, more
global-pooling average
concatenate from pen, seen2
`}
	if _, err := a.Network(Vector(39), 2); err == nil || !strings.Contains(err.Error(), `line 9: nothing above is called "seen2"`) {
		t.Errorf("got %v", err)
	}
	a.text = strings.Replace(a.text, "global", "seen2 = global", 1)
	net, err := a.Network(Vector(39), 2)
	if err != nil {
		t.Fatal(err)
	}
	if got := net.Layers[4].From; !reflect.DeepEqual(got, []int{1, 5}) || net.Layers[5].Kind != (Dense{Units: 2}) {
		t.Errorf("got %+v", net)
	}
	shapes, err := net.Shapes()
	if err != nil || shapes[2] != (Shape{3, 3, 4}) || shapes[6] != Vector(7) {
		t.Errorf("shapes %v, error %v", shapes, err)
	}
}

// Every mistake is told with its line and what to write instead.
func TestArchitectureMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "has no layers; write one a line",
		"dens 5":                          `line 1: "dens" is no kind of layer; use one of add, average-pooling`,
		"dense":                           "line 1: the number of units is missing; write dense UNITS",
		"\n\ndense 0":                     `line 3: the number of units is "0", want a whole number from 1`,
		"dense 5 step":                    `no nonlinearity "step"; use one of identity, tanh`,
		"dense 5 relu relu":               `"relu" is not understood`,
		"dense 9999999999":                "want a whole number",
		"convolution 9x9 4":               "does not fit an image of 4 x 4",
		"convolution 3x3x3 4":             "want a number or HEIGHTxWIDTH",
		"convolution 3x3 4 stride":        "a value is missing after stride",
		"convolution 3x3 4 padding 1,2":   "want TOP,LEFT,BOTTOM,RIGHT",
		"convolution 3x3 4 groups 3":      "cannot be divided into 3 groups",
		"dropout 1":                       "want a number from 0 to below 1",
		"global-pooling":                  "average or max is missing",
		"global-pooling sum":              `"sum" is neither average nor max`,
		"reshape 5":                       "do not fit the shape 5",
		"reshape 2x2":                     "want HEIGHTxWIDTHxCHANNELS",
		"dense 5 from":                    "a name is missing after from",
		"dense 5 from up":                 `nothing above is called "up"; give a line that name`,
		"add":                             "reads 1 values, want at least 2",
		"a = dense 5\na = dense 5":        "line 2: the name a is taken",
		"a =":                             "a layer is missing after the =",
		"a = dense 5\ndense 6 from input": "layer 1 (dense 5): no layer reads its result",
		"dense 5\ninput a 4":              "line 2: inputs come before all layers",
		"input a\ndense 5":                "line 1: the shape is missing; write input NAME SHAPE",
		"input a 4\ndense 5":              "has inputs of 4 values, and what is to be seen has 16",
		"input a 8\ninput b 8\ndense 5":   "no layer reads input 2",
		"reshape 16\ndense 1048576\ndense 1048576": "", // too many parameters are told where samples are known
	} {
		_, err := Architecture{"file", text}.Network(Shape{4, 4, 1}, 2)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

// A small file of layers asks neither for gigabytes nor for work without end, not even where it is prepared for training.
func TestHostileArchitectures(t *testing.T) {
	dev, err := cpu.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	for name, c := range map[string]struct{ text, want string }{
		"sum of many":         {"a = dense 5\nadd from " + strings.Repeat("a, ", 7000) + "a", "it reads 7001 values; at most 1000 are possible"},
		"sum of a thousand":   {"a = dense 5\nadd from " + strings.Repeat("a, ", 999) + "a", ""},
		"sums of sums":        {"a0 = dense 5\n" + sums(100), ""},
		"concatenated":        {"a = dense 5\nconcatenate from " + strings.Repeat("a, ", 300_000) + "a", "it reads 300001 values"},
		"layers":              {strings.Repeat("dense 1\n", 10_000), "more than 2000 layers"},
		"layers that do":      {strings.Repeat("dense 1 tanh\n", 1900), ""},
		"values":              {strings.Repeat("convolution 1x1 4096\n", 100), "compute more than 67108864 values of one sample"},
		"a long word":         {strings.Repeat("n", 1<<20-1), "is no kind of layer"},
		"a long name of one":  {"dense 5 from " + strings.Repeat("n", 1<<19), "nothing above is called"},
		"a long nonlinearity": {"dense 5 " + strings.Repeat("n", 1<<19), "there is no nonlinearity"},
	} {
		t.Run(name, func(t *testing.T) {
			net, err := Architecture{"file", c.text}.Network(Shape{28, 28, 1}, 2)
			if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || len(err.Error()) > 600) {
				t.Fatalf("error %.600v, want %q", err, c.want)
			}
			if err != nil {
				return
			}
			if err := net.Initialise(1); err != nil {
				t.Fatal(err)
			}
			params := NewParameters(net)
			s, err := NewSteps(dev, OptimiserState{Batch: 2, Params: params, Momenta: params.Zeros()})
			if err != nil {
				t.Fatal(err)
			}
			s.Close()
		})
	}
}

// sums are layers that each add what the one before gives twice.
func sums(n int) (text string) {
	for i := range n {
		text += fmt.Sprintf("a%d = add from a%d, a%[2]d\n", i+1, i)
	}
	return text
}

func TestLoadArchitecture(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.txt")
	if err := os.WriteFile(path, []byte("\ufeffdense 5 relu\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := LoadArchitecture(path)
	if err != nil || a.Name != "mine.txt" {
		t.Fatalf("%+v, %v", a, err)
	}
	if _, err := a.Network(Shape{28, 28, 1}, 3); err != nil {
		t.Errorf("a mark of the byte order begins it: %v", err)
	}
	if _, err := LoadArchitecture("lenett"); err == nil || !strings.Contains(err.Error(), "use one of directions, lenet") {
		t.Errorf("got %v", err)
	}
	folder := filepath.Dir(path)
	if _, err := LoadArchitecture(folder); err == nil || !strings.HasPrefix(err.Error(), folder+" cannot be read: ") {
		t.Errorf("of a folder: %v", err)
	}
}

// Whatever is read gives a network that fits together, or an error.
func FuzzArchitecture(f *testing.F) {
	for _, name := range Architectures() {
		a, err := LoadArchitecture(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(a.text)
	}
	f.Add("input a 4x4x1\ninput b 768\nx = convolution 3x3 1 depthwise padding same dilation 2\nconcatenate from x, x\nbatch-normalisation epsilon 0.1")
	f.Add("convolution 1x1 1048576 padding 1048576\nreshape 1048576x1048576x1048576")
	f.Fuzz(func(t *testing.T, text string) {
		var net Network
		var err error
		budgettest.Within(t, func() { net, err = Architecture{"file", text}.Network(Shape{28, 28, 1}, 3) })
		if err != nil {
			return
		}
		if _, err := net.Shapes(); err != nil {
			t.Fatalf("%q was read, but: %v", text, err)
		}
		reads := net.Classes() == 3 && net.Width() == 784
		if lines := strings.Contains(text, lastOfLines); !reads && !(lines && net.Classes() == 4) {
			t.Fatalf("%q gives %d values for %d", text, net.Classes(), net.Width())
		}
	})
}
