package nn

import (
	"bufio"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
)

// Architecture is a network without its values, as a file of layers has it. Each line is a layer
//
//	[NAME =] KIND SETTINGS [from NAME, NAME...]
//
// that reads the layer of the line before it, the first one the first input, or what the names
// say. What follows a # is a comment. The last layer, one dense unit for each class, comes by
// itself. Lines
//
//	input NAME SHAPE
//
// before the layers divide what the network sees into inputs, like input picture 28x28x1.
type Architecture struct {
	Name string
	text string
}

// kinds are those that a file of layers can name, and how.
var kinds = []struct {
	name, usage string
	read        func(w *words) Kind
}{
	{"dense", "dense UNITS [NONLINEARITY], like dense 128 relu", readDense},
	{"convolution", "convolution HEIGHTxWIDTH FILTERS [NONLINEARITY] [stride N] [padding N|same] [dilation N] [groups N|depthwise], like convolution 5x5 32 relu", readConvolution},
	{"max-pooling", "max-pooling SIDE [stride N] [padding N|same], like max-pooling 2", readMaxPooling},
	{"average-pooling", "average-pooling SIDE [stride N] [padding N|same], like average-pooling 2", readAveragePooling},
	{"global-pooling", "global-pooling average|max", readGlobalPooling},
	{"batch-normalisation", "batch-normalisation [NONLINEARITY] [epsilon E]", readBatchNormalisation},
	{"elementwise", "elementwise NONLINEARITY, like elementwise relu", readElementwise},
	{"add", "add [NONLINEARITY] from NAME, NAME", readAdd},
	{"concatenate", "concatenate from NAME, NAME", readConcatenate},
	{"dropout", "dropout PROBABILITY, like dropout 0.5", readDropout},
	{"reshape", "reshape HEIGHTxWIDTHxCHANNELS, or reshape VALUES", readReshape},
}

// readKind reads the words of a layer.
func readKind(line []string) (Kind, error) {
	var known []string
	for _, k := range kinds {
		if k.name == line[0] {
			w := &words{left: line[1:]}
			kind := k.read(w)
			if err := w.end(); err != nil {
				return nil, fmt.Errorf("%w; write %s", err, k.usage)
			}
			return kind, nil
		}
		known = append(known, k.name)
	}
	return nil, fmt.Errorf("%q is no kind of layer; use one of %s", line[0], strings.Join(known, ", "))
}

//go:embed architectures
var builtIns embed.FS

// Architectures lists the names of those that are built in.
func Architectures() []string {
	files, err := builtIns.ReadDir("architectures")
	if err != nil {
		panic("nn: " + err.Error()) // it is embedded
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".txt"))
	}
	return names
}

// largestArchitecture bounds a file of layers in bytes, and mostLayers what it says.
const (
	largestArchitecture = 1 << 20
	mostLayers          = 10_000
)

// LoadArchitecture finds an architecture by the name of a built-in one or of a file.
func LoadArchitecture(name string) (Architecture, error) {
	if slices.Contains(Architectures(), name) {
		text, err := builtIns.ReadFile("architectures/" + name + ".txt")
		return Architecture{name, string(text)}, err
	}
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return Architecture{}, fmt.Errorf("there is no network %q; use one of %s, or a file that says the layers", name, strings.Join(Architectures(), ", "))
	}
	if err != nil {
		return Architecture{}, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, largestArchitecture+1))
	if err != nil {
		return Architecture{}, fmt.Errorf("%s cannot be read: %w", name, errors.Unwrap(err))
	}
	if len(text) > largestArchitecture {
		return Architecture{}, fmt.Errorf("%s is no file of layers: it is larger than %d KB", name, largestArchitecture>>10)
	}
	return Architecture{path.Base(name), string(text)}, nil
}

