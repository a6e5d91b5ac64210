package nn

import (
	"embed"
	"errors"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
	"inkshade/recognizer/files"
)

// Architecture is a network without its values, as a file of layers has it. Each line is a layer
//
//	[NAME =] KIND SETTINGS [from NAME, NAME...]
//
// that reads the layer of the line before it, the first one the first input, or what the names
// say. What follows a # is a comment. The last layer, one dense unit for each class, comes by
// itself, or after a line classes-and-blank, the last of a network that reads lines, one for each class and the blank in every column. Lines
//
//	input NAME SHAPE
//
// before the layers divide what the network sees into inputs, like input picture 28x28x1.
type Architecture struct {
	Name string
	text string
}

//go:embed architectures
var builtIns embed.FS

// Architectures lists the names of those that are built in.
func Architectures() []string {
	var names []string
	for _, f := range glcompute.Must(builtIns.ReadDir("architectures")) {
		names = append(names, strings.TrimSuffix(f.Name(), ".txt"))
	}
	return names
}

// largestArchitecture bounds a file of layers in bytes.
const largestArchitecture = 1 << 20

// LoadArchitecture finds an architecture by the name of a built-in one or of a file.
func LoadArchitecture(name string) (Architecture, error) {
	if slices.Contains(Architectures(), name) {
		text, err := builtIns.ReadFile("architectures/" + name + ".txt")
		return Architecture{name, string(text)}, err
	}
	f, err := files.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return Architecture{}, message.Errorf("there is no network %.60q; use one of %s, or a file that says the layers", name, strings.Join(Architectures(), ", "))
	}
	var text []byte
	if err == nil {
		defer f.Close()
		text, err = io.ReadAll(io.LimitReader(f, largestArchitecture+1))
	}
	if err != nil {
		return Architecture{}, message.Errorf("%s cannot be read: %w", name, files.Cause(err))
	}
	if len(text) > largestArchitecture {
		return Architecture{}, message.Errorf("%s is no file of layers: it is larger than %d KB", name, largestArchitecture>>10)
	}
	return Architecture{path.Base(name), strings.TrimPrefix(string(text), "\ufeff")}, nil
}

// ReadsLines tells whether it is that of a network that reads lines.
func (a Architecture) ReadsLines() bool {
	for line := range strings.Lines(a.text) {
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == lastOfLines {
			return true
		}
	}
	return false
}

// Network makes the network without values: see Network.Initialise. input is what it sees unless
// the file divides that. An error names the line and says what to write instead.
func (a Architecture) Network(input Shape, classes int) (Network, error) {
	g := grower{net: Network{Inputs: []Input{{Name: "input", Shape: input}}}, shapes: []Shape{input}, names: map[string]int{"input": 0}}
	number := 0
	for line := range strings.Lines(a.text) {
		number++
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if err := g.line(fields); err != nil {
			return Network{}, message.Errorf("%s, line %d: %w", a.Name, number, err)
		}
	}
	if len(g.net.Layers) == 0 {
		return Network{}, message.Errorf("%s has no layers; write one a line, like dense 128 relu", a.Name)
	}
	if g.net.Width() != input.Size() && !g.blank {
		return Network{}, message.Errorf("%s has inputs of %d values, and what is to be seen has %d; choose other features, or change its input lines", a.Name, g.net.Width(), input.Size())
	}
	var last Kind = Dense{Units: classes}
	if g.blank {
		one := glcompute.Window{KernelHeight: 1, KernelWidth: 1, StrideY: 1, StrideX: 1, DilationY: 1, DilationX: 1}
		last = Convolution{Filters: classes + 1, Window: one}
	}
	err := g.add(last, []int{len(g.shapes) - 1})
	if err == nil {
		_, err = g.net.Shapes()
	}
	if err == nil {
		err = g.net.unread()
	}
	if err != nil {
		return Network{}, message.Errorf("%s: %w", a.Name, err)
	}
	return g.net, nil
}

// grower is a network while its lines are read.
type grower struct {
	net     Network
	shapes  []Shape        // of its values
	names   map[string]int // their numbers
	divided bool           // input lines have been read
	blank   bool           // the line classes-and-blank has
}

func (g *grower) line(fields []string) error {
	if fields[0] == "input" && !(len(fields) > 1 && fields[1] == "=") {
		return g.input(fields[1:])
	}
	if g.blank {
		return message.Errorf("%s is the last line; move it down", lastOfLines)
	}
	if g.blank = fields[0] == lastOfLines && len(fields) == 1; g.blank {
		return nil
	}
	name := ""
	if len(fields) > 1 && fields[1] == "=" {
		if name, fields = fields[0], fields[2:]; len(fields) == 0 {
			return message.Errorf("a layer is missing after the =, like: first = dense 128 relu")
		}
		if _, taken := g.names[name]; taken {
			return message.Errorf("the name %s is taken; use another", name)
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

// lastOfLines is the last line of a network that reads lines.
const lastOfLines = "classes-and-blank"

// input reads a line like: input picture 28x28x1.
func (g *grower) input(fields []string) error {
	w := &words{left: fields}
	in := Input{Name: w.must("the name"), Shape: w.shape()}
	if err := w.end(); err != nil {
		return message.Errorf("%w; write input NAME SHAPE, like input picture 28x28x1", err)
	}
	if len(g.net.Layers) > 0 {
		return message.Errorf("inputs come before all layers; move it up")
	}
	if !g.divided {
		g.net.Inputs, g.shapes, g.names, g.divided = nil, nil, map[string]int{}, true
	}
	if _, taken := g.names[in.Name]; taken {
		return message.Errorf("the name %s is taken; use another", in.Name)
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
			return nil, message.Errorf("nothing above is called %.60q; give a line that name, like %.60s = dense 128 relu", name, name)
		}
		all = append(all, number)
	}
	if len(all) == 0 {
		return nil, message.Errorf("a name is missing after from")
	}
	return all, nil
}

// add appends a layer that fits what it reads.
func (g *grower) add(kind Kind, from []int) error {
	l := Layer{Kind: kind, From: from}
	s, err := l.Shape(g.shapes)
	if err != nil {
		return err
	}
	g.net.Layers, g.shapes = append(g.net.Layers, l), append(g.shapes, s)
	return nil
}
