package ink

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"inkshade/glcompute/message"
	"inkshade/recognizer/files"
)

func init() {
	Register(Format{
		Name: "InkML", MIME: "application/inkml+xml", Endings: []string{".inkml"}, Shared: []string{".xml"}, Prefix: "<",
		Read: whole(ReadInkML), Write: WriteInkML,
	})
}

// ReadInkML reads W3C InkML (Recommendation of 20 September 2011), plain or gzip'ed. Each
// innermost traceGroup is a sample, with its own traces and those its traceViews name; a
// file without groups is one sample. Annotations of the types label (or truth), writer and
// context say what they say, the writer for all groups within; others become attributes.
//
// Channels X, Y, T (in ms, or s by its units) and F (over its max) are read, any other is
// passed over; values may be absolute or first or second differences. y grows downward
// unless its orientation is -ve. Traces of a pen that is up, and groups and traces within
// definitions, are no ink by themselves. The from and to of a traceView are not heeded.
func ReadInkML(r io.Reader) ([]Labelled, error) {
	b, err := files.Unzip(r)
	if err != nil {
		return nil, err
	}
	text := &boundedReader{r: b, left: maxText, token: maxLine}
	decoder := xml.NewDecoder(text)
	decoder.CharsetReader = decodeXML
	m := inkmlReader{
		left:    newBudget(),
		traces:  map[string][]Stroke{},
		formats: map[string]traceFormat{},
	}
	for {
		token, err := decoder.Token()
		text.token = maxLine
		if errors.Is(err, io.EOF) {
			break
		}
		line, _ := decoder.InputPos()
		if err == nil {
			err = m.token(token)
		} else if broken := (*xml.SyntaxError)(nil); errors.As(err, &broken) {
			line, err = broken.Line, message.Errorf("is no XML: %.200s", broken.Msg)
		} else if unknown := encodingError(""); errors.As(err, &unknown) {
			return nil, unknown
		}
		if err != nil {
			return nil, message.Errorf("line %d %w", line, err)
		}
	}
	return m.finish()
}

// decodeXML reads XML in the encoding that it declares. UTF-16 has been decoded by its mark.
func decodeXML(encoding string, r io.Reader) (io.Reader, error) {
	switch strings.ToLower(encoding) {
	case "utf-16":
		return r, nil
	case "us-ascii", "iso-8859-1", "windows-1252":
		return charmap.Windows1252.NewDecoder().Reader(r), nil
	}
	return nil, encodingError(encoding)
}

// encodingError is the name of an encoding that decodeXML does not know.
type encodingError string

func (e encodingError) Error() string { return e.Message().String() }

// Message is what a person is told.
func (e encodingError) Message() *message.Message {
	return message.Text("the encoding %.40q is not understood; save the file as UTF-8", string(e))
}

// boundedReader ends with an error when more than left bytes are read, or token bytes
// without one.
type boundedReader struct {
	r           io.Reader
	left, token int
}

func (b *boundedReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.left, b.token = b.left-n, b.token-n
	switch {
	case b.left < 0:
		return 0, message.Errorf("passes %d bytes of text, the most a file may hold; split it", maxText)
	case b.token < 0:
		return 0, errTooLong
	}
	return n, err
}

var errTooLong = message.Errorf("has more than %d bytes without a tag; this is no InkML file of samples", maxLine)

// inkGroup is an element that may hold traces: the file itself or a traceGroup.
type inkGroup struct {
	labelled  Labelled
	id        string
	last      string   // id of the last trace
	own       bool     // the last stroke is that of no trace, but put together of several
	all       []Stroke // of its own, also within definitions
	format    traceFormat
	views     []string
	hasGroups bool
	used      bool // has an annotation, a trace or a view
}