// Network makes the network without values: see Network.Initialise. input is what it sees unless
// the file divides that. An error names the line and says what to write instead.
func (a Architecture) Network(input Shape, classes int) (Network, error) {
	g := grower{net: Network{Inputs: []Input{{Name: "input", Shape: input}}}, shapes: []Shape{input}, names: map[string]int{"input": 0}}
	scanner := bufio.NewScanner(strings.NewReader(a.text))
	scanner.Buffer(nil, largestArchitecture+1)
	for number := 1; scanner.Scan(); number++ {
		line, _, _ := strings.Cut(scanner.Text(), "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if err := g.line(fields); err != nil {
			return Network{}, fmt.Errorf("%s, line %d: %w", a.Name, number, err)
		}
	}
	if len(g.net.Layers) == 0 {
		return Network{}, fmt.Errorf("%s has no layers; write one a line, like dense 128 relu", a.Name)
	}
	if g.net.Width() != input.Size() {
		return Network{}, fmt.Errorf("%s has inputs of %d values, and what is to be seen has %d; choose other features, or change its input lines", a.Name, g.net.Width(), input.Size())
	}
	err := g.add(Dense{Units: classes}, []int{len(g.shapes) - 1})
	if err == nil {
		err = g.net.unread()
	}
	if err != nil {
		return Network{}, fmt.Errorf("%s: %w", a.Name, err)
	}
	return g.net, nil
}

// grower is a network while its lines are read.
type grower struct {
	net     Network
	shapes  []Shape        // of its values
	names   map[string]int // their numbers
	divided bool           // input lines have been read
}

func (g *grower) line(fields []string) error {
	if fields[0] == "input" && !(len(fields) > 1 && fields[1] == "=") {
		return g.input(fields[1:])
	}
	name := ""
	if len(fields) > 1 && fields[1] == "=" {
		if name, fields = fields[0], fields[2:]; len(fields) == 0 {
			return errors.New("a layer is missing after the =, like: first = dense 128 relu")
		}
		if _, taken := g.names[name]; taken {
			return fmt.Errorf("the name %s is taken; use another", name)
		}
	}
	from := []int{len(g.shapes) - 1}
	if len(g.net.Layers) == 0 {
		from[0] = 0
	}
	if at := slices.Index(fields, "from"); at > 0 {
		var err error
		if from, err = g.numbers(fields[at+1:]); err != nil {
			return err
		}
		fields = fields[:at]
	}
	kind, err := readKind(fields)
	if err != nil {
		return err
	}
	if name != "" {
		g.names[name] = len(g.shapes)
	}
	return g.add(kind, from)
}

// input reads a line like: input picture 28x28x1.
func (g *grower) input(fields []string) error {
	w := &words{left: fields}
	in := Input{Name: w.must("the name"), Shape: w.shape()}
	if err := w.end(); err != nil {
		return fmt.Errorf("%w; write input NAME SHAPE, like input picture 28x28x1", err)
	}
	if len(g.net.Layers) > 0 {
		return errors.New("inputs come before all layers; move it up")
	}
	if !g.divided {
		g.net.Inputs, g.shapes, g.names, g.divided = nil, nil, map[string]int{}, true
	}
	if _, taken := g.names[in.Name]; taken {
		return fmt.Errorf("the name %s is taken; use another", in.Name)
	}
	g.names[in.Name] = len(g.shapes)
	g.net.Inputs, g.shapes = append(g.net.Inputs, in), append(g.shapes, in.Shape)
	return nil
}

// numbers are those of the values with these names, which commas may follow.
func (g *grower) numbers(names []string) ([]int, error) {
	var all []int
	for _, name := range strings.FieldsFunc(strings.Join(names, " "), func(r rune) bool { return r == ',' || r == ' ' }) {
		number, ok := g.names[name]
		if !ok {
			return nil, fmt.Errorf("nothing above is called %q; give a line that name, like %s = dense 128 relu", name, name)
		}
		all = append(all, number)
	}
	if len(all) == 0 {
		return nil, errors.New("a name is missing after from")
	}
	return all, nil
}

// add appends a layer that fits what it reads.
func (g *grower) add(kind Kind, from []int) error {
	l := Layer{Kind: kind, From: from}
	s, err := l.shape(g.shapes)
	if err != nil {
		return err
	}
	if len(g.net.Layers) == mostLayers {
		return fmt.Errorf("there are more than %d layers", mostLayers)
	}
	g.net.Layers, g.shapes = append(g.net.Layers, l), append(g.shapes, s)
	return nil
}