type inkmlReader struct {
	open                []inkGroup // ink and the groups around the current token
	path                []string   // names of the open elements
	text                strings.Builder
	start               xml.StartElement       // of the trace or annotation being read
	traces              map[string][]Stroke    // by id, of traces and groups
	formats             map[string]traceFormat // by id, of formats, sources and contexts
	channels            traceFormat            // being read, and the ids it will have
	formatID, contextID string
	sourceID            string
	done                []inkGroup
	left                *budget
}

func (m *inkmlReader) token(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		if len(m.path) == 0 && t.Name.Local != "ink" {
			return message.Errorf("begins with <%.40s>, so this is no InkML; expected <ink>", t.Name.Local)
		}
		if len(m.path) > 100 {
			return message.Errorf("nests more than a hundred elements; this is no InkML file of samples")
		}
		m.path = append(m.path, t.Name.Local)
		return m.begin(t)
	case xml.CharData:
		if n := len(m.path); n > 0 && (m.path[n-1] == "trace" || m.path[n-1] == "annotation") {
			if m.text.Len()+len(t) > maxLine {
				return errTooLong
			}
			m.text.Write(t)
		}
	case xml.EndElement:
		m.path = m.path[:len(m.path)-1]
		return m.end(t.Name.Local)
	}
	return nil
}

func (m *inkmlReader) begin(t xml.StartElement) error {
	switch t.Name.Local {
	case "ink":
		m.open = append(m.open, inkGroup{format: plainFormat})
	case "traceGroup":
		above := &m.open[len(m.open)-1]
		above.hasGroups = above.hasGroups || !m.defining()
		g := inkGroup{format: above.format, id: attribute(t, "id")}
		if f, ok := m.formats[reference(t, "contextRef")]; ok {
			g.format = f
		}
		m.open = append(m.open, g)
		return m.left.spend(SampleMemory + len(g.id))
	case "trace", "annotation":
		m.start = t.Copy()
		m.text.Reset()
	case "traceView":
		g := &m.open[len(m.open)-1]
		g.used = true
		if id := reference(t, "traceDataRef"); id != "" {
			g.views = append(g.views, id)
			return m.left.item(id)
		}
	case "traceFormat":
		m.formatID = attribute(t, "id")
		m.channels = nil
	case "channel":
		if m.channels = append(m.channels, newChannel(t)); len(m.channels) > maxChannels {
			return message.Errorf("names more than %d channels; this is no InkML file of samples", maxChannels)
		}
	case "inkSource":
		m.sourceID = attribute(t, "id")
	case "context":
		m.contextID = attribute(t, "id")
		for _, name := range []string{"traceFormatRef", "inkSourceRef", "contextRef"} {
			f, ok := m.formats[reference(t, name)]
			if !ok {
				continue
			}
			m.formats[m.contextID] = f
			if !m.defining() {
				m.open[len(m.open)-1].format = f
			}
			return m.left.item(m.contextID)
		}
	}
	return nil
}

// defining tells whether the current element only defines what others may name.
func (m *inkmlReader) defining() bool { return slices.Contains(m.path, "definitions") }

func (m *inkmlReader) end(name string) error {
	switch name {
	case "annotation":
		kind, text := attribute(m.start, "type"), m.text.String()
		m.open[len(m.open)-1].annotate(kind, text)
		return m.left.item(kind + text)
	case "trace":
		g := &m.open[len(m.open)-1]
		format := g.format
		if f, ok := m.formats[reference(m.start, "contextRef")]; ok {
			format = f
		}
		s, err := format.parse(m.text.String())
		if err != nil {
			return message.Errorf("holds a trace that cannot be read: %w", err)
		}
		g.used = true
		return m.add(g, s)
	case "traceFormat":
		if err := m.channels.check(); err != nil {
			return err
		}
		for _, id := range []string{m.formatID, m.sourceID, m.contextID} {
			if id == "" {
				continue
			}
			m.formats[id] = m.channels
			if err := m.left.item(id); err != nil {
				return err
			}
		}
		if !m.defining() {
			m.open[len(m.open)-1].format = m.channels
		}
	case "inkSource":
		m.sourceID = ""
	case "context":
		m.contextID = ""
	case "traceGroup", "ink":
		last := len(m.open) - 1
		g := m.open[last]
		if g.labelled.Writer == "" && last > 0 {
			g.labelled.Writer = m.writerAbove(last)
		}
		if g.used && !g.hasGroups && !m.defining() {
			m.done = append(m.done, g)
		}
		if g.id != "" {
			m.traces[g.id] = g.all
		}
		m.open = m.open[:last]
	}
	return nil
}

// add gives a group the trace that was just read: a stroke, the rest of the last one, or,
// of a pen that is up, none.
func (m *inkmlReader) add(g *inkGroup, s Stroke) error {
	id, rest := attribute(m.start, "id"), attribute(m.start, "continuation")
	if err := m.left.spend(itemMemory + len(id) + pointMemory*len(s)); err != nil {
		return err
	}
	if kind := attribute(m.start, "type"); len(s) == 0 || kind == "penUp" || kind == "indeterminate" {
		if id != "" {
			m.traces[id] = nil
		}
		return nil
	}
	if id != "" {
		m.traces[id] = []Stroke{s}
	}
	g.all = append(g.all, s)
	goesOn := (rest == "middle" || rest == "end") && g.last != "" && g.last == reference(m.start, "priorRef")
	g.last = id
	switch n := len(g.labelled.Ink); {
	case m.defining():
	case goesOn && n > 0:
		last := &g.labelled.Ink[n-1]
		if !g.own {
			*last = slices.Clip(*last)
		}
		g.own = true
		return m.left.extend(last, s...)
	default:
		g.labelled.Ink, g.own = append(g.labelled.Ink, s), false
	}
	return nil
}

func (m *inkmlReader) writerAbove(depth int) string {
	for _, g := range slices.Backward(m.open[:depth]) {
		if g.labelled.Writer != "" {
			return g.labelled.Writer
		}
	}
	return ""
}

func (g *inkGroup) annotate(kind, text string) {
	g.used = true
	switch kind {
	case "label", "truth":
		g.labelled.Label = text
	case "writer":
		g.labelled.Writer = text
	case "context":
		g.labelled.Context = text == "true"
	default:
		if g.labelled.Attributes == nil {
			g.labelled.Attributes = map[string]string{}
		}
		g.labelled.Attributes[kind] = text
	}
}

// finish looks up the traces that views name and lets time begin at 0.
func (m *inkmlReader) finish() ([]Labelled, error) {
	if m.open == nil {
		return nil, message.Errorf("the file is empty; choose one that holds ink")
	}
	out := make([]Labelled, 0, len(m.done))
	for _, g := range m.done {
		for _, id := range g.views {
			named, ok := m.traces[id]
			if !ok {
				return nil, message.Errorf("a traceView names the trace %.40q, which the file does not have; get it again", id)
			}
			for _, s := range named {
				if err := m.left.stroke(len(s)); err != nil {
					return nil, message.Errorf("the file, whose traces are used again and again, %w", err)
				}
				g.labelled.Ink = append(g.labelled.Ink, slices.Clone(s))
			}
		}
		g.labelled.Ink.rebase(1)
		out = append(out, g.labelled)
	}
	return out, nil
}

func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// reference is the id that a URI within the file names.
func reference(t xml.StartElement, name string) string {
	return strings.TrimPrefix(attribute(t, name), "#")
}

func newChannel(t xml.StartElement) channel {
	c := channel{name: attribute(t, "name"), scale: 1}
	switch {
	case c.name == "T" && attribute(t, "units") == "s":
		c.scale = 1000
	case (c.name == "X" || c.name == "Y") && attribute(t, "orientation") == "-ve":
		c.scale = -1
	case c.name == "F":
		if most, err := strconv.ParseFloat(attribute(t, "max"), 64); err == nil && most > 0 {
			c.scale = 1 / most
		}
	}
	return c
}
